import type pg from 'pg';

/** The channel on which an inserted row's id reaches the client that waits for it. */
export const BARE_CHANNEL = 'bare_done';

/** One activity, one statement, one round trip. */
export function bareActivities(pool: pg.Pool) {
  return {
    async insertRow(id: string): Promise<void> {
      await pool.query({
        name: 'insert_row',
        text: `with inserted as (insert into bare_rows (id) values ($1) returning id)
          select pg_notify('${BARE_CHANNEL}', id::text) from inserted`,
        values: [id],
      });
    },
  };
}

export type BareActivities = ReturnType<typeof bareActivities>;
