import { ADDITIONAL_TASK_TYPES } from '../../domain/additional-task.ts';
import { FAILURE_REASONS, TASK_STATUSES, TASK_TYPES, TRANSITIONS } from '../../domain/enumerations.ts';
import { OCCURRED_AT_RULE } from '../../domain/event-time.ts';
import { KEY_FORM } from '../http/idempotency.ts';
import { COLLECTION_QUERY } from '../http/pagination.ts';
import { several } from '../http/query.ts';
import type { Infer } from '../schema/schema.ts';
import { named } from '../schema/schema.ts';
import { dateTime } from '../schema/schema-moments.ts';
import { list, object, optional, required, requiredIf } from '../schema/schema-objects.ts';
import { choice, pattern, reference, text } from '../schema/schema-values.ts';
import { ADDRESS, CONTACT } from '../shipments/parcel.ts';
import { MAXIMUM_COMMENT_LENGTH, PROOF } from './fields.ts';

export const DRIVER = reference('driver', { bare: true, description: 'The driver to assign.' });
export const OCCURRED_AT = dateTime(`When it happened, for the timeline only. ${OCCURRED_AT_RULE}`);

const TRANSITION_FIELDS = {
  transition: required(choice(TRANSITIONS)),
  driver: requiredIf(DRIVER, ['transition', 'assign']),
  reason: requiredIf(choice(FAILURE_REASONS, 'Why it failed.'), ['transition', 'fail']),
  comment: requiredIf(text({ max: MAXIMUM_COMMENT_LENGTH }), ['transition', 'fail'], ['reason', 'other']),
  proof: optional(PROOF),
  occurredAt: optional(OCCURRED_AT),
};
const TRANSITION_RULES = 'assign requires driver. fail requires reason. The reason other requires comment.';

/** Body of `POST /tasks/{id}/transition` (interpretation 29). */
export const transitionBody = named(
  'TransitionRequest',
  object(TRANSITION_FIELDS, { description: TRANSITION_RULES }),
);
export type TransitionBody = Infer<typeof transitionBody>;

export const MAXIMUM_TRANSITIONS = 100;

const transitionItem = named(
  'TransitionItem',
  object(
    {
      task: required(reference('task', { bare: true })),
      ...TRANSITION_FIELDS,
      idempotencyKey: required(
        pattern(KEY_FORM, {
          form: 'visible_ascii',
          example: '5d0c7a52-9b0e-4f0e-8d4c-0a8f5a1f4d11',
          description:
            'Shares its scope with the Idempotency-Key header of POST /tasks/{id}/transition of the task: a repeat by either way gets the first outcome.',
        }),
      ),
    },
    { description: TRANSITION_RULES },
  ),
);
export type TransitionItem = Infer<typeof transitionItem>;

/** Body of `POST /tasks/transitions` (decision 0031). */
export const transitionsBody = named(
  'TransitionsRequest',
  object({ items: required(list(transitionItem, { min: 1, max: MAXIMUM_TRANSITIONS })) }),
);

export const SHIPMENT = reference('shipment', { bare: true });

/** Body of `POST /tasks` (interpretation 15). */
export const newTaskBody = named(
  'NewTaskRequest',
  object(
    {
      shipment: required(SHIPMENT),
      type: required(choice(ADDITIONAL_TASK_TYPES)),
      address: requiredIf(ADDRESS, ['type', 'transfer']),
      contact: optional(CONTACT),
    },
    { description: 'A transfer requires address.' },
  ),
);
export type NewTaskBody = Infer<typeof newTaskBody>;

/** Query of the list (interpretation 27). */
export const taskListQuery = object(
  {
    ...COLLECTION_QUERY,
    status: optional(several(choice(TASK_STATUSES))),
    type: optional(several(choice(TASK_TYPES))),
    driver: optional(several(reference('driver', { bare: true }))),
    shipment: optional(several(reference('shipment', { bare: true }))),
    deliveryRun: optional(several(reference('delivery_run', { bare: true }))),
  },
  { strict: true },
);
