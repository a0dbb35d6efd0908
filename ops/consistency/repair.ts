import pMap from 'p-map';
import { isOneOf, PRIORITIES } from '../../domain/enumerations.ts';
import type { ConsistencySubject } from '../../store/consistency.ts';
import type { ShipmentWorkflowClient } from '../../workflows/client/shipment-workflow-client.ts';
import type { WorkflowSubject } from '../../domain/shipment.ts';
import { CONCURRENT_REQUESTS } from './detect.ts';
import type { Finding, Repair } from './finding.ts';

/** A finding whose repair Temporal did not take. */
export interface FailedRepair {
  readonly finding: Finding;
  readonly reason: string;
}

/**
 * Starts or signals the workflows that the findings name, each once, and never changes PostgreSQL. Both may be repeated: a
 * start finds the workflow running, a signal only makes it look. Resolves to the repairs that failed.
 */
export async function repairAll(
  workflows: ShipmentWorkflowClient,
  findings: readonly Finding[],
): Promise<readonly FailedRepair[]> {
  const distinct = new Map(
    findings.flatMap((finding) => (finding.repair === null ? [] : [[keyOf(finding.repair), finding]])),
  );
  const failures = await pMap(
    distinct.values(),
    async (finding): Promise<FailedRepair | null> => {
      try {
        if (finding.repair !== null) await repair(workflows, finding.repair);
        return null;
      } catch (error) {
        return { finding, reason: error instanceof Error ? error.message : String(error) };
      }
    },
    { concurrency: CONCURRENT_REQUESTS },
  );
  return failures.filter((failure) => failure !== null);
}

function repair(workflows: ShipmentWorkflowClient, work: Repair): Promise<void> {
  switch (work.act) {
    case 'start':
      return workflows.start(subjectOf(work.subject));
    case 'signal':
      return workflows.signal(subjectOf(work.subject), { name: 'reconcile' });
    case 'send_event':
      return workflows.startDelivery(work.input, work.round);
  }
}

function keyOf(work: Repair): string {
  return work.act === 'send_event'
    ? `${work.act} ${work.input.eventId}`
    : `${work.act} ${work.subject.shipmentId}`;
}

function subjectOf({
  shipmentId,
  organizationId,
  trackingNumber,
  priority,
}: ConsistencySubject): WorkflowSubject {
  return {
    id: shipmentId,
    organizationId,
    trackingNumber,
    priority: isOneOf(PRIORITIES, priority) ? priority : 'normal',
  };
}
