import { until } from '../test/harness/until.ts';
import type { BenchDeployment } from './deployment.ts';

const POLL_INTERVAL_MS = 100;
const GIVE_UP_MS = 900_000;

/** The rows of a query on the service's database. */
export async function rowsOf<Row extends object>(
  { pool }: Pick<BenchDeployment, 'pool'>,
  sql: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  return (await pool.query<Row>(sql, [...values])).rows;
}

/** Waits until a condition on rows of a table holds for none of them. */
export async function untilNone(
  deployment: Pick<BenchDeployment, 'pool'>,
  fromWhere: string,
  values: readonly unknown[],
): Promise<void> {
  const isNone = async (): Promise<boolean> =>
    (await rowsOf(deployment, `select from ${fromWhere} limit 1`, values)).length === 0;
  await until(isNone, `there still are ${fromWhere}`, { everyMs: POLL_INTERVAL_MS, giveUpMs: GIVE_UP_MS });
}

/** Waits until a run has taken up each shipment of an organization. */
export async function untilAllRun(
  deployment: Pick<BenchDeployment, 'pool'>,
  organizationId: string,
): Promise<void> {
  await untilNone(deployment, 'shipments where organization_id = $1 and workflow_started_at is null', [
    organizationId,
  ]);
}

/** Says which promise is broken, where a query that counts rows as `total` and those that keep it as `right` shows it. */
export async function broken(
  deployment: Pick<BenchDeployment, 'pool'>,
  promise: string,
  sql: string,
  values: readonly unknown[],
): Promise<readonly string[]> {
  const [row] = await rowsOf<{ readonly total: string; readonly right: string }>(deployment, sql, values);
  const [total, right] = [Number(row?.total ?? 0), Number(row?.right ?? 0)];
  return total > 0 && total === right ? [] : [`${right} of ${total} ${promise}`];
}
