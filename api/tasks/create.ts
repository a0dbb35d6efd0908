import type { AdditionalTaskType } from '../../domain/additional-task.ts';
import { iriOf } from '../../domain/iri.ts';
import { toId } from '../../domain/ids.ts';
import { say } from '../../domain/messages.ts';
import { conflict, invalid, ProblemError } from '../../domain/problem.ts';
import type { Address, Contact } from '../../domain/shipment.ts';
import { isTerminalShipment } from '../../domain/shipment-status.ts';
import { findReturnPlace } from '../../store/shipments/return-place.ts';
import type { ShipmentRow } from '../../store/shipments/shipments.ts';
import { findShipment } from '../../store/shipments/shipments.ts';
import type { Tenant } from '../../store/tenant.ts';
import type { OutgoingCommand } from '../commands/send-command.ts';
import { answerCommand, answerRepeatedCommand, workflowSubject } from '../commands/send-command.ts';
import { acceptedAnswer } from '../commands/fields.ts';
import { requireFound } from '../http/require-found.ts';
import type { RouteRequest, RouteResponse } from '../http/route.ts';
import { dashboardRoute } from '../http/route.ts';
import { unknownReference } from '../schema/checked-body.ts';
import { taskAfter } from './answer.ts';
import type { NewTaskBody } from './parse.ts';
import { newTaskBody } from './parse.ts';
import { transitionedTaskJson } from './fields.ts';

/** `POST /tasks` (interpretation 15): a dispatcher sends a parcel to another hub, or back. */
export const createTask = dashboardRoute({
  operation: 'tasks.create',
  method: 'POST',
  path: '/tasks',
  action: 'task.create',
  summary: 'Add a transfer or a return to a shipment',
  description:
    'The delivery must be pending, assigned or failed. It waits for the added task, and a cancelled one releases it; a failed delivery stays failed while it is returned. A transfer requires an address. A return goes to the address of the pickup, otherwise to that of the merchant; without either, address is required. The shipment must belong to the organization (422). 409 before the parcel has been picked up, in any other state of the delivery, while another transfer or return is open, and for a terminal shipment. 202 with Location when the outcome takes too long: the command will be applied or rejected exactly once.',
  isIdempotent: true,
  answers: {
    201: { description: 'The task.', schema: transitionedTaskJson, headers: ['Location', 'ETag'] },
    202: acceptedAnswer,
  },
  body: newTaskBody,
  check: async ({ scope }, { shipment }) => {
    if (shipment === undefined) return [];
    return (await findShipment(scope, shipment)).kind === 'found'
      ? []
      : [unknownReference('shipment', 'shipment')];
  },
  handle: async (request) => {
    const { body, scope, effectId } = request;
    const shipment = requireFound(await findShipment(scope, body.shipment), 'shipment');
    rejectTerminal(shipment, body.type);
    const { address, contact } = await placeOf(scope, shipment, body);
    // One id for both: a repetition with the same Idempotency-Key finds the command, and with it the task.
    const id = toId<'command'>(effectId);
    const taskId = toId<'task'>(effectId);
    const command: OutgoingCommand = {
      id,
      kind: 'add_task',
      subject: workflowSubject(shipment),
      taskId,
      request: { taskType: body.type, address, ...(contact && { contact }) },
      signal: { name: 'add_task', commandId: id, taskId, taskType: body.type },
    };
    return answerCommand(request, command, () => created(request));
  },
  repeat: (request) => answerRepeatedCommand(request, () => created(request)),
});

async function created(request: RouteRequest): Promise<RouteResponse> {
  const id = toId<'task'>(request.effectId);
  const answer = await taskAfter(request, toId<'command'>(request.effectId), id);
  return { ...answer, status: 201, headers: { location: iriOf('task', id) } };
}

function rejectTerminal(shipment: ShipmentRow, type: AdditionalTaskType): void {
  if (!isTerminalShipment(shipment.status)) return;
  const said = say('task_not_addable', { shipmentStatus: shipment.status, taskType: type });
  throw new ProblemError(conflict(said, shipment.status));
}

async function placeOf(
  scope: Tenant,
  shipment: ShipmentRow,
  { address, contact }: NewTaskBody,
): Promise<{ readonly address: Address; readonly contact: Contact | null }> {
  if (address !== null) return { address, contact };
  const place = await findReturnPlace(scope, shipment.id);
  if (place !== undefined) return { address: place.address, contact: contact ?? place.contact };
  throw new ProblemError(invalid('address', say('return_address_required'), 'required'));
}
