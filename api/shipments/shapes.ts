import {
  FEE_PAYERS,
  HANDLING_OPTIONS,
  PACKAGE_SIZES,
  PRIORITIES,
  RECIPIENT_TYPES,
  SHIPMENT_SOURCES,
  SHIPMENT_STATUSES,
  TASK_STATUSES,
  TASK_TYPES,
  TRANSITIONS,
  UNIT_TYPES,
} from '../../domain/enumerations.ts';
import { TRACKING_NUMBER_PATTERN } from '../../domain/tracking-number.ts';
import {
  array,
  collectionShape,
  documentShape,
  iri,
  moment,
  oneOf,
  amount,
  shape,
  string,
  nullable,
} from '../schema/shapes.ts';

/** The shapes of what the shipment endpoints answer, for OpenAPI and for the test that holds answers to it. */

export const addressShape = shape(
  {
    street: string,
    city: string,
    postalCode: string,
    latitude: { type: 'number' },
    longitude: { type: 'number' },
    landmark: string,
  },
  ['street', 'city'],
);

const recipientShape = shape(
  {
    type: oneOf(RECIPIENT_TYPES),
    firstName: string,
    lastName: string,
    phoneNumber: string,
    email: string,
    address: addressShape,
  },
  ['type', 'firstName', 'phoneNumber', 'address'],
);

const itemShape = shape(
  {
    name: string,
    quantity: { type: 'integer' },
    unitType: oneOf(UNIT_TYPES),
    unitPrice: amount,
    sku: string,
  },
  ['name', 'quantity', 'unitType'],
);

export const timelineEntryShape = shape(
  {
    event: string,
    status: oneOf(SHIPMENT_STATUSES),
    taskType: oneOf(TASK_TYPES),
    taskStatus: oneOf(TASK_STATUSES),
    transition: oneOf(TRANSITIONS),
    reason: string,
    occurredAt: moment,
  },
  ['event', 'status', 'occurredAt'],
);

const LINE = {
  trackingNumber: { type: 'string', pattern: TRACKING_NUMBER_PATTERN },
  status: oneOf(SHIPMENT_STATUSES),
  priority: oneOf(PRIORITIES),
  externalReference: string,
  deliveryDeadline: moment,
  createdAt: moment,
  updatedAt: moment,
};
const LINE_REQUIRED = ['trackingNumber', 'status', 'priority', 'recipient', 'createdAt', 'updatedAt'];

export const shipmentJson = documentShape(
  'Shipment',
  {
    ...LINE,
    packageSize: oneOf(PACKAGE_SIZES),
    weight: { type: 'number', description: 'Kilograms.' },
    currency: string,
    codAmount: amount,
    deliveryFee: amount,
    totalCodToCollect: amount,
    feeBreakdown: shape({ base: amount, size: amount, weight: amount, priority: amount, total: amount }, [
      'base',
      'size',
      'weight',
      'priority',
      'total',
    ]),
    feePayer: oneOf(FEE_PAYERS),
    recipient: recipientShape,
    pickupPoint: iri,
    pickupAddress: addressShape,
    merchant: iri,
    items: array(itemShape),
    handlingOptions: array(oneOf(HANDLING_OPTIONS)),
    notes: string,
    source: oneOf(SHIPMENT_SOURCES),
    scheduledAfter: moment,
    scheduledBefore: moment,
    deadlineMissedAt: moment,
    approve: { ...iri, description: 'Where to approve the shipment, while it awaits approval.' },
    tasks: array(
      documentShape(
        'ShipmentTask',
        { type: oneOf(TASK_TYPES), status: oneOf(TASK_STATUSES), driver: iri },
        ['type', 'status'],
        { isMember: true, type: 'Task' },
      ),
    ),
    timeline: array(timelineEntryShape),
  },
  [
    ...LINE_REQUIRED,
    'packageSize',
    'currency',
    'codAmount',
    'deliveryFee',
    'totalCodToCollect',
    'feeBreakdown',
    'feePayer',
    'items',
    'handlingOptions',
    'source',
    'tasks',
    'timeline',
  ],
);

export const shipmentCollectionJson = collectionShape(
  'ShipmentCollection',
  documentShape(
    'ShipmentLine',
    { ...LINE, recipient: shape({ firstName: string, lastName: string }, ['firstName']) },
    LINE_REQUIRED,
    { isMember: true },
  ),
);

export const bulkApproveResultJson = {
  title: 'BulkApproveResult',
  ...shape(
    {
      total: { type: 'integer' },
      approved: { type: 'integer' },
      failed: { type: 'integer' },
      results: array(
        shape({ id: string, status: oneOf(['approved', 'error']), message: string }, ['id', 'status']),
      ),
    },
    ['total', 'approved', 'failed', 'results'],
  ),
};

export const externalDetailJson = {
  title: 'ExternalShipment',
  ...shape(
    {
      id: { type: 'string', format: 'uuid' },
      trackingNumber: LINE.trackingNumber,
      externalReference: nullable(string),
      status: oneOf(['processing', ...SHIPMENT_STATUSES]),
      driver: nullable({
        title: 'ExternalDriver',
        ...shape({ name: string, phone: string }, ['name', 'phone']),
      }),
      timeline: array(
        shape(
          {
            status: oneOf(SHIPMENT_STATUSES),
            taskType: nullable(oneOf(TASK_TYPES)),
            taskStatus: nullable(oneOf(TASK_STATUSES)),
            transition: nullable(oneOf(TRANSITIONS)),
            reason: nullable(string),
            occurredAt: moment,
          },
          ['status', 'taskType', 'taskStatus', 'transition', 'reason', 'occurredAt'],
        ),
      ),
      deliveryDeadline: nullable(moment),
      codAmount: amount,
      totalCodToCollect: nullable(amount),
    },
    [
      'id',
      'trackingNumber',
      'externalReference',
      'status',
      'driver',
      'timeline',
      'deliveryDeadline',
      'codAmount',
      'totalCodToCollect',
    ],
  ),
};
