import type { Database } from '../../store/connection.ts';
import { execute } from '../../store/connection.ts';

/** Makes every row due for the reconciler, however young it is; ten minutes ago, which is longer than any grace. */
export async function makeAllDue(database: Database): Promise<void> {
  for (const table of ['commands', 'external_intakes', 'shipments', 'webhook_events']) {
    await execute(
      database,
      `update ${table} set reconcile_after = clock_timestamp() - interval '10 minutes'`,
    );
  }
}
