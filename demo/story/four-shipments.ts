import { setTimeout as delay } from 'node:timers/promises';
import { tellBorders } from './borders.ts';
import {
  checkExternalView,
  checkNotifications,
  tellEnd,
  untilSettled,
  workflowLink,
  type Journey,
} from './closing.ts';
import type { Deployment } from './deployment.ts';
import { describe, type StoryShipment } from './input.ts';
import { create, take, type Stage, type Traveller } from './journey.ts';
import type { Arrival, Mailbox, Reaction } from './mailbox.ts';
import { planSteps, type Step } from './plan.ts';
import { StoryStopped } from './reading.ts';
import { arrivalLine } from './telling.ts';
import type { Terminal } from './terminal.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import type { SettingsDesk } from './webhook-settings.ts';
import { replayDeadLetter, tellWebhookLog } from './webhook-log.ts';

/** What the four-part story needs. */
export interface Telling {
  readonly stage: Stage;
  readonly desk: SettingsDesk;
  readonly deployment: Deployment;
  readonly terminal: Terminal;
  readonly mailbox: Mailbox;
  readonly input: readonly StoryShipment[];
  /** Called with the receiver once it listens, so that it is closed whatever happens. */
  readonly onReceiver: (receiver: Receiver) => void;
}

const REPLAY_PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 100;
const LATENESS_SECONDS = 30;
const OK: Reaction = { kind: 'answer', status: 200 };
const FAULT: Reaction = { kind: 'answer', status: 500 };

/**
 * Tells the lives of the first four shipments of the file: one is delivered while our endpoint answers 500 once and
 * lets the time run out once, one fails and is delivered, one is cancelled, and the notifications of one are never
 * taken.
 */
export async function tellFourShipments(telling: Telling): Promise<void> {
  const { stage, desk, deployment, terminal, mailbox, input } = telling;
  const [first, second, third, fourth] = input;
  if (first === undefined || second === undefined || third === undefined || fourth === undefined) {
    throw new StoryStopped('The input file has fewer than four shipments.');
  }
  terminal.heading(`1  A shop sends a parcel: ${describe(first)}`);
  const { webhookSecret } = await desk.open(stage.checks);
  await desk.set({ webhookUrl: null, isWebhookEnabled: false }, stage.checks);
  const parcel = await create(stage, first, false);

  terminal.heading('2  An admin sets the webhook, a driver brings the parcel');
  const reactions = new Map<string, (arrival: Omit<Arrival, 'reaction'>) => Reaction>();
  reactions.set(parcel.id, troubleOnce);
  await openEndpoint(telling, webhookSecret, reactions);
  const journeys = [await walk(telling, parcel)];

  terminal.heading(`3  A delivery fails, is reactivated and delivered: ${describe(second)}`);
  journeys.push(await walk(telling, await create(stage, second, true)));

  terminal.heading(`4  A merchant’s parcel is approved and then cancelled: ${describe(third)}`);
  journeys.push(await walk(telling, await create(stage, third, true)));

  terminal.heading(`5  Our endpoint answers 500 for ever: ${describe(fourth)}`);
  const lost = await create(stage, fourth, true);
  reactions.set(lost.id, () => FAULT);
  journeys.push(await walk(telling, lost));

  terminal.heading('6  What must not work');
  await tellBorders(stage, deployment, parcel.id);

  terminal.heading('7  Every notification comes to its end');
  await settle(telling, journeys);
  checkTroubles(telling, parcel, lost);

  terminal.heading('8  How it ended');
  for (const journey of journeys) await tellEnd(stage, journey, mailbox, { terminal, deployment });
  terminal.line();
  for (const journey of journeys.slice(0, 2))
    await checkExternalView(stage, journey, stage.cast.drivers[0].name);

  terminal.heading('9  The webhook log, and a dead letter that is sent again');
  await tellWebhookLog(stage, terminal, mailbox, journeys);
  await replayDeadLetter(stage, mailbox, lost, () => reactions.delete(lost.id));
  const isTaken = await waitFor(() => mailbox.isTakenAgain(lost.id));
  stage.checks.show(isTaken, 'the replayed dead letter came with the same bytes and was taken');
}

async function waitFor(isSo: () => boolean): Promise<boolean> {
  const startedAtMs = performance.now();
  while (!isSo() && performance.now() - startedAtMs < REPLAY_PATIENCE_MS) await delay(LOOK_EVERY_MS);
  return isSo();
}

/** The first request about the pickup is answered 500; the first about the assigned delivery is never answered. */
function troubleOnce({ attempt, taskType, taskStatus }: Omit<Arrival, 'reaction'>): Reaction {
  if (attempt > 1) return OK;
  if (taskType === 'pickup' && taskStatus === 'picked_up') return FAULT;
  return taskType === 'delivery' && taskStatus === 'assigned' ? { kind: 'silence' } : OK;
}

async function openEndpoint(
  { stage, desk, deployment, terminal, mailbox, onReceiver }: Telling,
  secret: string,
  reactions: ReadonlyMap<string, (arrival: Omit<Arrival, 'reaction'>) => Reaction>,
): Promise<void> {
  const receiver = await startReceiver(deployment, secret, mailbox, {
    react: (arrival) => reactions.get(arrival.shipmentId)?.(arrival) ?? OK,
    onArrival: (arrival, faults) => {
      terminal.line(arrivalLine(terminal.palette, arrival));
      stage.checks.faultless(faults, `notification ${arrival.key}`);
    },
    onForgery: (status, why) => stage.checks.expect(false, `a request to our endpoint: ${why} (${status})`),
  });
  onReceiver(receiver);
  terminal.line(`  ${terminal.palette.dim(`our endpoint listens: ${receiver.url}`)}`);
  await desk.set({ webhookUrl: receiver.url, isWebhookEnabled: true }, stage.checks);
}

async function walk({ stage }: Telling, traveller: Traveller): Promise<Journey> {
  const steps: readonly Step[] = planSteps(traveller.input);
  for (const step of steps) await take(stage, traveller, step, stage.cast.drivers[0]);
  return { traveller, steps };
}

async function settle({ stage, terminal, mailbox }: Telling, journeys: readonly Journey[]): Promise<void> {
  const startedAtMs = performance.now();
  await untilSettled(mailbox, journeys, (open) => {
    const seconds = Math.round((performance.now() - startedAtMs) / 1000);
    terminal.status(`  … the notifications of ${open} shipment(s) are on their way, ${seconds} s`);
  });
  terminal.endStatus();
  checkNotifications(stage, mailbox, journeys);
  stage.checks.show(
    stage.checks.differences.length === 0,
    'each moved task was notified once, in the order of updatedAt, which strictly increases',
  );
}

function checkTroubles(
  { stage, mailbox, terminal, deployment }: Telling,
  parcel: Traveller,
  lost: Traveller,
): void {
  const { checks } = stage;
  const repeated = mailbox.changesOf(parcel.id).filter((change) => change.length > 1);
  const told = repeated.map(([one, ...more]) => `${one.taskType} ${one.taskStatus} ×${more.length + 1}`);
  checks.show(
    /^pickup picked_up ×[23],delivery assigned ×[23]$/.test(told.join()),
    'after the 500 and after the silence the same bytes came once more, and were recognised as duplicates',
    told,
  );
  const waits = repeated.map(([one, two]) => ((two?.receivedAtMs ?? 0) - one.receivedAtMs) / 1000);
  checks.show(
    isAbout(waits[0], 1) && isAbout(waits[1], 11),
    `the retries kept the contract’s times, 1 s after the 500 and 10 s + 1 s after the silence began: ${waits.map((wait) => `${wait.toFixed(1)} s`).join(' and ')}`,
  );
  const dead = mailbox.changesOf(lost.id);
  checks.show(
    dead.length > 0 && dead.every((change) => mailbox.outcomeOf(change) === 'dead'),
    `${dead.length} notifications were refused three times and are on the dead-letter queue`,
  );
  const link = workflowLink(deployment, lost.id);
  if (link !== undefined) terminal.line(`      ${terminal.palette.cyan(link)}`);
}

/** Never earlier than meant; later where the machine is busy, or where a part was ended meanwhile. */
function isAbout(seconds: number | undefined, meant: number): boolean {
  return seconds !== undefined && seconds >= meant - 0.2 && seconds <= meant + LATENESS_SECONDS;
}
