import {
  FAILURE_REASONS,
  PRIORITIES,
  SHIPMENT_STATUSES,
  TASK_STATUSES,
  TASK_TYPES,
  TRANSITIONS,
} from '../../domain/enumerations.ts';
import {
  amount,
  array,
  collectionShape,
  documentShape,
  iri,
  moment,
  oneOf,
  shape,
  string,
} from '../schema/shapes.ts';
import { addressShape } from '../shipments/shapes.ts';

/** The shapes of what the task endpoints answer. */

export const contactShape = shape({ name: string, phoneNumber: string, email: string }, ['name']);

const PROPERTIES = {
  type: oneOf(TASK_TYPES),
  status: oneOf(TASK_STATUSES),
  allowedTransitions: array(oneOf(TRANSITIONS)),
  shipment: iri,
  shipmentStatus: oneOf(SHIPMENT_STATUSES),
  trackingNumber: string,
  priority: oneOf(PRIORITIES),
  driver: iri,
  deliveryRun: iri,
  position: { type: 'integer' },
  address: addressShape,
  contact: contactShape,
  after: moment,
  before: moment,
  previous: iri,
  attempts: { type: 'integer', minimum: 1 },
  failureReason: oneOf(FAILURE_REASONS),
  failureComment: string,
  notes: string,
  proof: shape(
    {
      receivedBy: string,
      note: string,
      scannedCode: string,
      photoUrl: string,
      signatureUrl: string,
      cashCollected: amount,
    },
    [],
  ),
  assignedAt: moment,
  startedAt: moment,
  completedAt: moment,
};
const REQUIRED = [
  'type',
  'status',
  'allowedTransitions',
  'shipment',
  'shipmentStatus',
  'trackingNumber',
  'priority',
  'address',
  'attempts',
  'createdAt',
  'updatedAt',
];

export const taskJson = documentShape(
  'Task',
  {
    ...PROPERTIES,
    transition: { ...iri, description: 'Where to apply a transition, while one is allowed.' },
  },
  REQUIRED,
);

/** The answer to a transition. A repeat whose first answer was lost gets the outcome alone, so little is required. */
export const transitionedTaskJson = documentShape(
  'TransitionedTask',
  {
    ...PROPERTIES,
    transition: { ...iri, description: 'Where to apply the next transition, while one is allowed.' },
  },
  ['type', 'status', 'shipment', 'shipmentStatus'],
  { type: 'Task' },
);

export const taskCollectionJson = collectionShape(
  'TaskCollection',
  documentShape('TaskMember', { ...PROPERTIES, createdAt: moment, updatedAt: moment }, REQUIRED, {
    isMember: true,
  }),
);
