import { ADDITIONAL_TASK_TYPES } from '../../domain/additional-task.ts';
import { FAILURE_REASONS, TASK_STATUSES, TASK_TYPES, TRANSITIONS } from '../../domain/enumerations.ts';
import type { Address } from '../../domain/shipment.ts';
import { COLLECTION_QUERY } from '../http/pagination.ts';
import type { Infer } from '../schema/schema.ts';
import type { ObjectRule } from '../schema/schema-objects.ts';
import { named } from '../schema/schema.ts';
import { dateTime } from '../schema/schema-moments.ts';
import { object, optional, required } from '../schema/schema-objects.ts';
import { choice, integer, money, reference, text } from '../schema/schema-values.ts';
import { addressSchema, contactSchema, MAXIMUM_NOTES_LENGTH } from '../shipments/parse.ts';

const MAXIMUM_COMMENT_LENGTH = 2_000;

/** What was shown or left at the door. Kept on the task; never in a webhook or a workflow's history. */
const proofSchema = named(
  'Proof',
  object({
    receivedBy: optional(text()),
    note: optional(text({ max: MAXIMUM_COMMENT_LENGTH })),
    scannedCode: optional(text()),
    photoUrl: optional(text({ max: 2_000 })),
    signatureUrl: optional(text({ max: 2_000 })),
    cashCollected: optional(money()),
  }),
);

interface Requirements {
  readonly transition: string;
  readonly driver: string | null;
  readonly reason: string | null;
  readonly comment: string | null;
}

const DRIVER_RULE: ObjectRule<Requirements> = {
  description: 'assign requires driver.',
  check: (_value, { transition, driver = null }) =>
    transition === 'assign' && driver === null
      ? { path: 'driver', code: 'required', message: 'Required for assign: send the IRI or id of a driver.' }
      : undefined,
};
const REASON_RULE: ObjectRule<Requirements> = {
  description: 'fail requires reason.',
  check: (_value, { transition, reason = null }) =>
    transition === 'fail' && reason === null
      ? {
          path: 'reason',
          code: 'required',
          message: `Required for fail: send one of ${FAILURE_REASONS.join(', ')}.`,
        }
      : undefined,
};
const COMMENT_RULE: ObjectRule<Requirements> = {
  description: 'The reason other requires comment.',
  check: (_value, { transition, reason, comment = null }) =>
    transition === 'fail' && reason === 'other' && comment === null
      ? { path: 'comment', code: 'required', message: "Required for the reason 'other'." }
      : undefined,
};

const DRIVER = reference('driver', { bare: true, description: 'The driver to assign.' });
const OCCURRED_AT = dateTime('When it happened, not in the future; for the timeline only.');

/** Body of `POST /tasks/{id}/transition` (interpretation 29). */
export const transitionBody = named(
  'TransitionRequest',
  object(
    {
      transition: required(choice(TRANSITIONS)),
      driver: optional(DRIVER),
      reason: optional(choice(FAILURE_REASONS, 'Why it failed.')),
      comment: optional(text({ max: MAXIMUM_COMMENT_LENGTH })),
      proof: optional(proofSchema),
      occurredAt: optional(OCCURRED_AT),
    },
    { rules: [DRIVER_RULE, REASON_RULE, COMMENT_RULE] },
  ),
);
export type TransitionBody = Infer<typeof transitionBody>;

interface NamedPlace {
  readonly type: string;
  readonly address: Address | null;
}

const TRANSFER_RULE: ObjectRule<NamedPlace> = {
  description: 'A transfer requires address.',
  check: ({ type, address }) =>
    type === 'transfer' && address === null
      ? {
          path: 'address',
          code: 'required',
          message: 'Required for a transfer: send the address to take the parcel to.',
        }
      : undefined,
};

const SHIPMENT = reference('shipment', { bare: true });

/** Body of `POST /tasks` (interpretation 15). */
export const newTaskBody = named(
  'NewTaskRequest',
  object(
    {
      shipment: required(SHIPMENT),
      type: required(choice(ADDITIONAL_TASK_TYPES)),
      address: optional(addressSchema({ strict: false })),
      contact: optional(contactSchema),
    },
    { rules: [TRANSFER_RULE] },
  ),
);
export type NewTaskBody = Infer<typeof newTaskBody>;

/** A task after a PATCH (interpretation 4). */
export const taskBody = named(
  'TaskRequest',
  object({
    notes: optional(text({ max: MAXIMUM_NOTES_LENGTH, min: 0 })),
    address: required(addressSchema({ strict: false })),
    contact: optional(contactSchema),
    after: optional(dateTime()),
    before: optional(dateTime()),
    position: optional(integer({ min: 0, max: 1_000_000, description: 'The position in its run.' })),
  }),
);

/** Query of the list (interpretation 27). */
export const taskListQuery = object(
  {
    ...COLLECTION_QUERY,
    status: optional(choice(TASK_STATUSES)),
    type: optional(choice(TASK_TYPES)),
    driver: optional(reference('driver', { bare: true })),
    shipment: optional(reference('shipment', { bare: true })),
    deliveryRun: optional(reference('delivery_run', { bare: true })),
  },
  { strict: true },
);
