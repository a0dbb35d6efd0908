import { say } from '../../domain/messages.ts';
import Joi from 'joi';
import { MAXIMUM_RUN_TASKS, runStatus, taskTotal } from '../../domain/delivery-run.ts';
import { PRIORITIES, RUN_STATUSES, TASK_STATUSES, TASK_TYPES } from '../../domain/enumerations.ts';
import type { TaskId } from '../../domain/ids.ts';
import { collectionPath, parseReference } from '../../domain/iri.ts';
import type { RunRow, RunTaskRow } from '../../store/delivery-runs/delivery-runs.ts';
import { DATES, recordType } from '../hydra/record-type.ts';
import { SAID } from '../http/problem-shapes.ts';
import { fieldsOf } from '../schema/fields.ts';
import { propertiesOf, requiredNames } from '../schema/json-schema.ts';
import type { Infer, Schema } from '../schema/schema.ts';
import { schemaOf, shownAsIs, violation } from '../schema/schema.ts';
import { date, dateTime } from '../schema/schema-moments.ts';
import { defaulted, list, object, optional, required, shownList } from '../schema/schema-objects.ts';
import { choice, count, reference, text } from '../schema/schema-values.ts';
import { array, iri, oneOf, shape, string } from '../schema/shapes.ts';
import { TRACKING_NUMBER } from '../shipments/fields.ts';
import { ADDRESS } from '../shipments/parcel.ts';
import type { Assignment } from './assign.ts';
import { ASSIGNMENT_STATUSES } from './assign.ts';

const TASK_REFERENCE = reference('task', { bare: true }).json;
const TASK_EXAMPLE = `${collectionPath('task')}/3f0c2f1e-7f55-4c3e-9c39-2a0d0f6f5a11`;

/** A task by IRI or id, or as the document that a run embeds, of which `@id` counts. */
export const TASK: Schema<TaskId> = schemaOf(
  Joi.any<TaskId>().custom((value: unknown, helpers) => {
    const named = typeof value === 'object' && value !== null && '@id' in value ? value['@id'] : value;
    const id = typeof named === 'string' ? parseReference('task', named) : undefined;
    return id ?? violation(helpers, 'reference', say('task_reference', { example: TASK_EXAMPLE }));
  }),
  {
    anyOf: [TASK_REFERENCE, { type: 'object', properties: { '@id': TASK_REFERENCE }, required: ['@id'] }],
  },
);

export const NAME = text();
export const DRIVER = reference('driver', {
  bare: true,
  description: 'The driver to assign the open tasks to.',
});

const task = fieldsOf<RunTaskRow>();
const runTask = recordType(
  'task',
  'Task',
  {
    type: task.shown(choice(TASK_TYPES), (row) => row.type),
    status: task.shown(choice(TASK_STATUSES), (row) => row.status),
    position: task.shownIfSet(count(), (row) => row.position),
    shipment: task.shown(reference('shipment'), (row) => row.shipmentId),
    trackingNumber: task.shown(TRACKING_NUMBER, (row) => row.trackingNumber),
    priority: task.shown(choice(PRIORITIES), (row) => row.priority),
    driver: task.shownIfSet(reference('driver'), (row) => row.driverId),
    address: task.shown(ADDRESS, (row) => row.address),
    after: task.shownIfSet(dateTime(), (row) => row.after),
    before: task.shownIfSet(dateTime(), (row) => row.before),
  },
  {},
  { memberTitle: 'DeliveryRunTask' },
);

/** A run with its ordered tasks, and the results of the assignments that a request caused (interpretation 5). */
interface FullRunRow extends RunRow {
  readonly tasks: readonly RunTaskRow[];
  readonly assignments: readonly Assignment[] | undefined;
}

const COUNTS = object({
  total: required(count()),
  open: required(count()),
  inProgress: required(count()),
  completed: required(count()),
  failed: required(count()),
  cancelled: required(count()),
});

const { field, shown, shownIfSet } = fieldsOf<RunRow>();
const { twofold, transient } = fieldsOf<FullRunRow>();

/** A delivery run, and what a PATCH of one must come to. A member of a list is without tasks. */
export const run = recordType(
  'delivery_run',
  'DeliveryRun',
  {
    name: field(optional(NAME), (row) => row.name),
    driver: field(optional(DRIVER), (row) => row.driverId),
    date: field(required(date()), (row) => row.date),
    status: field(
      required(
        choice(RUN_STATUSES, 'draft, planned or cancelled; the other statuses follow from the tasks.'),
      ),
      statusOf,
    ),
    reference: shown(text(), (row) => row.reference),
    taskCounts: shown(COUNTS, (row) => ({
      total: taskTotal(row),
      open: row.open,
      inProgress: row.underway,
      completed: row.done,
      failed: row.failed,
      cancelled: row.cancelled,
    })),
    startedAt: shownIfSet(dateTime(), (row) => row.startedAt),
    completedAt: shownIfSet(dateTime(), (row) => (statusOf(row) === 'completed' ? row.lastEndedAt : null)),
    ...DATES,
  },
  {
    tasks: twofold(
      defaulted(
        list(TASK, {
          max: MAXIMUM_RUN_TASKS,
          unique: true,
          description: 'The tasks of the run, in their new order.',
        }),
        [],
      ),
      shownList(runTask.member),
      (row) => row.tasks,
    ),
    assignments: transient(
      shownAsIs<readonly Assignment[]>(
        array(
          shape({ task: iri, status: oneOf(ASSIGNMENT_STATUSES), message: string, ...SAID }, [
            'task',
            'status',
          ]),
        ),
      ),
      (row) => row.assignments,
    ),
  },
);
export type RunBody = Infer<typeof run.body>;

function statusOf(row: RunRow) {
  return runStatus(row.planning, row);
}

/** What of a run a client may edit (decision 0025): its status as far as a dispatcher sets it, and which tasks it has in which order. */
export function editableRun(
  { name, date, driverId, planning }: RunRow,
  tasks: readonly RunTaskRow[],
): readonly unknown[] {
  return [name, date, driverId, planning, tasks.map(({ id }) => id)];
}

/** A grouped pickup is answered with its run and a result for each shipment. */
export const groupedPickupJson = {
  ...run.shapes.record,
  title: 'GroupedPickup',
  properties: {
    ...propertiesOf(run.shapes.record),
    results: array(
      shape({ shipment: string, status: oneOf(['added', 'error']), task: iri, message: string, ...SAID }, [
        'shipment',
        'status',
      ]),
    ),
  },
  required: [...requiredNames(run.shapes.record), 'results'],
};
