import type { Client } from '@temporalio/client';
import pMap from 'p-map';
import { SHIPMENT_STATUSES } from '../../domain/enumerations.ts';
import { toId } from '../../domain/ids.ts';
import type { ShipmentId } from '../../domain/ids.ts';
import { isTerminalShipment } from '../../domain/shipment-status.ts';
import type { Database } from '../../store/connection.ts';
import type { ComparedShipment, PageAfter } from '../../store/consistency.ts';
import {
  comparedShipments,
  FIRST_PAGE,
  openShipmentsOf,
  organizationsAcrossTenants,
  requestsAmong,
} from '../../store/consistency.ts';
import { compareWorkflow } from './compare-workflow.ts';
import type { Finding } from './finding.ts';
import { describeWorkflow, runningWorkflows } from './workflows.ts';

/** Where both sides are, and from which age on something counts. */
export interface Comparison {
  readonly database: Database;
  readonly temporal: Client;
  readonly taskQueue: string;
  readonly olderThanSeconds: number;
  /** Called now and then with how far the comparison has come. */
  readonly onProgress: (line: string) => void;
}

/** What was compared, and the shipments that may differ from their workflows. */
export interface Suspicion {
  readonly shipments: number;
  readonly workflows: number;
  readonly suspects: ReadonlySet<ShipmentId>;
}

/** Requests to Temporal that are under way together. */
export const CONCURRENT_REQUESTS = 8;
const BATCH = 500;

/**
 * Compares all running workflows and all open shipments, page by page. Both go on while they are read, so what differs
 * here is a suspicion: `confirm` looks at each again.
 */
export async function suspect(comparison: Comparison): Promise<Suspicion> {
  const { database, temporal, taskQueue, onProgress } = comparison;
  const running = new Set<ShipmentId>();
  const suspects = new Set<ShipmentId>();
  for await (const page of runningWorkflows(temporal, taskQueue)) {
    const shipments = await shipmentsById(
      database,
      page.map(({ shipmentId }) => shipmentId),
    );
    for (const workflow of page) {
      running.add(workflow.shipmentId);
      const shipment = shipments.get(workflow.shipmentId);
      if (shipment === undefined || compareWorkflow(shipment, workflow).length > 0)
        suspects.add(workflow.shipmentId);
    }
    onProgress(`${running.size} running workflows compared`);
  }
  let shipments = 0;
  for await (const page of openShipments(comparison)) {
    for (const { shipmentId } of page) if (!running.has(shipmentId)) suspects.add(shipmentId);
    shipments += page.length;
    if (page.length > 0) onProgress(`${shipments} open shipments compared`);
  }
  return { shipments, workflows: running.size, suspects };
}

/** Reads each suspect and its workflow as they are now, and returns what differs. */
export async function confirm(
  { database, temporal, onProgress }: Pick<Comparison, 'database' | 'temporal' | 'onProgress'>,
  suspects: Iterable<ShipmentId>,
): Promise<readonly Finding[]> {
  const ids = [...suspects];
  const findings: Finding[] = [];
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH);
    // The workflow first: a shipment that ended since has ended before its workflow does.
    const workflows = await pMap(batch, (id) => describeWorkflow(temporal, id), {
      concurrency: CONCURRENT_REQUESTS,
    });
    const shipments = await shipmentsById(database, batch);
    const requests = new Set((await requestsAmong(database, batch)).map(({ id }) => id));
    batch.forEach((id, index) => {
      const workflow = workflows[index] ?? null;
      const shipment = shipments.get(id);
      if (shipment !== undefined) findings.push(...compareWorkflow(shipment, workflow));
      else if (workflow !== null && !requests.has(id)) findings.push(unknownWorkflow(id));
    });
    if (ids.length > BATCH)
      onProgress(`${start + batch.length} of ${ids.length} suspected differences checked again`);
  }
  return findings;
}

function unknownWorkflow(shipmentId: ShipmentId): Finding {
  const detail = 'a workflow is running for it, but it is not in PostgreSQL';
  return { kind: 'unknown_workflow', id: shipmentId, shipmentId, detail, repair: null };
}

async function shipmentsById(
  database: Database,
  ids: readonly ShipmentId[],
): Promise<ReadonlyMap<ShipmentId, ComparedShipment>> {
  const shipments = ids.length === 0 ? [] : await comparedShipments(database, ids);
  return new Map(shipments.map((shipment) => [shipment.shipmentId, shipment]));
}

async function* openShipments({
  database,
  olderThanSeconds,
}: Comparison): AsyncGenerator<readonly { readonly shipmentId: ShipmentId }[]> {
  const open = SHIPMENT_STATUSES.filter((status) => !isTerminalShipment(status));
  for (const { id: organizationId } of await organizationsAcrossTenants(database)) {
    for (const status of open) {
      yield* pages((after) => openShipmentsOf(database, { organizationId, status, olderThanSeconds }, after));
    }
  }
}

/** Asks for page after page until one is empty. */
export async function* pages<Row extends PageAfter>(
  read: (after: PageAfter) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let after = FIRST_PAGE;
  for (;;) {
    const page = await read(after);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = { since: last.since, id: toId(last.id) };
  }
}
