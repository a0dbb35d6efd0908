import Joi from 'joi';
import { MAXIMUM_RUN_TASKS } from '../../domain/delivery-run.ts';
import { RUN_STATUSES } from '../../domain/enumerations.ts';
import type { TaskId } from '../../domain/ids.ts';
import { collectionPath, parseReference } from '../../domain/iri.ts';
import { COLLECTION_QUERY } from '../http/pagination.ts';
import type { Infer, Schema } from '../schema/schema.ts';
import { named, violation } from '../schema/schema.ts';
import { date } from '../schema/schema-moments.ts';
import { defaulted, list, object, optional, required } from '../schema/schema-objects.ts';
import { choice, integer, reference, text } from '../schema/schema-values.ts';

const TASK_REFERENCE = reference('task', { bare: true }).json;
const TASK_EXAMPLE = `${collectionPath('task')}/3f0c2f1e-7f55-4c3e-9c39-2a0d0f6f5a11`;

/** A task by IRI or id, or as the document that a run embeds, of which `@id` counts. */
const taskReference: Schema<TaskId> = {
  joi: Joi.any().custom((value: unknown, helpers) => {
    const named = typeof value === 'object' && value !== null && '@id' in value ? value['@id'] : value;
    const id = typeof named === 'string' ? parseReference('task', named) : undefined;
    return (
      id ?? violation(helpers, 'reference', `Must be the IRI or id of a task, for example ${TASK_EXAMPLE}.`)
    );
  }),
  json: {
    anyOf: [TASK_REFERENCE, { type: 'object', properties: { '@id': TASK_REFERENCE }, required: ['@id'] }],
  },
};

const DRIVER = reference('driver', {
  bare: true,
  description: 'The driver to assign the open tasks to.',
});

const FIELDS = { name: optional(text()), driver: optional(DRIVER) };

/** Body of `POST /delivery-runs` (interpretation 5). */
export const newRunBody = named(
  'NewDeliveryRunRequest',
  object({
    ...FIELDS,
    reference: optional(text({ max: 64, description: 'Generated as RUN-YYYYMMDD-XXXX by default.' })),
    date: optional(date('Today in the organization’s time zone by default.')),
    status: defaulted(choice(['draft', 'planned'] as const), 'draft'),
    tasks: defaulted(list(taskReference, { max: MAXIMUM_RUN_TASKS, unique: true }), []),
  }),
);

/** What a PATCH of a run must come to. */
export const runBody = named(
  'DeliveryRunRequest',
  object({
    ...FIELDS,
    date: required(date()),
    status: required(
      choice(RUN_STATUSES, 'draft, planned or cancelled; the other statuses follow from the tasks.'),
    ),
    tasks: defaulted(
      list(taskReference, {
        max: MAXIMUM_RUN_TASKS,
        unique: true,
        description: 'The tasks of the run, in their new order.',
      }),
      [],
    ),
  }),
);
export type RunBody = Infer<typeof runBody>;

/** Body of `POST /delivery-runs/{id}/tasks` (interpretation 29). */
export const addTasksBody = named(
  'AddTasksRequest',
  object({
    tasks: required(list(taskReference, { min: 1, max: MAXIMUM_RUN_TASKS, unique: true })),
    position: optional(
      integer({
        min: 0,
        max: MAXIMUM_RUN_TASKS,
        description: 'The position of the first task, starting at 0; the end of the run by default.',
      }),
    ),
  }),
);

/** Query of the list (interpretation 27). */
export const runListQuery = object(
  {
    ...COLLECTION_QUERY,
    date: optional(date()),
    driver: optional(reference('driver', { bare: true })),
    status: optional(choice(RUN_STATUSES)),
  },
  { strict: true },
);
