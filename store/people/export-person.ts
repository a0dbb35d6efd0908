import type { PersonalTableName } from '../../domain/personal-data.ts';
import type { Executor } from '../connection.ts';
import { select } from '../connection.ts';
import type { FoundPerson } from './find-person.ts';
import { conditionsOf } from './person-rows.ts';
import { peopleOf, SCOPE_SQL, scopeValues } from './person-scope.ts';

/** A row that is kept of a person, and the table that it is from. */
export interface KeptRow {
  readonly table: PersonalTableName;
  readonly row: Readonly<Record<string, unknown>>;
}

/** What says nothing about the person: secrets and their digests, and what the service notes for itself. */
const LEFT_OUT = [
  ...[
    'secret',
    'last_step',
    'password_hash',
    'cookie_hash',
    'place_key',
    'fingerprint',
    'search_text',
    'tries',
    'failure',
  ],
  ...['reconcile_after', 'reconcile_tries', 'claimed_until', 'workflow_started_at', 'version', 'body'],
];

/**
 * How a table's rows are shown where not as they are. An answer may show other people's records, and all that it says of this person
 * is in the records themselves; imports of others cannot be searched for a person.
 */
const SHOWN: Readonly<Partial<Record<PersonalTableName, string | null>>> = {
  webhook_events: `to_jsonb(t) || jsonb_build_object('sent', convert_from(t.body, 'UTF8')::jsonb)`,
  idempotency_keys: `jsonb_build_object('method', t.method, 'path', t.path, 'created_at', t.created_at, 'expires_at', t.expires_at)`,
  imports: null,
  failed_imports: null,
};

const PAGE_ROWS = 1_000;

/** Reads what is kept of a person, table by table, each row once. */
export async function* exportPerson(
  executor: Executor,
  { name, scope }: FoundPerson,
): AsyncGenerator<KeptRow> {
  for (const [table, condition] of conditionsOf(peopleOf(name), ({ where }) => where)) {
    const shown = SHOWN[table] === undefined ? 'to_jsonb(t)' : SHOWN[table];
    if (shown === null) continue;
    let after: string | null = '(0,0)';
    while (after !== null) {
      const rows: { row: Readonly<Record<string, unknown>>; place: string }[] = await select(
        executor,
        `with ${SCOPE_SQL} select (${shown}) - $10::text[] as row, t.ctid::text as place from ${table} t, p
         where (${condition}) and t.ctid > $11::tid order by t.ctid limit ${PAGE_ROWS}`,
        [...scopeValues(scope), LEFT_OUT, after],
      );
      for (const { row } of rows) yield { table, row };
      after = rows.length < PAGE_ROWS ? null : (rows.at(-1)?.place ?? null);
    }
  }
}
