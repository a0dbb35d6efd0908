import { setTimeout as delay } from 'node:timers/promises';
import { listOrEmpty, textOrNull } from '../harness/json.ts';
import type { ClientContext, CreationKind } from './client.ts';
import { create, perform, repeat } from './client.ts';
import { isTerminal } from './checker/shipment-model.ts';
import type { HttpExchange } from './http.ts';
import type { Random } from './random.ts';
import { randomOf } from './random.ts';

/** How a client drives a shipment. */
export interface ShipmentPlan {
  readonly creation: CreationKind;
  readonly hasPickup: boolean;
  /** Moves after which only the straight way is taken, so that each shipment comes to its end. */
  readonly detours: number;
  /** Longest pause between two moves. */
  readonly pauseMs: number;
  /** Moves after which the shipment is left open, for a later round to end; Infinity for the whole way. */
  readonly leavesAfter: number;
  /** What a second client asks for on the same shipment at the same time. */
  readonly companionMoves: number;
}

/** A task as a shipment's document shows it. */
interface Line {
  readonly id: string;
  readonly type: string;
  readonly status: string;
}

const FORWARD = [
  'assign',
  'start_approach',
  'pick_up',
  'start_delivery',
  'start_transit',
  'deliver',
  'reactivate',
];
const POLL_EVERY_MS = 300;
const DELIVERY_STEPS: readonly string[] = ['assign', 'start_delivery', 'deliver'];

/** Creates a shipment and drives it, alone or with a companion. Resolves when it has ended, is left or given up. */
export async function createAndDrive(
  context: ClientContext,
  random: Random,
  plan: ShipmentPlan,
): Promise<void> {
  const id = await create(context, plan.creation, plan.hasPickup);
  if (id === null) return;
  if (plan.creation === 'external') await untilCreated(context, id);
  await Promise.all([
    drive(context, random, id, plan),
    interfere(context, randomOf(random.integer(0, 1_000_000), 'companion'), id, plan.companionMoves),
  ]);
}

async function untilCreated(context: ClientContext, shipmentId: string): Promise<void> {
  while (context.keepsRetrying()) {
    const { body } = await perform(context, shipmentId, { kind: 'read_external' }, { repeats: true });
    const status = textOrNull(body, 'status');
    if (status !== null && status !== 'processing') return;
    await delay(POLL_EVERY_MS);
  }
}

/** Drives a shipment to its end, by what it reads of it and with some detours. */
export async function drive(
  context: ClientContext,
  random: Random,
  shipmentId: string,
  { detours, pauseMs, leavesAfter }: Pick<ShipmentPlan, 'detours' | 'pauseMs' | 'leavesAfter'>,
): Promise<void> {
  for (let moves = 0; moves < leavesAfter && context.keepsRetrying(); moves += 1) {
    const shown = await perform(context, shipmentId, { kind: 'read_shipment' }, { repeats: true });
    const status = textOrNull(shown.body, 'status');
    if (shown.verdict === 'gone') return;
    if (status !== null && isTerminal(status)) return;
    if (status === 'pending_approval')
      await perform(context, shipmentId, { kind: 'approve' }, { repeats: false });
    else await moveOn(context, random, shipmentId, linesOf(shown), moves < detours);
    if (pauseMs > 0) await delay(random.integer(0, pauseMs));
  }
}

/** A second client on the same shipment: looks, and asks for things that may or may not be allowed. */
async function interfere(
  context: ClientContext,
  random: Random,
  shipmentId: string,
  moves: number,
): Promise<void> {
  for (let move = 0; move < moves && context.keepsRetrying(); move += 1) {
    await delay(random.integer(0, 900));
    const shown = await perform(context, shipmentId, { kind: 'read_shipment' }, { repeats: false });
    const tasks = linesOf(shown);
    if (tasks.length === 0) continue;
    const taskId = random.pick(tasks).id;
    if (random.isLikely(0.03)) await perform(context, shipmentId, { kind: 'delete' }, { repeats: false });
    else if (random.isLikely(0.3))
      await perform(context, shipmentId, { kind: 'read_task', taskId }, { repeats: false });
    else
      await transition(
        context,
        random,
        shipmentId,
        taskId,
        random.pick([...FORWARD, 'fail']),
        random.isLikely(0.7),
      );
  }
}

async function moveOn(
  context: ClientContext,
  random: Random,
  shipmentId: string,
  tasks: readonly Line[],
  mayDetour: boolean,
): Promise<void> {
  const task = nextTask(tasks);
  if (task === undefined) return;
  if (mayDetour && task.type === 'delivery' && random.isLikely(0.08)) {
    const type = task.status === 'failed' ? 'return' : 'transfer';
    await perform(context, shipmentId, { kind: 'add_task', type }, { repeats: true });
    return;
  }
  if (task.type === 'delivery' && task.status === 'pending' && random.isLikely(0.4)) {
    await moveWithoutLooking(context, random, shipmentId, task.id);
    return;
  }
  const name = mayDetour && random.isLikely(0.1) ? 'fail' : straight(task, random);
  await transition(context, random, shipmentId, task.id, name, true);
}

/** Sends a whole delivery one command after the other, whether the one before was decided or only accepted. */
async function moveWithoutLooking(
  context: ClientContext,
  random: Random,
  shipmentId: string,
  taskId: string,
): Promise<void> {
  for (const name of DELIVERY_STEPS) {
    const { verdict } = await transition(context, random, shipmentId, taskId, name, true);
    if (verdict !== 'applied' && verdict !== 'accepted') return;
  }
}

async function transition(
  context: ClientContext,
  random: Random,
  shipmentId: string,
  taskId: string,
  name: string,
  repeats: boolean,
): Promise<HttpExchange> {
  const driver = name === 'assign' ? random.pick(context.tenant.driverIds) : null;
  const action = { kind: 'transition', taskId, transition: name, driver } as const;
  const exchange = await perform(context, shipmentId, action, { repeats });
  const operation = context.recorder.operations.findLast((candidate) => candidate.action === action);
  if (operation !== undefined && random.isLikely(0.1))
    context.background.push(repeatLater(context, random, operation));
  return exchange;
}

async function repeatLater(
  context: ClientContext,
  random: Random,
  operation: Parameters<typeof repeat>[1],
): Promise<void> {
  await delay(random.integer(0, 3_000));
  if (operation.exchanges.some(({ verdict }) => verdict !== 'none')) await repeat(context, operation);
}

/** The task that can move: a detour before the delivery, the pickup before both. */
function nextTask(tasks: readonly Line[]): Line | undefined {
  const ended = ['delivered', 'cancelled', 'picked_up', 'waiting_for_pickup', 'assigned_waiting'];
  const open = tasks.filter(({ status }) => !ended.includes(status));
  return open.findLast(({ type }) => type === 'return' || type === 'transfer') ?? open[0];
}

function straight({ type, status }: Line, random: Random): string {
  if (status === 'pending') return 'assign';
  if (status === 'failed') return 'reactivate';
  if (type === 'pickup') return status === 'assigned' && random.isLikely(0.5) ? 'start_approach' : 'pick_up';
  if (type === 'delivery')
    return status === 'assigned' ? random.pick(['start_delivery', 'start_transit']) : 'deliver';
  return status === 'assigned' ? 'start_transit' : 'deliver';
}

function linesOf({ body }: HttpExchange): readonly Line[] {
  return listOrEmpty(body, 'tasks').map((task) => ({
    id: textOrNull(task, 'id') ?? '',
    type: textOrNull(task, 'type') ?? '',
    status: textOrNull(task, 'status') ?? '',
  }));
}
