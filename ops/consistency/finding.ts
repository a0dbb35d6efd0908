import type { ShipmentId } from '../../domain/ids.ts';
import type { ConsistencySubject } from '../../store/consistency.ts';
import type { WebhookDeliveryInput } from '../../workflows/messages.ts';

/** What may differ between PostgreSQL and Temporal, or wait longer than it should. */
export type FindingKind =
  | 'no_workflow'
  | 'needless_workflow'
  | 'unknown_workflow'
  | 'search_attribute'
  | 'undecided_command'
  | 'failed_command'
  | 'pending_event'
  | 'request_without_shipment'
  | 'unrecorded_deadline';

/** One difference. */
export interface Finding {
  readonly kind: FindingKind;
  /** What makes it the same finding when it is looked for again. */
  readonly id: string;
  readonly shipmentId: ShipmentId | null;
  /** What differs, in one clause. */
  readonly detail: string;
  /** What repairs it; null where only a person can. */
  readonly repair: Repair | null;
}

/** A repair starts or signals a workflow: PostgreSQL is the truth and is never changed. */
export type Repair =
  | { readonly act: 'start' | 'signal'; readonly subject: ConsistencySubject }
  | {
      readonly act: 'send_event';
      readonly input: WebhookDeliveryInput;
      readonly round: number;
    };

/** What to do about a finding, in a sentence. */
export const ADVICE = {
  no_workflow: '--repair starts its workflow',
  needless_workflow: '--repair signals its workflow, which then ends',
  unknown_workflow: 'terminate the workflow in the Web UI, or restore the shipment from a backup',
  search_attribute: '--repair signals its workflow, which then writes the attribute',
  undecided_command: '--repair signals its workflow; if it stays, look at the worker’s log',
  failed_command: '`npm run commands` shows its failure, and retries or dismisses it',
  pending_event: '--repair signals the workflow that sends it',
  request_without_shipment: '--repair starts its workflow, which creates the shipment',
  unrecorded_deadline: '--repair signals its workflow, which then records it',
} as const satisfies Record<FindingKind, string>;

/** One line: the shipment, what differs, and what to do. */
export function describeFinding({ kind, shipmentId, detail }: Finding): string {
  return `shipment ${shipmentId ?? '-'}: ${detail}: ${ADVICE[kind]}`;
}
