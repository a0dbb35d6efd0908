import type { TaskType } from '../../domain/enumerations.ts';
import { FAILURE_REASONS, isOneOf, TRANSITIONS } from '../../domain/enumerations.ts';
import type { OrganizationId, ShipmentId, TaskId } from '../../domain/ids.ts';
import { findCommand } from '../../store/commands/commands.ts';
import { selectOne } from '../../store/connection.ts';
import { newId } from '../../store/new-id.ts';
import type { WorkflowSubject } from '../../domain/shipment.ts';
import type { ShipmentSignal } from '../../workflows/messages.ts';
import { shipmentWorkflowId } from '../../workflows/messages.ts';
import { until } from '../harness/until.ts';
import {
  makeCommand,
  makeStoredShipment,
  shipmentRequest,
  taskOf,
  transitionRequest,
} from '../store/shipments.ts';
import type { Tenancy, World } from './world.ts';

/** What a run of the shipment is started with. */
export async function subjectOf(world: World, id: ShipmentId): Promise<WorkflowSubject> {
  const row = await selectOne<{ organizationId: OrganizationId; trackingNumber: string }>(
    world.database,
    `select organization_id as "organizationId", tracking_number as "trackingNumber" from shipments where id = $1`,
    [id],
  );
  if (row === undefined) throw new Error('there is no such shipment');
  return { id, ...row, priority: 'normal' };
}

/** Makes a shipment with a running workflow. */
export async function makeRunning(
  world: World,
  tenancy: Tenancy,
  options: Parameters<typeof makeStoredShipment>[2] = {},
): Promise<ShipmentId> {
  const id = await makeStoredShipment(world.database, tenancy.organizationId, options);
  await world.workflows.start(await subjectOf(world, id));
  return id;
}

/** The signal of a transition. */
export type TransitionSignal = Extract<
  ShipmentSignal,
  { readonly taskId: TaskId; readonly driverId?: unknown }
>;

/** Stores a transition and returns its signal, unsent. */
export async function storedTransition(
  world: World,
  tenancy: Tenancy,
  id: ShipmentId,
  task: { readonly id: TaskId; readonly type: TaskType },
  transition: string,
): Promise<TransitionSignal> {
  const driver = transition === 'assign' ? tenancy.drivers[0] : undefined;
  const request = transitionRequest(transition, driver);
  const commandId = await makeCommand(world.database, tenancy.organizationId, id, {
    kind: 'transition',
    taskId: task.id,
    request,
  });
  if (!isOneOf(TRANSITIONS, transition)) throw new Error(`${transition} is not a transition`);
  return {
    name: transition,
    commandId,
    taskId: task.id,
    taskType: task.type,
    ...(driver === undefined ? {} : { driverId: driver }),
    ...(isOneOf(FAILURE_REASONS, request.reason) ? { reason: request.reason } : {}),
  };
}

/** Moves the shipment's task of a type by signals, one after the other; each is decided before the next is sent. */
export async function go(
  world: World,
  tenancy: Tenancy,
  id: ShipmentId,
  type: TaskType,
  ...transitions: readonly string[]
): Promise<void> {
  const task = { id: await taskOf(world.database, id, type), type };
  for (const transition of transitions) {
    const signal = await storedTransition(world, tenancy, id, task, transition);
    await world.workflows.signal(await subjectOf(world, id), signal);
    await decided(world, signal.commandId);
  }
}

/** Adds a transfer or a return by a signal. */
export async function addTask(
  world: World,
  tenancy: Tenancy,
  id: ShipmentId,
  taskType: 'transfer' | 'return',
): Promise<void> {
  const taskId = newId<'task'>();
  const commandId = await makeCommand(world.database, tenancy.organizationId, id, {
    kind: 'add_task',
    taskId,
    request: { taskType, address: shipmentRequest().recipient.address },
  });
  await world.workflows.signal(await subjectOf(world, id), { name: 'add_task', commandId, taskId, taskType });
  await decided(world, commandId);
}

/** Resolves with the outcome of a command once it is decided. */
export async function decided(world: World, id: Parameters<typeof findCommand>[1]): Promise<string> {
  let status = 'received';
  await until(async () => {
    status = (await findCommand(world.database, id))?.status ?? 'received';
    return status !== 'received';
  }, 'a command was not decided');
  return status;
}

/** The run's handle, of whichever run is the newest. */
export function runOf(world: World, id: ShipmentId) {
  return world.client.workflow.getHandle(shipmentWorkflowId(id));
}
