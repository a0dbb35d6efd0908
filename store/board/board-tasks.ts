import type { BoardDay } from '../../domain/board.ts';
import { MAXIMUM_BOARD_TASKS } from '../../domain/board.ts';
import { execute, select } from '../connection.ts';
import type { Tenant } from '../tenant.ts';
import type { BoardTaskRow } from './board-rows.ts';
import { TASK_COLUMNS, TASK_RUN } from './board-rows.ts';

/**
 * Opens the tasks that a day may have, in the order of a lane, for `fetchBoardTasks`: domain/board.ts decides of each, this finds
 * enough of them. To be called in a transaction, once.
 */
export async function openBoardTasks({ executor, organizationId }: Tenant, day: BoardDay): Promise<void> {
  const { startsAt, endsAt, date, isToday } = day;
  // What is sorted would otherwise be written to files.
  await execute(executor, `set local work_mem = '32MB'`);
  await execute(executor, OPEN_SQL, [organizationId, startsAt, endsAt, date, isToday]);
}

/** The next tasks, at most so many; none at the end. */
export function fetchBoardTasks({ executor }: Tenant, count: number): Promise<BoardTaskRow[]> {
  return select<BoardTaskRow>(executor, `fetch ${count} from board_tasks`);
}

const IS_OPEN = `t.status not in ('delivered', 'cancelled', 'picked_up')
     and (($5 and t.after is null) or coalesce(t.after, t.before) < $3)
     and ($5 or coalesce(t.before, t.after) >= $2)`;
const HAS_ENDED = 't.completed_at >= $2 and t.completed_at < $3';

/** Of a task what is shown and sorted by. */
const FOUND = `select t.id, t.shipment_id, t.organization_id, t.ordinal, t.type, t.status, t.driver_id, t.previous_id, t.delivery_run_id,
     t.position, t.address, t.after, t.before, t.attempts, t.failure_reason, t.completed_at, t.version, t.updated_at`;

/**
 * Run by run in their order, then the shipments by their first window: tasks of one shipment stand next to each other, because
 * ids take most of an answer's room and repeat there (a quarter of it, decision 0030).
 */
const LANE_ORDER = `t.delivery_run_id nulls last, t.position,
  min(coalesce(t.before, t.after)) over (partition by t.shipment_id), t.shipment_id, t.ordinal`;

/**
 * Each task is found by one of the three, so that none has to be looked for among the others. Shipments are looked up one by one:
 * for 15,000 rows the planner would rather read all that there are (200,000 cost twice the whole statement).
 */
const OPEN_SQL = `
declare board_tasks no scroll cursor for select ${TASK_COLUMNS} from (
  (${FOUND} from tasks t where t.organization_id = $1 and ${IS_OPEN}
   order by t.after nulls first limit ${MAXIMUM_BOARD_TASKS + 1})
  union all
  (${FOUND} from tasks t where t.organization_id = $1 and ${HAS_ENDED} and (${IS_OPEN}) is not true
   order by t.completed_at desc limit ${MAXIMUM_BOARD_TASKS + 1})
  union all
  ${FOUND} from delivery_runs r join tasks t on t.delivery_run_id = r.id
  where r.organization_id = $1 and r.run_date = $4::date and r.deleted_at is null
    and (${IS_OPEN}) is not true and (${HAS_ENDED}) is not true) t
join lateral (select * from shipments where id = t.shipment_id limit 1) s on true ${TASK_RUN}
order by ${LANE_ORDER}`;
