import {
  FAILURE_REASONS,
  PRIORITIES,
  SHIPMENT_STATUSES,
  TASK_STATUSES,
  TASK_TYPES,
  TRANSITIONS,
} from '../../domain/enumerations.ts';
import { iriOf } from '../../domain/iri.ts';
import type { UserRole } from '../../domain/permission.ts';
import { allowedTransitions } from '../../domain/transition.ts';
import type { TaskRow } from '../../store/shipments/tasks.ts';
import { shipmentStateOf } from '../../store/shipments/tasks.ts';
import { DATES, recordType } from '../hydra/record-type.ts';
import { withoutNulls } from '../hydra/resource.ts';
import { conflictShape } from '../http/problem-shapes.ts';
import { fieldsOf } from '../schema/fields.ts';
import { named, shownAsIs } from '../schema/schema.ts';
import { dateTime } from '../schema/schema-moments.ts';
import { object, optional, required, shownList } from '../schema/schema-objects.ts';
import { choice, httpsUrl, integer, money, reference, text } from '../schema/schema-values.ts';
import { iri, shape, string } from '../schema/shapes.ts';
import { RECIPIENT, SUM_FIELDS, TRACKING_NUMBER } from '../shipments/fields.ts';
import { ADDRESS, CONTACT, MAXIMUM_NOTES_LENGTH, PARCEL } from '../shipments/parcel.ts';

export const MAXIMUM_COMMENT_LENGTH = 2_000;
const MAXIMUM_POSITION = 1_000_000;
/** HTTPS alone: dashboards show it as an image or as a link. */
const PROOF_URL = httpsUrl({ max: 2_000, description: 'HTTPS only.' });

/** What was shown or left at the door. Kept on the task as it is shown; never in a webhook or a workflow's history. */
export const PROOF = named(
  'Proof',
  object({
    receivedBy: optional(text()),
    note: optional(text({ max: MAXIMUM_COMMENT_LENGTH })),
    scannedCode: optional(text()),
    photoUrl: optional(PROOF_URL),
    signatureUrl: optional(PROOF_URL),
    cashCollected: optional(money()),
  }),
);

/** A task as a user is shown it: what is allowed depends on the user's role. */
interface ShownTask extends TaskRow {
  readonly viewerRole: UserRole;
}

const { field, shown, shownIfSet, transient } = fieldsOf<ShownTask>();

const OF_SHIPMENT = 'Use PATCH /shipments/{id}.';

/** What the driver needs at the door: of the shipment, which says and changes it. */
const DOOR_FIELDS = {
  recipient: shown(RECIPIENT, (row) => row.recipient, OF_SHIPMENT),
  codAmount: shown(PARCEL.codAmount, (row) => row.codAmountCents, OF_SHIPMENT),
  ...SUM_FIELDS,
  handlingOptions: shown(PARCEL.handlingOptions, (row) => row.handlingOptions, OF_SHIPMENT),
  shipmentNotes: shownIfSet(PARCEL.notes, (row) => row.shipmentNotes, OF_SHIPMENT),
  pickupContact: shownIfSet(CONTACT, (row) => row.pickupContact, 'Use PATCH /tasks/{id} of the pickup.'),
};

/** A task (interpretation 4), and what a PATCH of one must come to. */
export const task = recordType(
  'task',
  'Task',
  {
    notes: field(optional(text({ max: MAXIMUM_NOTES_LENGTH, min: 0 })), (row) => row.notes),
    address: field(required(ADDRESS), (row) => row.address),
    contact: field(optional(CONTACT), (row) => row.contact),
    after: field(optional(dateTime()), (row) => row.after),
    before: field(optional(dateTime()), (row) => row.before),
    position: field(
      optional(integer({ min: 0, max: MAXIMUM_POSITION, description: 'The position in its run.' })),
      (row) => row.position,
    ),
    type: shown(choice(TASK_TYPES), (row) => row.type),
    status: shown(choice(TASK_STATUSES), (row) => row.status, 'Use POST /tasks/{id}/transition.'),
    allowedTransitions: shown(
      shownList(choice(TRANSITIONS), 'Those that the caller may apply now.'),
      transitionsOf,
    ),
    shipment: shown(reference('shipment'), (row) => row.shipmentId),
    shipmentStatus: shown(choice(SHIPMENT_STATUSES), (row) => row.shipmentStatus),
    trackingNumber: shown(TRACKING_NUMBER, (row) => row.trackingNumber),
    priority: shown(choice<string>(PRIORITIES), (row) => row.priority),
    ...DOOR_FIELDS,
    driver: shownIfSet(
      reference('driver'),
      (row) => row.driverId,
      "Use POST /tasks/{id}/transition with 'assign' or 'unassign'.",
    ),
    deliveryRun: shownIfSet(
      reference('delivery_run'),
      (row) => row.deliveryRunId,
      'Use POST /delivery-runs/{id}/tasks, or DELETE /delivery-runs/{runId}/tasks/{taskId}.',
    ),
    previous: shownIfSet(reference('task'), (row) => row.previousId),
    attempts: shown(integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (row) => row.attempts),
    failureReason: shownIfSet(choice(FAILURE_REASONS), (row) => row.failureReason),
    failureComment: shownIfSet(text(), (row) => row.failureComment),
    proof: shownIfSet({ shown: PROOF.shown, show: withoutNulls }, (row) => row.proof),
    assignedAt: shownIfSet(dateTime(), (row) => row.assignedAt),
    startedAt: shownIfSet(dateTime(), (row) => row.startedAt),
    completedAt: shownIfSet(dateTime(), (row) => row.completedAt),
    ...DATES,
  },
  {
    transition: transient(
      shownAsIs<string>({ ...iri, description: 'Where to apply a transition, while one is allowed.' }),
      (row) => (transitionsOf(row).length === 0 ? null : `${iriOf('task', row.id)}/transition`),
    ),
  },
);

function transitionsOf(row: ShownTask) {
  return allowedTransitions(shipmentStateOf(row), row, row.viewerRole);
}

/** The answer to a transition. A repeat whose first answer was lost gets the outcome alone, so little is required. */
export const transitionedTaskJson = {
  ...task.shapes.record,
  title: 'TransitionedTask',
  required: ['@context', '@id', '@type', 'id', 'type', 'status', 'shipment', 'shipmentStatus'],
};

/** The 409 of a transition: the task as it is now, for a caller who may read it (api/tasks/conflict.ts). */
export const transitionConflictJson = conflictShape('TransitionConflictProblem', {
  changedAt: { type: 'string', format: 'date-time', description: 'Since when the task is as it is.' },
  changedBy: {
    ...shape({ name: string }),
    description: 'Who moved it, for staff; absent where the service did.',
  },
  task: task.shapes.record,
});
