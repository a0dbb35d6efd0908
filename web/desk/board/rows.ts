import type {
  FailureReason,
  Priority,
  RunStatus,
  ShipmentStatus,
  TaskStatus,
  TaskType,
  Transition,
  VehicleType,
} from '../../../domain/enumerations.ts';

/** The IRI of a row, `/api/v1/tasks/<id>`: the store is keyed by it. */
export type Iri = string;

interface Row {
  readonly '@id': Iri;
  /** Grows whenever anything that the row shows changes. */
  readonly version: number;
}

/** A task as the board and the stream of changes show it (decision 0030). */
export interface BoardTask extends Row {
  readonly '@type': 'Task';
  readonly type: TaskType;
  readonly status: TaskStatus;
  readonly shipment: Iri;
  readonly shipmentStatus: ShipmentStatus;
  readonly trackingNumber: string;
  readonly recipientName: string;
  readonly street?: string | undefined;
  readonly city?: string | undefined;
  readonly landmark?: string | undefined;
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  /** `250.00`, in the organization's currency. */
  readonly cashToCollect: string;
  readonly merchant?: Iri | undefined;
  readonly priority: Priority;
  readonly driver?: Iri | undefined;
  readonly deliveryRun?: Iri | undefined;
  readonly position?: number | undefined;
  readonly previous?: Iri | undefined;
  readonly attempts: number;
  readonly failureReason?: FailureReason | undefined;
  readonly deadline?: string | undefined;
  readonly completedAt?: string | undefined;
  readonly changedAt: string;
  readonly allowedTransitions: readonly Transition[];
}

export interface BoardRun extends Row {
  readonly '@type': 'DeliveryRun';
  readonly reference: string;
  readonly name?: string | undefined;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly driver?: Iri | undefined;
  readonly status: RunStatus;
}

export interface BoardDriver extends Row {
  readonly '@type': 'Driver';
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber: string;
  readonly vehicleType?: VehicleType | undefined;
  readonly isAvailable: boolean;
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
  readonly positionAt?: string | undefined;
}

/** `GET /board`: a day in one read, and the cursor from which the stream goes on. */
export interface Board {
  readonly asOf: string;
  readonly cursor: string;
  readonly date: string;
  readonly currency: string;
  readonly timezone: string;
  readonly isPartial: boolean;
  readonly drivers: readonly BoardDriver[];
  readonly runs: readonly BoardRun[];
  readonly tasks: readonly BoardTask[];
}
