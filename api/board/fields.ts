import { cashAtTask } from '../../domain/board.ts';
import { runStatus } from '../../domain/delivery-run.ts';
import {
  FAILURE_REASONS,
  PRIORITIES,
  RUN_STATUSES,
  SHIPMENT_STATUSES,
  TASK_STATUSES,
  TASK_TYPES,
  TRANSITIONS,
  VEHICLE_TYPES,
} from '../../domain/enumerations.ts';
import type { UserRole } from '../../domain/permission.ts';
import type { TaskState } from '../../domain/shipment-state.ts';
import { allowedTransitions } from '../../domain/transition.ts';
import { WEBHOOK_EVENT_STATUSES } from '../../domain/webhook.ts';
import type {
  BoardDriverRow,
  BoardRunRow,
  BoardTaskRow,
  ChangedDeliveryRow,
  ChangedShipmentRow,
} from '../../store/board/board-rows.ts';
import { LATITUDE, LONGITUDE } from '../drivers/fields.ts';
import { recordType } from '../hydra/record-type.ts';
import { fieldsOf } from '../schema/fields.ts';
import { date, dateTime } from '../schema/schema-moments.ts';
import { shownList } from '../schema/schema-objects.ts';
import {
  boolean,
  choice,
  count,
  integer,
  money,
  phoneNumber,
  reference,
  text,
} from '../schema/schema-values.ts';
import { array, iri, shape, string } from '../schema/shapes.ts';
import { TRACKING_NUMBER } from '../shipments/fields.ts';

const VERSION = integer({
  min: 1,
  max: Number.MAX_SAFE_INTEGER,
  description:
    'Grows whenever anything in this row changes. Of two rows with one @id the one with the greater version is newer.',
});

/** A task as a user is shown it: what is allowed depends on the user's role and on the other tasks of the shipment. */
export interface ShownTask extends BoardTaskRow {
  readonly viewerRole: UserRole;
  readonly siblings: readonly TaskState[];
}

const task = fieldsOf<ShownTask>();
export const boardTask = recordType(
  'task',
  'Task',
  {
    version: task.shown(VERSION, (row) => row.version),
    type: task.shown(choice(TASK_TYPES), (row) => row.type),
    status: task.shown(choice(TASK_STATUSES), (row) => row.status),
    shipment: task.shown(reference('shipment'), (row) => row.shipmentId),
    shipmentStatus: task.shown(choice(SHIPMENT_STATUSES), (row) => row.shipmentStatus),
    trackingNumber: task.shown(TRACKING_NUMBER, (row) => row.trackingNumber),
    recipientName: task.shown(text(), (row) => row.recipientName),
    street: task.shownIfSet(text(), (row) => row.street),
    city: task.shownIfSet(text(), (row) => row.city),
    landmark: task.shownIfSet(text(), (row) => row.landmark),
    latitude: task.shownIfSet(LATITUDE, (row) => row.latitude),
    longitude: task.shownIfSet(LONGITUDE, (row) => row.longitude),
    after: task.shownIfSet(dateTime(), (row) => row.after),
    before: task.shownIfSet(dateTime(), (row) => row.before),
    cashToCollect: task.shown(money('What the recipient pays at this task.'), (row) =>
      cashAtTask(row.type, row.totalCodToCollectCents),
    ),
    merchant: task.shownIfSet(reference('merchant'), (row) => row.merchantId),
    priority: task.shown(choice<string>(PRIORITIES), (row) => row.priority),
    driver: task.shownIfSet(reference('driver'), (row) => row.driverId),
    deliveryRun: task.shownIfSet(reference('delivery_run'), (row) => row.deliveryRunId),
    position: task.shownIfSet(count('The position in its run.'), (row) => row.position),
    previous: task.shownIfSet(reference('task'), (row) => row.previousId),
    attempts: task.shown(integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (row) => row.attempts),
    failureReason: task.shownIfSet(choice(FAILURE_REASONS), (row) => row.failureReason),
    deadline: task.shownIfSet(dateTime(), (row) => row.deliveryDeadline),
    completedAt: task.shownIfSet(dateTime(), (row) => row.completedAt),
    changedAt: task.shown(dateTime(), (row) => row.changedAt),
    allowedTransitions: task.shown(
      shownList(choice(TRANSITIONS), 'Those that the caller may apply now.'),
      (row) => allowedTransitions({ status: row.shipmentStatus, tasks: row.siblings }, row, row.viewerRole),
    ),
  },
  {},
  { memberTitle: 'BoardTask' },
);

const run = fieldsOf<BoardRunRow>();
export const boardRun = recordType(
  'delivery_run',
  'DeliveryRun',
  {
    version: run.shown(VERSION, (row) => row.version),
    reference: run.shown(text(), (row) => row.reference),
    name: run.shownIfSet(text(), (row) => row.name),
    date: run.shown(date(), (row) => row.date),
    driver: run.shownIfSet(reference('driver'), (row) => row.driverId),
    status: run.shown(choice(RUN_STATUSES), (row) => runStatus(row.planning, row)),
  },
  {},
  { memberTitle: 'BoardRun' },
);

const driver = fieldsOf<BoardDriverRow>();
export const boardDriver = recordType(
  'driver',
  'Driver',
  {
    version: driver.shown(VERSION, (row) => row.version),
    firstName: driver.shown(text(), (row) => row.firstName),
    lastName: driver.shown(text(), (row) => row.lastName),
    phoneNumber: driver.shown(phoneNumber(), (row) => row.phoneNumber),
    vehicleType: driver.shownIfSet(choice<string>(VEHICLE_TYPES), (row) => row.vehicleType),
    isAvailable: driver.shown(boolean('Whether tasks may be assigned.'), (row) => row.isAvailable),
    latitude: driver.shownIfSet(LATITUDE, (row) => row.latitude),
    longitude: driver.shownIfSet(LONGITUDE, (row) => row.longitude),
    positionAt: driver.shownIfSet(dateTime('When the driver was there.'), (row) => row.positionAt),
  },
  {},
  { memberTitle: 'BoardDriver' },
);

const shipment = fieldsOf<ChangedShipmentRow>();
export const changedShipment = recordType(
  'shipment',
  'Shipment',
  {
    version: shipment.shown(VERSION, (row) => row.version),
    status: shipment.shown(choice(SHIPMENT_STATUSES), (row) => row.status),
    trackingNumber: shipment.shown(TRACKING_NUMBER, (row) => row.trackingNumber),
    updatedAt: shipment.shown(dateTime(), (row) => row.updatedAt),
  },
  {},
  { memberTitle: 'ChangedShipment' },
);

const delivery = fieldsOf<ChangedDeliveryRow>();
export const changedDelivery = recordType(
  'webhook_event',
  'WebhookDelivery',
  {
    version: delivery.shown(VERSION, (row) => row.version),
    status: delivery.shown(choice(WEBHOOK_EVENT_STATUSES), (row) => row.status),
  },
  {},
  { memberTitle: 'ChangedWebhookDelivery' },
);

export const boardJson = {
  title: 'Board',
  ...shape({
    '@context': string,
    '@id': iri,
    '@type': { const: 'Board' },
    asOf: { ...dateTime().shown, description: 'When it was read, by the clock of the service.' },
    cursor: { ...string, description: 'Where `GET /changes` goes on, as `lastEventID`.' },
    date: date().shown,
    currency: string,
    timezone: string,
    isPartial: { type: 'boolean', description: 'Whether tasks were left out, because there are too many.' },
    drivers: array(boardDriver.member.shown),
    runs: array(boardRun.member.shown),
    tasks: array(boardTask.member.shown),
  }),
};
