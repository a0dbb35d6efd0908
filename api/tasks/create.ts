import type { AdditionalTaskType } from '../../domain/additional-task.ts';
import { iriOf } from '../../domain/iri.ts';
import type { CommandId } from '../../domain/ids.ts';
import { toId } from '../../domain/ids.ts';
import type { Violation } from '../../domain/problem.ts';
import { invalid, ProblemError } from '../../domain/problem.ts';
import type { Address, Contact } from '../../domain/shipment.ts';
import { isTerminalShipment } from '../../domain/shipment-status.ts';
import { findReturnPlace } from '../../store/shipments/return-place.ts';
import type { ShipmentRow } from '../../store/shipments/shipments.ts';
import { findShipment } from '../../store/shipments/shipments.ts';
import { findTask } from '../../store/shipments/tasks.ts';
import type { Tenant } from '../../store/tenant.ts';
import { tenant } from '../../store/tenant.ts';
import {
  appliedCommand,
  findSentCommand,
  pendingAnswer,
  workflowSubject,
  sendCommand,
} from '../commands/send-command.ts';
import { acceptedAnswer } from '../commands/fields.ts';
import type { Dependencies } from '../dependencies.ts';
import { validPart } from '../schema/lookup-violations.ts';
import type { RouteResponse } from '../http/route.ts';
import { dashboardRoute, NO_QUERY, nothing } from '../http/route.ts';
import type { NewTaskBody } from './parse.ts';
import { newTaskBody, SHIPMENT } from './parse.ts';
import { task, transitionedTaskJson } from './fields.ts';
import { presentCommandResult, taskEtag } from './present.ts';

/** `POST /tasks` (interpretation 15): a dispatcher sends a parcel to another hub, or back. */
export const createTask = dashboardRoute({
  operation: 'tasks.create',
  method: 'POST',
  path: '/tasks',
  action: 'task.create',
  tag: 'Tasks',
  summary: 'Add a transfer or a return to a shipment',
  description:
    'A transfer requires an address and becomes the predecessor of the delivery, which must be pending, assigned or failed. A return follows a failed delivery and goes to the address of the pickup, otherwise to that of the merchant; without either, address is required. The shipment must belong to the organization (422). 409 before the parcel has been picked up, in any other state of the delivery, while another transfer or return is open, and for a terminal shipment. 202 with Location when the outcome takes too long: the command will be applied or rejected exactly once.',
  isIdempotent: true,
  answers: {
    201: { description: 'The task.', schema: transitionedTaskJson, headers: ['Location', 'ETag'] },
    202: acceptedAnswer,
  },
  body: newTaskBody,
  query: NO_QUERY,
  load: nothing,
  lookupViolations: async ({ actor, dependencies }, body) => {
    const id = validPart(SHIPMENT, body, 'shipment');
    if (id === null) return [];
    const found = await findShipment(tenant(dependencies.database, actor.organizationId), id);
    return found.kind === 'found' ? [] : [UNKNOWN_SHIPMENT];
  },
  handle: async ({ actor, body, dependencies, effectId }) => {
    const scope = tenant(dependencies.database, actor.organizationId);
    const shipment = await namedShipment(scope, body);
    rejectTerminal(shipment, body.type);
    const place = await placeOf(scope, shipment, body);
    // One id for both: a repetition with the same Idempotency-Key finds the command, and with it the task.
    const commandId = toId<'command'>(effectId);
    const taskId = toId<'task'>(effectId);
    const answer = await sendCommand(dependencies, actor, {
      id: commandId,
      kind: 'add_task',
      subject: workflowSubject(shipment),
      taskId,
      request: {
        taskType: body.type,
        address: place.address,
        ...(place.contact === null ? {} : { contact: place.contact }),
      },
      signal: { name: 'add_task', commandId, taskId, taskType: body.type },
    });
    return answer === 'applied' ? created(dependencies, scope, commandId) : pendingAnswer(commandId, answer);
  },
  repeat: async ({ actor, dependencies, effectId }) => {
    const commandId = toId<'command'>(effectId);
    const sent = await findSentCommand(dependencies, commandId);
    if (sent === undefined) return undefined;
    if (sent.answer !== 'applied') return pendingAnswer(commandId, sent.answer);
    return created(dependencies, tenant(dependencies.database, actor.organizationId), commandId);
  },
});

async function created(
  dependencies: Dependencies,
  scope: Tenant,
  commandId: CommandId,
): Promise<RouteResponse> {
  const id = toId<'task'>(commandId);
  const found = await findTask(scope, id);
  // A later command may have deleted the shipment; this one was applied.
  if (found.kind !== 'found') return presentCommandResult(await appliedCommand(dependencies, commandId), 201);
  const { row } = found;
  return {
    status: 201,
    body: task.present(row),
    headers: { location: iriOf('task', id) },
    etag: taskEtag(row),
  };
}

async function namedShipment(scope: Tenant, body: NewTaskBody): Promise<ShipmentRow> {
  const found = await findShipment(scope, body.shipment);
  if (found.kind === 'found') return found.row;
  throw new ProblemError({ kind: 'invalid', violations: [UNKNOWN_SHIPMENT] });
}

/** Another organization's shipment counts as unknown: the response must not reveal what exists elsewhere. */
const UNKNOWN_SHIPMENT: Violation = {
  propertyPath: 'shipment',
  message: 'There is no such shipment in your organization.',
  code: 'reference',
};

function rejectTerminal(shipment: ShipmentRow, type: AdditionalTaskType): void {
  if (!isTerminalShipment(shipment.status)) return;
  throw new ProblemError({
    kind: 'conflict',
    detail: `The shipment is ${shipment.status}; a ${type} cannot be added.`,
    currentStatus: shipment.status,
  });
}

async function placeOf(
  scope: Tenant,
  shipment: ShipmentRow,
  { address, contact }: NewTaskBody,
): Promise<{ readonly address: Address; readonly contact: Contact | null }> {
  if (address !== null) return { address, contact };
  const place = await findReturnPlace(scope, shipment.id);
  if (place !== undefined) return { address: place.address, contact: contact ?? place.contact };
  throw new ProblemError(
    invalid(
      'address',
      'Required: the shipment has neither a pickup nor a merchant with an address. Send the address to return the parcel to.',
      'required',
    ),
  );
}
