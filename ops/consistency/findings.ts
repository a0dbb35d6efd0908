import pMap from 'p-map';
import type { ShipmentId, WebhookEventId } from '../../domain/ids.ts';
import { toId } from '../../domain/ids.ts';
import { isTerminalShipment } from '../../domain/shipment-status.ts';
import type { ComparedShipment, ConsistencySubject, OverdueWork } from '../../store/consistency.ts';
import type { ShipmentWorkflowClient } from '../../workflows/client/shipment-workflow-client.ts';
import type { ShownWorkflow } from './workflows.ts';

/** What may differ between PostgreSQL and Temporal, or wait longer than it should, and what to do about it. */
const ADVICE = {
  no_workflow: '--repair starts its workflow',
  needless_workflow: '--repair signals its workflow, which then ends',
  unknown_workflow: 'terminate the workflow in the Web UI, or restore the shipment from a backup',
  search_attribute: '--repair signals its workflow, which then writes the attribute',
  undecided_command: '--repair signals its workflow; if it stays, look at the worker’s log',
  failed_command: '`npm run commands` shows its failure, and retries or dismisses it',
  pending_event: '--repair signals the workflow that sends it',
  request_without_shipment: '--repair starts its workflow, which creates the shipment',
  unrecorded_deadline: '--repair signals its workflow, which then records it',
} as const;

/** One difference. */
export interface Finding {
  readonly kind: keyof typeof ADVICE;
  /** What makes it the same finding when it is looked for again. */
  readonly id: string;
  readonly shipmentId: ShipmentId | null;
  /** What differs, in one clause. */
  readonly detail: string;
  /** Null where only a person can repair it. */
  readonly repair: Repair | null;
}

/** A repair starts or signals a workflow: PostgreSQL is the truth and is never changed. */
interface Repair {
  /** Findings that need the same repair share it. */
  readonly key: string;
  readonly make: (workflows: ShipmentWorkflowClient) => Promise<void>;
}

function start(shipment: ConsistencySubject): Repair {
  const subject = subjectOf(shipment);
  return { key: `start ${subject.id}`, make: (workflows) => workflows.start(subject) };
}

function signal(shipment: ConsistencySubject): Repair {
  const subject = subjectOf(shipment);
  return {
    key: `signal ${subject.id}`,
    make: (workflows) => workflows.signal(subject, { name: 'reconcile' }),
  };
}

function subjectOf({ shipmentId: id, organizationId, trackingNumber, priority }: ConsistencySubject) {
  return { id, organizationId, trackingNumber, priority };
}

/** One line: the shipment, what differs, and what to do. */
export function describeFinding({ kind, shipmentId, detail }: Finding): string {
  return `shipment ${shipmentId ?? '-'}: ${detail}: ${ADVICE[kind]}`;
}

/** Makes the repairs of these findings, each once; any may be repeated. Resolves to a line for each that failed. */
export async function repairAll(
  workflows: ShipmentWorkflowClient,
  findings: readonly Finding[],
  concurrency: number,
): Promise<readonly string[]> {
  const repairs = findings.flatMap(({ repair, shipmentId }) =>
    repair === null ? [] : [[repair.key, { shipmentId, make: repair.make }] as const],
  );
  const failures = await pMap(
    new Map(repairs).values(),
    async ({ shipmentId, make }) => {
      try {
        await make(workflows);
        return [];
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return [`shipment ${shipmentId ?? '-'}: its repair failed: ${reason}`];
      }
    },
    { concurrency },
  );
  return failures.flat();
}

/**
 * Compares a shipment with its workflow; `workflow` is null where none is running. A shipment that has ended keeps its
 * workflow while events are being sent.
 */
export function compareWorkflow(
  shipment: ComparedShipment,
  workflow: ShownWorkflow | null,
): Finding | undefined {
  const { shipmentId, status } = shipment;
  const finding = (kind: Finding['kind'], detail: string, repair: Repair): Finding => {
    return { kind, id: shipmentId, shipmentId, detail, repair };
  };
  const hasEnded = isTerminalShipment(status);
  if (workflow === null) {
    const detail = `it is ${status} and has no running workflow`;
    return hasEnded ? undefined : finding('no_workflow', detail, start(shipment));
  }
  if (hasEnded && shipment.pendingEvents === 0) {
    const detail = `it is ${status} and its workflow still runs`;
    return finding('needless_workflow', detail, signal(shipment));
  }
  const different = (
    [
      ['ShipmentStatus', workflow.status, status],
      ['DeadlineMissed', workflow.isDeadlineMissed, shipment.isDeadlineMissed],
      ['HasDeadLetter', workflow.hasDeadLetter, shipment.hasDeadLetter],
    ] as const
  ).filter(([, shown, stored]) => shown !== stored && stored !== null);
  if (different.length === 0) return undefined;
  const details = different.map(
    ([name, shown, stored]) => `${name} ${shown ?? 'unset'} where PostgreSQL has ${stored}`,
  );
  return finding('search_attribute', `Temporal shows ${details.join(', ')}`, signal(shipment));
}

/** A workflow that runs for a shipment that does not exist. */
export function unknownWorkflow(shipmentId: ShipmentId): Finding {
  const detail = 'a workflow is running for it, but it is not in PostgreSQL';
  return { kind: 'unknown_workflow', id: shipmentId, shipmentId, detail, repair: null };
}

const OVERDUE_DETAIL = {
  undecided_command: ({ id, what, seconds }) => `command ${id} (${what}) is undecided after ${seconds} s`,
  failed_command: ({ id, what }) => `command ${id} (${what}) was set aside as failed`,
  pending_event: ({ id, what, seconds }) => `event ${id} (${what}) is pending after ${seconds} s`,
  request_without_shipment: ({ what, seconds }) =>
    `the request for it (${what}) has no shipment after ${seconds} s`,
  unrecorded_deadline: ({ what, seconds }) =>
    `it is ${what}, and its deadline passed ${seconds} s ago without being recorded`,
} as const satisfies Record<OverdueWork['kind'], (work: OverdueWork) => string>;

/** What waits for longer than it should. */
export function overdueFinding(work: OverdueWork): Finding {
  const { kind, id, subject } = work;
  const detail = OVERDUE_DETAIL[kind](work);
  return { kind, id, shipmentId: subject?.shipmentId ?? null, detail, repair: overdueRepair(work) };
}

/** A first sending is its shipment's workflow's work; a later round and a test event have workflows of their own. */
function overdueRepair({ kind, id, subject, organizationId, round }: OverdueWork): Repair | null {
  if (kind === 'failed_command') return null;
  if (subject !== null && round === 0) {
    return kind === 'request_without_shipment' ? start(subject) : signal(subject);
  }
  const eventId: WebhookEventId = toId<'webhook_event'>(id);
  const input = { eventId, organizationId, shipmentId: subject?.shipmentId ?? null };
  return { key: `send ${id}`, make: (workflows) => workflows.startDelivery(input, round) };
}
