import {
  FEE_PAYERS,
  SHIPMENT_SOURCES,
  SHIPMENT_STATUSES,
  TASK_STATUSES,
  TASK_TYPES,
  TIMELINE_EVENTS,
  TRANSITIONS,
} from '../../domain/enumerations.ts';
import { iriOf } from '../../domain/iri.ts';
import { TRACKING_NUMBER_PATTERN } from '../../domain/tracking-number.ts';
import type {
  ShipmentListRow,
  ShipmentRow,
  ShipmentTaskRow,
  TimelineRow,
} from '../../store/shipments/shipments.ts';
import { DATES, recordType } from '../hydra/record-type.ts';
import type { Infer } from '../schema/schema.ts';
import { named, shownAsIs } from '../schema/schema.ts';
import { fieldsOf, view } from '../schema/fields.ts';
import { dateTime } from '../schema/schema-moments.ts';
import { object, optional, required, shownList } from '../schema/schema-objects.ts';
import { choice, money, reference, text } from '../schema/schema-values.ts';
import { iri } from '../schema/shapes.ts';
import { ADDRESS, PARCEL_FIELDS, RECIPIENT_FIELDS, SCHEDULE_RULE } from './parcel.ts';

/** The page of a shipment for its recipient (decision 0026). */
export const TRACKING_URL = shownAsIs<string>({
  type: 'string',
  description: 'A page for the recipient, opened without signing in.',
});
const SET_BY_SERVICE = 'The service sets it.';

export const TRACKING_NUMBER = shownAsIs<string>({ type: 'string', pattern: TRACKING_NUMBER_PATTERN });

/** Contract «Recipient», with its address. */
export const RECIPIENT = named('Recipient', object({ ...RECIPIENT_FIELDS, address: required(ADDRESS) }));

/** The sums that the service makes, and their currency. */
const sums = fieldsOf<Pick<ShipmentRow, 'totalCodToCollectCents' | 'currency'>>();
export const SUM_FIELDS = {
  totalCodToCollect: sums.shown(
    money('What the recipient pays at the door, in `currency`.'),
    (row) => row.totalCodToCollectCents,
    SET_BY_SERVICE,
  ),
  currency: sums.shown(text(), (row) => row.currency),
};

const task = fieldsOf<ShipmentTaskRow>();
const shipmentTask = recordType(
  'task',
  'Task',
  {
    type: task.shown(choice(TASK_TYPES), (row) => row.type),
    status: task.shown(choice(TASK_STATUSES), (row) => row.status),
    driver: task.shownIfSet(reference('driver'), (row) => row.driverId),
  },
  {},
  { memberTitle: 'ShipmentTask' },
);

const entry = fieldsOf<TimelineRow>();
/** An entry of the timeline, on both surfaces (interpretation 7). */
export const TIMELINE_FIELDS = {
  event: entry.shown(
    // Open, unlike a status: further kinds of entries may come within v1.
    shownAsIs<string>({
      type: 'string',
      description: `What happened: ${TIMELINE_EVENTS.join(', ')}; others may come.`,
    }),
    (row) => row.kind,
  ),
  status: entry.shown(choice(SHIPMENT_STATUSES), (row) => row.status),
  taskType: entry.shownIfSet(choice(TASK_TYPES), (row) => row.taskType),
  taskStatus: entry.shownIfSet(choice(TASK_STATUSES), (row) => row.taskStatus),
  transition: entry.shownIfSet(choice<string>(TRANSITIONS), (row) => row.transition),
  reason: entry.shownIfSet(text(), (row) => row.reason),
  occurredAt: entry.shown(
    shownAsIs<string>({ type: 'string', format: 'date-time' }),
    (row) => row.occurredAt,
  ),
};
/** On the dashboard an entry has more; who changed it and the comment are for staff. */
const timelineEntry = view({
  ...TIMELINE_FIELDS,
  comment: entry.shownIfSet(text(), (row) => row.comment),
  driverName: entry.shownIfSet(text(), (row) => row.driverName),
  changedBy: entry.shownIfSet(
    object({ name: required(text({ description: 'For staff; absent where the service did it itself.' })) }),
    ({ changedByName: name }) => (name === null ? null : { name }),
  ),
  recordedAt: entry.shown(
    shownAsIs<string>({ type: 'string', format: 'date-time', description: 'When the service received it.' }),
    (row) => row.recordedAt,
  ),
});

type LineRow = Pick<
  ShipmentRow,
  'trackingNumber' | 'status' | 'priority' | 'externalReference' | 'deliveryDeadline'
>;
const line = fieldsOf<LineRow>();
const LINE = {
  trackingNumber: line.shown(TRACKING_NUMBER, (row) => row.trackingNumber),
  status: line.shown(
    choice(SHIPMENT_STATUSES),
    (row) => row.status,
    'It follows the tasks: use POST /tasks/{id}/transition.',
  ),
  priority: PARCEL_FIELDS.priority,
  externalReference: PARCEL_FIELDS.externalReference,
  deliveryDeadline: line.shownIfSet(
    dateTime(),
    (row) => row.deliveryDeadline,
    'It follows priority, scheduledAfter and scheduledBefore.',
  ),
};

const { shown: lineShown, shownIfSet: lineShownIfSet } = fieldsOf<ShipmentListRow>();
/** A shipment in a list (contract «Shipment list item»). */
export const shipmentLine = recordType(
  'shipment',
  'Shipment',
  {
    ...LINE,
    recipient: lineShown(
      object({
        firstName: required(text()),
        lastName: optional(text()),
        phoneNumber: required(text()),
        address: required(object({ street: required(text()), city: required(text()) })),
      }),
      ({ street, city, ...row }) => ({ ...row, address: { street, city } }),
    ),
    merchant: lineShownIfSet(reference('merchant'), (row) => row.merchantId),
    ...SUM_FIELDS,
    ...DATES,
  },
  {},
  { memberTitle: 'ShipmentLine' },
);

/** A shipment with what belongs to it. */
interface FullShipmentRow extends ShipmentRow {
  readonly tasks: readonly ShipmentTaskRow[];
  readonly timeline: readonly TimelineRow[];
  /** Null where the document is not answered, but read for a file. */
  readonly trackingUrl: string | null;
}

const FEE = object({
  base: required(money()),
  size: required(money()),
  weight: required(money()),
  priority: required(money()),
  total: required(money()),
});
const { field, shown, shownIfSet, transient } = fieldsOf<FullShipmentRow>();
/**
 * A shipment in full (contract «Shipment as returned on creation», interpretation 25), and the body of `POST /shipments`,
 * which is what a PATCH must come to.
 */
export const shipment = recordType(
  'shipment',
  'Shipment',
  {
    recipient: field(required(RECIPIENT), (row) => row.recipient),
    pickupPoint: field(optional(reference('pickup_point')), (row) => row.pickupPointId),
    merchant: field(
      optional(reference('merchant', { description: 'For a merchant’s user, always its own merchant.' })),
      (row) => row.merchantId,
    ),
    ...PARCEL_FIELDS,
    ...LINE,
    deliveryFee: shown(money(), (row) => row.deliveryFeeCents, SET_BY_SERVICE),
    ...SUM_FIELDS,
    feeBreakdown: shown(FEE, ({ feeBreakdown: fee }) => ({
      base: fee.baseCents,
      size: fee.sizeCents,
      weight: fee.weightCents,
      priority: fee.priorityCents,
      total: fee.totalCents,
    })),
    feePayer: shown(choice(FEE_PAYERS), (row) => row.feePayer),
    pickupAddress: shownIfSet(ADDRESS, (row) => row.pickupAddress),
    source: shown(choice(SHIPMENT_SOURCES), (row) => row.source),
    deadlineMissedAt: shownIfSet(dateTime(), (row) => row.deadlineMissedAt),
    approve: transient(
      shownAsIs<string>({ ...iri, description: 'Where to approve the shipment, while it awaits approval.' }),
      (row) => (row.status === 'pending_approval' ? `${iriOf('shipment', row.id)}/approve` : null),
    ),
    trackingUrl: transient(TRACKING_URL, (row) => row.trackingUrl),
    tasks: shown(shownList(shipmentTask.member), (row) => row.tasks),
    timeline: shown(shownList(timelineEntry), (row) => row.timeline),
    ...DATES,
  },
  {},
  { rule: SCHEDULE_RULE },
);
export type ShipmentBody = Infer<typeof shipment.body>;
