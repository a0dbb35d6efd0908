import { PRIORITIES, RUN_STATUSES, TASK_STATUSES, TASK_TYPES } from '../../domain/enumerations.ts';
import {
  array,
  collectionShape,
  documentShape,
  iri,
  moment,
  oneOf,
  shape,
  string,
} from '../schema/shapes.ts';
import type { JsonSchema } from '../schema/schema.ts';
import { addressShape } from '../shipments/shapes.ts';
import { ASSIGNMENT_STATUSES } from './assign.ts';

/** The shapes of what the run endpoints answer. */

const count: JsonSchema = { type: 'integer', minimum: 0 };

const COUNTS = {
  total: count,
  open: count,
  inProgress: count,
  completed: count,
  failed: count,
  cancelled: count,
};

const PROPERTIES = {
  reference: string,
  name: string,
  date: { type: 'string', format: 'date' },
  driver: iri,
  status: oneOf(RUN_STATUSES),
  taskCounts: shape(COUNTS, Object.keys(COUNTS)),
  startedAt: moment,
  completedAt: moment,
};
const REQUIRED = ['reference', 'date', 'status', 'taskCounts', 'createdAt', 'updatedAt'];

const runTaskShape = documentShape(
  'DeliveryRunTask',
  {
    type: oneOf(TASK_TYPES),
    status: oneOf(TASK_STATUSES),
    position: { type: 'integer', minimum: 0 },
    shipment: iri,
    trackingNumber: string,
    priority: oneOf(PRIORITIES),
    driver: iri,
    address: addressShape,
    after: moment,
    before: moment,
  },
  ['type', 'status', 'shipment', 'trackingNumber', 'priority', 'address'],
  { isMember: true, type: 'Task' },
);

/** Present where the request gave the tasks a driver. */
const assignmentsShape = array(
  shape({ task: iri, status: oneOf(ASSIGNMENT_STATUSES), message: string }, ['task', 'status']),
);

const DOCUMENT = { ...PROPERTIES, tasks: array(runTaskShape), assignments: assignmentsShape };

export const runJson = documentShape('DeliveryRun', DOCUMENT, [...REQUIRED, 'tasks']);

export const runCollectionJson = collectionShape(
  'DeliveryRunCollection',
  documentShape('DeliveryRunMember', { ...PROPERTIES, createdAt: moment, updatedAt: moment }, REQUIRED, {
    isMember: true,
  }),
);

export const groupedPickupJson = documentShape(
  'GroupedPickup',
  {
    ...DOCUMENT,
    results: array(
      shape({ shipment: string, status: oneOf(['added', 'error']), task: iri, message: string }, [
        'shipment',
        'status',
      ]),
    ),
  },
  [...REQUIRED, 'tasks', 'results'],
  { type: 'DeliveryRun' },
);
