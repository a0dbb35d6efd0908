import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import type pg from 'pg';
import type { Evidence, ReceivedPost, WorkflowRun } from './checker/evidence.ts';

const CONCURRENT_DESCRIPTIONS = 8;
/** Sorts as the moment does, exact to the microsecond. */
const MOMENT = `'YYYY-MM-DD HH24:MI:SS.US"+00"'`;

/** Where the evidence lies. */
export interface EvidenceSources {
  readonly pool: pg.Pool;
  readonly temporal: Client;
  readonly posts: readonly ReceivedPost[];
}

/** Evidence with the places of tasks in their shipments, by task id. */
export interface ReadEvidence extends Evidence {
  readonly places: ReadonlyMap<string, number>;
}

/** Reads all there is on the given shipments. */
export async function readEvidence(
  { pool, temporal, posts }: EvidenceSources,
  shipmentIds: readonly string[],
): Promise<ReadEvidence> {
  const ids = [shipmentIds];
  const rows = async <Row extends pg.QueryResultRow>(sql: string) => (await pool.query<Row>(sql, ids)).rows;
  const tasks = await rows<{ id: string; shipmentId: string; ordinal: number; type: string; status: string }>(
    `select id, shipment_id as "shipmentId", ordinal, type, status from tasks where shipment_id = any($1::uuid[]) order by ordinal`,
  );
  const shipments = await rows<Omit<Evidence['shipments'][number], 'tasks'>>(
    `select id, external_reference as "externalReference", status, deleted_at is not null as "isDeleted"
     from shipments where id = any($1::uuid[])`,
  );
  const events = await rows<Evidence['events'][number]>(
    `select id, shipment_id as "shipmentId", sequence, status, convert_from(body, 'UTF8') as body, event_updated_at as "updatedAt"
     from webhook_events where shipment_id = any($1::uuid[]) order by shipment_id, sequence`,
  );
  const asked = new Set(shipmentIds);
  return {
    places: new Map(tasks.map(({ id, ordinal }) => [id, ordinal])),
    shipments: shipments.map((shipment) => ({
      ...shipment,
      tasks: tasks
        .filter(({ shipmentId }) => shipmentId === shipment.id)
        .map(({ type, status }) => `${type} ${status}`),
    })),
    commands: await rows(
      `select id, shipment_id as "shipmentId", kind, status, request->>'comment' as comment,
         to_char(decided_at at time zone 'UTC', ${MOMENT}) as "decidedAt"
       from commands where shipment_id = any($1::uuid[]) order by decided_at`,
    ),
    timeline: await rows(
      `select e.shipment_id as "shipmentId", e.sequence, e.kind, e.shipment_status as "shipmentStatus", t.ordinal as task,
         e.task_type as "taskType", e.task_status as "taskStatus", e.transition, e.driver_id as driver, e.comment,
         e.command_id as "commandId", to_char(e.recorded_at at time zone 'UTC', ${MOMENT}) as "recordedAt"
       from timeline_entries e left join tasks t on t.id = e.task_id
       where e.shipment_id = any($1::uuid[]) order by e.shipment_id, e.sequence`,
    ),
    events,
    posts: posts.filter(({ shipmentId }) => asked.has(shipmentId)),
    runs: await describeRuns(temporal, shipmentIds),
  };
}

/** What is still under way for the given shipments, a word for each kind; empty when nothing is. */
export async function pendingWork(pool: pg.Pool, shipmentIds: readonly string[]): Promise<readonly string[]> {
  const { rows } = await pool.query<{ what: string; count: number | string }>(
    `select 'undecided commands' as what, count(*) from commands where shipment_id = any($1::uuid[]) and status = 'received'
     union all select 'pending events', count(*) from webhook_events where shipment_id = any($1::uuid[]) and status = 'pending'
     union all select 'requests without a shipment', count(*) from external_intakes where id = any($1::uuid[]) and status = 'processing'`,
    [shipmentIds],
  );
  return rows.filter(({ count }) => Number(count) > 0).map(({ what, count }) => `${count} ${what}`);
}

/** Describes the newest run of each shipment's workflow. */
export async function describeRuns(
  temporal: Client,
  shipmentIds: readonly string[],
): Promise<readonly WorkflowRun[]> {
  const waiting = [...shipmentIds];
  const found: WorkflowRun[] = [];
  const describeNext = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift())
      found.push(await describeRun(temporal, id));
  };
  await Promise.all(Array.from({ length: CONCURRENT_DESCRIPTIONS }, describeNext));
  return found;
}

async function describeRun(temporal: Client, shipmentId: string): Promise<WorkflowRun> {
  try {
    const { status, raw } = await temporal.workflow.getHandle(`shipment-${shipmentId}`).describe();
    const taskAttempt = raw.pendingWorkflowTask?.attempt ?? 0;
    return { shipmentId, isRunning: status.name === 'RUNNING', taskAttempt };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { shipmentId, isRunning: false, taskAttempt: 0 };
    throw error;
  }
}
