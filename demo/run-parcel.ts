import { styleText } from 'node:util';
import { until } from '../test/harness/until.ts';
import type { Caller, Send } from './client.ts';
import { at, listAt, textAt, textOrEmpty } from '../test/harness/json.ts';
import type { Parcel } from './parcels.ts';
import { changeOf, type Receiver } from './receiver.ts';
import type { Report } from './report.ts';

/** What all parcels share. */
export interface Context {
  readonly send: Send;
  readonly report: Report;
  readonly receiver: Receiver;
  readonly callers: Readonly<Record<'shop' | 'merchant' | 'dispatcher' | 'driver' | 'admin', Caller>>;
  /** Where Temporal's Web UI shows a shipment: this and the shipment's id. */
  readonly workflowUrl: string;
}

const LOOK = { everyMs: 200 };

/** Runs a parcel from its creation to the end of its last webhook. */
export async function runParcel(context: Context, parcel: Parcel): Promise<void> {
  context.report.heading(parcel.title);
  const id = await createShipment(context, parcel);
  await takeSteps(context, parcel, id);
  await checkDeliveries(context, id);
  await showTimeline(context, parcel, id);
}

async function createShipment({ send, callers }: Context, { createdBy, input }: Parcel): Promise<string> {
  if (createdBy === 'shop') {
    return textAt(await send(callers.shop, 'POST', '/external/shipments', 202, input), 'id');
  }
  const points = await send(callers.merchant, 'GET', '/pickup-points', 200);
  const body = { ...input, pickupPoint: textAt(points, 'member.0.@id') };
  const created = await send(callers.merchant, 'POST', '/shipments', 201, body);
  await send(callers.dispatcher, 'POST', textAt(created, 'approve'), 200);
  return textAt(created, 'id');
}

async function takeSteps({ send, report, callers }: Context, { steps }: Parcel, id: string): Promise<void> {
  const findTasks = async () => {
    const page = await send(callers.dispatcher, 'GET', `/tasks?shipment=${id}`, 200);
    const found = listAt(page, 'member').map((task) => [textAt(task, 'type'), textAt(task, '@id')] as const);
    return found.length > 0 && new Map(found);
  };
  const tasks = await until(findTasks, 'The shipment did not come', LOOK);
  const driver = textAt(await send(callers.driver, 'GET', '/users/me', 200), 'driver');
  for (const [by, task, transition, taskStatus, shipmentStatus] of steps) {
    if (by === 'service') continue;
    const assigned = transition === 'assign' ? { driver } : {};
    const reason = transition === 'fail' ? { reason: 'recipient_absent' } : {};
    const body = { transition, ...assigned, ...reason };
    const moved = await send(callers[by], 'POST', `${tasks.get(task) ?? ''}/transition`, 200, body);
    const found = [textAt(moved, 'status'), textAt(moved, 'shipmentStatus')];
    report.check('transition', `${transition} of the ${task}`, found, [taskStatus, shipmentStatus]);
  }
}

/** Waits until no webhook is on its way, compares the delivery log with the receiver, and replays a dead letter. */
async function checkDeliveries({ send, report, receiver, callers }: Context, id: string): Promise<void> {
  const settled = async () => {
    const page = await send(callers.admin, 'GET', `/webhook-deliveries?shipment=${id}`, 200);
    const isPending = listAt(page, 'member').some((delivery) => textAt(delivery, 'status') === 'pending');
    return !isPending && listAt(page, 'member');
  };
  const deliveries = await until(settled, 'The webhooks did not end', LOOK);
  const logged = deliveries.map((entry) => `${textAt(entry, 'status')} ${String(at(entry, 'attemptCount'))}`);
  const answers = receiver.eventsOf(id).map((event) => event.answers);
  const seen = answers.map((all) => `${all.at(-1) === 200 ? 'delivered' : 'dead'} ${all.length}`);
  report.check('log', 'the delivery log', logged.sort(), seen.sort());
  const dead = deliveries.find((delivery) => textAt(delivery, 'status') === 'dead');
  if (dead === undefined) return;
  await send(callers.admin, 'POST', `${textAt(dead, '@id')}/replay`, 202);
  const outcome = async () => {
    const status = textAt(await send(callers.admin, 'GET', textAt(dead, '@id'), 200), 'status');
    return status !== 'pending' && status;
  };
  const replayed = await until(outcome, 'The replay did not end', LOOK);
  report.check('replay', 'the dead letter', replayed, 'delivered');
}

/** Prints the shipment's timeline next to its webhooks, and compares both with the steps. */
async function showTimeline(context: Context, { steps }: Parcel, id: string): Promise<void> {
  const { send, report, receiver, callers, workflowUrl } = context;
  const events = receiver.eventsOf(id);
  const expected = steps.map(([, task, , taskStatus, status]) => changeOf(task, taskStatus, status));
  const arrived = events.map(({ change }) => change);
  report.check('event', 'the events', arrived, expected);
  const shipment = await send(callers.dispatcher, 'GET', `/shipments/${id}`, 200);
  const number = styleText('bold', textAt(shipment, 'trackingNumber'));
  const recipient = `${textAt(shipment, 'recipient.firstName')} ${textAt(shipment, 'recipient.lastName')}`;
  report.line(`\n  ${number} for ${recipient}: ${textAt(shipment, 'status')}`);
  const timeline = listAt(shipment, 'timeline').map((entry) => ({
    occurredAt: textAt(entry, 'occurredAt'),
    name: textOrEmpty(entry, 'transition') || textOrEmpty(entry, 'event'),
    change: changeOf(
      textOrEmpty(entry, 'taskType'),
      textOrEmpty(entry, 'taskStatus'),
      textOrEmpty(entry, 'status'),
    ),
  }));
  for (const { occurredAt, name, change } of timeline) {
    const answers = events.find(({ updatedAt }) => updatedAt === occurredAt)?.answers.join(' ') ?? '';
    const words = `${name.padEnd(16)} ${change.replace(' , ', '').padEnd(55)} ${answers}`;
    report.line(`  ${occurredAt.slice(11, 23)}  ${words}`);
  }
  for (const { updatedAt, change } of events) {
    const entry = timeline.find(({ occurredAt }) => occurredAt === updatedAt);
    report.check('timeline', 'the entry of an event', entry?.change, change);
  }
  report.line(styleText('cyan', `  ${workflowUrl}${id}`));
}
