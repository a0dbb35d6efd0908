/** What the database, the receiver and Temporal say when nothing is under way any more. Moments are text, exact to the microsecond. */

export interface StoredShipment {
  readonly id: string;
  readonly externalReference: string | null;
  readonly status: string;
  readonly isDeleted: boolean;
  /** `type status` of each task, in order. */
  readonly tasks: readonly string[];
}

export interface StoredCommand {
  readonly id: string;
  readonly shipmentId: string;
  readonly kind: string;
  readonly status: string;
  /** The transition's comment: the id of the client's operation. */
  readonly comment: string | null;
  /** Sorts by the moment of the decision; null: not decided. */
  readonly decidedAt: string | null;
}

export interface TimelineEntry {
  readonly shipmentId: string;
  readonly sequence: number;
  readonly kind: string;
  readonly shipmentStatus: string;
  /** The task's place in its shipment. */
  readonly task: number | null;
  readonly taskType: string | null;
  readonly taskStatus: string | null;
  readonly transition: string | null;
  readonly driver: string | null;
  readonly comment: string | null;
  readonly commandId: string | null;
  readonly recordedAt: string;
}

export interface StoredEvent {
  readonly id: string;
  readonly shipmentId: string;
  readonly sequence: number;
  readonly status: string;
  /** The exact bytes that are to be sent. */
  readonly body: string;
  readonly updatedAt: string;
}

/** A request that the receiver got, and how it answered; null: it broke the connection or never answered. */
export interface ReceivedPost {
  readonly shipmentId: string;
  readonly eventId: string;
  readonly body: string;
  readonly hasValidSignature: boolean;
  readonly answer: number | null;
}

/** A shipment's workflow as Temporal describes it. */
export interface WorkflowRun {
  readonly shipmentId: string;
  readonly isRunning: boolean;
  /** How often the pending workflow task was tried; 0 when none is pending. */
  readonly taskAttempt: number;
}

export interface Evidence {
  readonly shipments: readonly StoredShipment[];
  readonly commands: readonly StoredCommand[];
  readonly timeline: readonly TimelineEntry[];
  readonly events: readonly StoredEvent[];
  readonly posts: readonly ReceivedPost[];
  readonly runs: readonly WorkflowRun[];
}
