import type { BoardDay } from '../../domain/board.ts';
import { MAXIMUM_BOARD_TASKS } from '../../domain/board.ts';
import { execute, select } from '../connection.ts';
import type { Tenant } from '../tenant.ts';
import type { BoardTaskRow } from './board-rows.ts';
import { TASK_COLUMNS } from './board-rows.ts';

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

/** What finds and sorts a task: the rest is read when its row is fetched, so that little is sorted before the first one. */
const FOUND =
  'select t.id, t.shipment_id, t.ordinal, t.delivery_run_id, t.position, coalesce(t.before, t.after) as due';

/**
 * Run by run in their order, then the shipments by their first window: tasks of one shipment stand next to each other, because
 * ids take most of an answer's room and repeat there (a quarter of it, decision 0030).
 */
const LANE_ORDER = 'f.delivery_run_id nulls last, f.position, f.first_due, f.shipment_id, f.ordinal';

/**
 * Each task is found by one of the three, so that none has to be looked for among the others. Tasks and shipments are looked up
 * one by one, in the order of the lane: for 15,000 rows the planner would rather read all that there are (200,000 cost twice the
 * whole statement), and would have to sort afterwards.
 */
const OPEN_SQL = `
declare board_tasks no scroll cursor for
with found as (
  (${FOUND} from tasks t where t.organization_id = $1 and ${IS_OPEN}
   order by t.after nulls first limit ${MAXIMUM_BOARD_TASKS + 1})
  union all
  (${FOUND} from tasks t where t.organization_id = $1 and ${HAS_ENDED} and (${IS_OPEN}) is not true
   order by t.completed_at desc limit ${MAXIMUM_BOARD_TASKS + 1})
  union all
  ${FOUND} from delivery_runs r cross join lateral (select * from tasks where delivery_run_id = r.id offset 0) t
  where r.organization_id = $1 and r.run_date = $4::date and r.deleted_at is null
    and (${IS_OPEN}) is not true and (${HAS_ENDED}) is not true
), placed as (
  select f.*, r.run_date, min(f.due) over (partition by f.shipment_id) as first_due
  from found f left join delivery_runs r on r.id = f.delivery_run_id and r.deleted_at is null
), lane as (select * from placed f order by ${LANE_ORDER})
select ${TASK_COLUMNS} from lane f
cross join lateral (select f.run_date) r
join lateral (select * from tasks where id = f.id limit 1) t on true
join lateral (select * from shipments where id = f.shipment_id limit 1) s on true
order by ${LANE_ORDER}`;
