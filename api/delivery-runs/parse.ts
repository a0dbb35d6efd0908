import { MAXIMUM_RUN_TASKS } from '../../domain/delivery-run.ts';
import { RUN_STATUSES } from '../../domain/enumerations.ts';
import { COLLECTION_QUERY } from '../http/pagination.ts';
import { several } from '../http/query.ts';
import { named } from '../schema/schema.ts';
import { date } from '../schema/schema-moments.ts';
import { defaulted, list, object, optional, required } from '../schema/schema-objects.ts';
import { boolean, choice, integer, reference, text } from '../schema/schema-values.ts';
import { DRIVER, NAME, TASK } from './fields.ts';

/** Body of `POST /delivery-runs` (interpretation 5). */
export const newRunBody = named(
  'NewDeliveryRunRequest',
  object({
    name: optional(NAME),
    driver: optional(DRIVER),
    reference: optional(text({ max: 64, description: 'Generated as RUN-YYYYMMDD-XXXX by default.' })),
    date: optional(date('Today in the organization’s time zone by default.')),
    status: defaulted(choice(['draft', 'planned'] as const), 'draft'),
    tasks: defaulted(list(TASK, { max: MAXIMUM_RUN_TASKS, unique: true }), []),
  }),
);

/** Body of `POST /delivery-runs/{id}/tasks` (interpretation 29). */
export const addTasksBody = named(
  'AddTasksRequest',
  object({
    tasks: required(list(TASK, { min: 1, max: MAXIMUM_RUN_TASKS, unique: true })),
    position: optional(
      integer({
        min: 0,
        max: MAXIMUM_RUN_TASKS,
        description: 'The position of the first task, starting at 0; the end of the run by default.',
      }),
    ),
    isMove: defaulted(boolean('Whether tasks of other runs leave them for this one.'), false),
  }),
);

/** Query of the list (interpretation 27). */
export const runListQuery = object(
  {
    ...COLLECTION_QUERY,
    date: optional(several(date())),
    driver: optional(several(reference('driver', { bare: true }))),
    status: optional(several(choice(RUN_STATUSES))),
  },
  { strict: true },
);
