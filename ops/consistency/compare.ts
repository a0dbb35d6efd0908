import type { Client } from '@temporalio/client';
import pMap from 'p-map';
import type { ShipmentId } from '../../domain/ids.ts';
import { toId } from '../../domain/ids.ts';
import type { Database } from '../../store/connection.ts';
import {
  comparedShipments,
  openShipmentsAfter,
  overdueWork,
  requestsAmong,
} from '../../store/consistency.ts';
import type { Finding } from './findings.ts';
import { compareWorkflow, overdueFinding, unknownWorkflow } from './findings.ts';
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
const BEFORE_ALL = toId<'shipment'>('00000000-0000-0000-0000-000000000000');

/**
 * Compares all running workflows and all open shipments, page by page. Both go on while they are read, so what differs
 * here is a suspicion: `findingsAmong` looks at each again.
 */
export async function suspect(comparison: Comparison): Promise<Suspicion> {
  const { database, temporal, taskQueue, olderThanSeconds, onProgress } = comparison;
  const running = new Set<ShipmentId>();
  const suspects = new Set<ShipmentId>();
  for await (const page of runningWorkflows(temporal, taskQueue)) {
    const shipments = await comparedShipments(database, [...page.keys()]);
    for (const [id, workflow] of page) {
      running.add(id);
      const shipment = shipments.get(id);
      if (shipment === undefined || compareWorkflow(shipment, workflow) !== undefined) suspects.add(id);
    }
    onProgress(`${running.size} running workflows compared`);
  }
  let shipments = 0;
  for (let last: ShipmentId | undefined = BEFORE_ALL; last !== undefined;) {
    const page: readonly ShipmentId[] = await openShipmentsAfter(database, last, olderThanSeconds);
    for (const id of page) if (!running.has(id)) suspects.add(id);
    shipments += page.length;
    last = page.at(-1);
    onProgress(`${shipments} open shipments compared`);
  }
  return { shipments, workflows: running.size, suspects };
}

/** Reads each suspect and its workflow as they are now, and what is overdue; returns what differs. */
export async function findingsAmong(
  { database, temporal, olderThanSeconds, onProgress }: Comparison,
  suspects: ReadonlySet<ShipmentId>,
): Promise<readonly Finding[]> {
  const ids = [...suspects];
  const findings: Finding[] = [];
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH);
    // The workflow first: a shipment that ended since has ended before its workflow does.
    const workflows = await pMap(batch, (id) => describeWorkflow(temporal, id), {
      concurrency: CONCURRENT_REQUESTS,
    });
    const shipments = await comparedShipments(database, batch);
    const requests = await requestsAmong(database, batch);
    batch.forEach((id, index) => {
      const workflow = workflows[index] ?? null;
      const shipment = shipments.get(id);
      const finding = shipment === undefined ? undefined : compareWorkflow(shipment, workflow);
      if (finding !== undefined) findings.push(finding);
      if (shipment === undefined && workflow !== null && !requests.has(id))
        findings.push(unknownWorkflow(id));
    });
    onProgress(`${start + batch.length} of ${ids.length} suspected differences checked again`);
  }
  return [...findings, ...(await overdueWork(database, olderThanSeconds)).map(overdueFinding)];
}
