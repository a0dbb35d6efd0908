/**
 * What the clients of a fault test recorded, and what the checker reads. Times are milliseconds of one monotonic clock of
 * the recording process. The words are those of the contract; nothing here is imported from the product.
 */

export type TaskType = 'pickup' | 'delivery' | 'transfer' | 'return';

/** What a client asked for. Tasks are named by their place in the shipment, from 0. */
export type Action =
  | {
      readonly kind: 'transition';
      readonly task: number;
      readonly transition: string;
      /** The driver that `assign` names. */
      readonly driver: string | null;
    }
  | { readonly kind: 'approve' }
  | { readonly kind: 'delete' }
  | { readonly kind: 'add_task'; readonly type: 'transfer' | 'return' }
  | { readonly kind: 'read_task'; readonly task: number }
  | { readonly kind: 'read_shipment' }
  /** The external API knows a request before its shipment exists, and a shipment after it was deleted. */
  | { readonly kind: 'read_external' };

/**
 * What a response decided. `none`: no response, 5xx, 429, or 409 because a request with the same key is under way; the
 * request may or may not have been accepted. `gone` is 404, `unexpected` any other status.
 */
export type Verdict = 'applied' | 'accepted' | 'rejected' | 'gone' | 'none' | 'unexpected';

/** One HTTP exchange. Repetitions of one operation carry the same `Idempotency-Key`. */
export interface Exchange {
  readonly sentAtMs: number;
  readonly endedAtMs: number;
  /** Null: no response came (connection error, timeout). */
  readonly status: number | null;
  readonly verdict: Verdict;
  /** What the response said of the shipment. */
  readonly seen: Seen | null;
  /** What identifies the effect in the response: the task's or the command's IRI. */
  readonly effect: string | null;
}

/** The state that a response shows; a missing field was not shown. */
export interface Seen {
  readonly shipmentStatus?: string;
  readonly taskStatus?: string;
  readonly allowedTransitions?: readonly string[];
  /** `type status` of each task, in order. */
  readonly tasks?: readonly string[];
  /** The place of the task that was added. */
  readonly addedTask?: number;
}

/** What `GET /commands/{id}` said in the end of an operation that was answered with 202. */
export interface Resolution {
  readonly status: 'applied' | 'rejected' | 'failed';
  readonly atMs: number;
}

/** One operation of one client on one shipment. */
export interface Operation {
  /** Unique; sent as the transition's comment, so that its traces in the database can be found. */
  readonly id: string;
  readonly shipmentId: string;
  readonly action: Action;
  readonly exchanges: readonly Exchange[];
  readonly resolution: Resolution | null;
}

/** How a shipment begins: `absent` is an accepted external request whose shipment does not exist yet. */
export interface Beginning {
  readonly status: 'absent' | 'pending_approval' | 'pending';
  readonly hasPickup: boolean;
}

/** Everything that clients did with one shipment. */
export interface ShipmentHistory {
  readonly shipmentId: string;
  readonly beginning: Beginning;
  readonly operations: readonly Operation[];
}

/** A broken promise, with the shipment and the evidence in one line. */
export interface Violation {
  readonly property: string;
  readonly shipmentId: string | null;
  readonly evidence: string;
}

/** The first response that decided the operation. */
export function decisiveExchange(operation: Operation): Exchange | undefined {
  return operation.exchanges.find(({ verdict }) => verdict !== 'none');
}

/** The first response that accepted the operation; undefined when no client saw one. */
export function acceptance(operation: Operation): Exchange | undefined {
  return operation.exchanges.find(({ verdict }) => verdict === 'applied' || verdict === 'accepted');
}

/** Whether the operation only looks. */
export function isRead({ kind }: Action): boolean {
  return kind === 'read_task' || kind === 'read_shipment' || kind === 'read_external';
}
