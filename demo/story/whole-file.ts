import { checkEnd, checkNotifications, untilSettled, type Journey } from './closing.ts';
import { ServiceClient } from './client.ts';
import type { Telling } from './four-shipments.ts';
import type { StoryShipment } from './input.ts';
import { create, race, take, type Stage } from './journey.ts';
import type { Arrival, Mailbox, Reaction } from './mailbox.ts';
import { planSteps } from './plan.ts';
import { StoryStopped, textAt } from './reading.ts';
import { startReceiver } from './receiver.ts';
import { bar, columns } from './terminal.ts';

const AT_A_TIME = 20;
/** Of a hundred answers about something new this many fail, and of a hundred after a failure: 5 % of all, and some three in a row. */
const FAILING_PERCENT = { first: 4.5, again: 20 };
/** The ways to fail, as often as they stand here: mostly a fault, sometimes a broken connection, a refusal, silence. */
const FAILURES: readonly Reaction[] = [
  ...Array<Reaction>(12).fill({ kind: 'answer', status: 503 }),
  ...Array<Reaction>(4).fill({ kind: 'hang_up' }),
  ...Array<Reaction>(3).fill({ kind: 'answer', status: 410 }),
  { kind: 'silence' },
];
/** Every so manieth delivery is confirmed by two apps at once. */
const RACE_EVERY = 10;

/** What was counted on the way. */
interface Figures {
  ended: number;
  transitions: number;
  requests: number;
  refused: number;
  holds: number;
}

/** Takes all shipments of the file to their ends, 20 at a time, while some of our endpoint's answers fail. */
export async function tellWholeFile(telling: Telling): Promise<void> {
  const { deployment, terminal, mailbox, input, desk, onReceiver } = telling;
  const { checks } = telling.stage;
  terminal.heading(`1  All ${input.length} shipments, ${AT_A_TIME} at a time`);
  const figures: Figures = { ended: 0, transitions: 0, requests: 0, refused: 0, holds: 0 };
  const { webhookSecret } = await desk.open(checks);
  const draw = progress(telling, figures);
  let arrivals = 0;
  const receiver = await startReceiver(deployment, webhookSecret, mailbox, {
    react: ({ attempt }) => chooseReaction(attempt, Math.random),
    onArrival: (arrival: Arrival, faults) => {
      arrivals += 1;
      checks.faultless(faults, `notification ${arrival.key}`);
      draw(arrivals);
    },
    onForgery: (status, why) => checks.expect(false, `a request to our endpoint: ${why} (${status})`),
  });
  onReceiver(receiver);
  await desk.set({ webhookUrl: receiver.url, isWebhookEnabled: true }, checks);

  const startedAtMs = performance.now();
  const stage = { ...telling.stage, client: countingClient(telling, figures) };
  const journeys = await eachAtATime(input, async (shipment) => {
    const journey = await goAllTheWay(stage, shipment, figures);
    figures.ended += 1;
    draw(arrivals);
    return journey;
  });
  const seconds = (performance.now() - startedAtMs) / 1000;
  await untilSettled(mailbox, journeys, (open) => {
    terminal.status(`  … the notifications of ${open} shipment(s) are on their way`);
  });
  terminal.endStatus();
  terminal.heading('2  Every shipment is looked at once more');
  checkNotifications(stage, mailbox, journeys);
  for (const journey of journeys) await checkEnd(stage, journey);
  tellFigures(telling, journeys, figures, seconds);
}

/** Fails as often and as variously as set; the caller gives the chance, from 0 to below 1. */
export function chooseReaction(attempt: number, chance: () => number): Reaction {
  const failingPercent = attempt === 1 ? FAILING_PERCENT.first : FAILING_PERCENT.again;
  if (chance() * 100 >= failingPercent) return { kind: 'answer', status: 200 };
  return FAILURES[Math.floor(chance() * FAILURES.length)] ?? { kind: 'answer', status: 503 };
}

async function goAllTheWay(stage: Stage, shipment: StoryShipment, figures: Figures): Promise<Journey> {
  const traveller = await create(stage, shipment, true);
  const steps = planSteps(shipment);
  const { drivers } = stage.cast;
  const driver = drivers[shipment.number % drivers.length] ?? drivers[0];
  for (const step of steps) {
    const isRaced =
      shipment.number % RACE_EVERY === 0 && step.act === 'transition' && step.transition === 'deliver';
    if (isRaced) await race(stage, traveller, step, driver);
    else await take(stage, traveller, step, driver);
    if (step.act === 'transition') figures.transitions += 1;
  }
  return { traveller, steps };
}

/** Runs the work for all shipments, a bounded number at a time; the first that throws ends it. */
async function eachAtATime(
  input: readonly StoryShipment[],
  work: (shipment: StoryShipment) => Promise<Journey>,
): Promise<readonly Journey[]> {
  const waiting = [...input];
  const journeys: Journey[] = [];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      journeys.push(await work(next));
  };
  try {
    await Promise.all(Array.from({ length: AT_A_TIME }, lane));
  } catch (error) {
    waiting.length = 0;
    throw error instanceof StoryStopped ? error : new StoryStopped(String(error));
  }
  return journeys;
}

/** As the story's client, but it counts instead of telling. */
function countingClient({ deployment }: Telling, figures: Figures): ServiceClient {
  return new ServiceClient(deployment.baseUrl, {
    onExchange: (_, { status, body }) => {
      figures.requests += 1;
      // A late refusal is told by its command.
      if (status === 409 || textAt(body, 'status') === 'refused') figures.refused += 1;
    },
    onHold: () => {
      figures.holds += 1;
    },
  });
}

/** Draws a bar where there is a terminal; elsewhere a line for each tenth. */
function progress({ terminal, input }: Telling, figures: Figures): (arrivals: number) => void {
  const total = input.length;
  let lastTenth = 0;
  return (arrivals) => {
    const { ended, transitions, holds } = figures;
    const words = `${ended}/${total} shipments, ${transitions} transitions, ${arrivals} webhook requests, ${holds} waits`;
    terminal.status(`  ${terminal.palette.cyan(bar(ended, total))} ${words}`);
    const tenth = Math.floor((ended / total) * 10);
    if (terminal.isTerminal || tenth === lastTenth) return;
    lastTenth = tenth;
    terminal.line(`  ${bar(ended, total)} ${words}`);
  };
}

function tellFigures(
  { terminal, mailbox }: Telling,
  journeys: readonly Journey[],
  figures: Figures,
  seconds: number,
): void {
  const { bold } = terminal.palette;
  const outcomes = outcomesOf(mailbox, journeys);
  const rows: (readonly [string, string | number])[] = [
    ['shipments', figures.ended],
    ['  in', `${seconds.toFixed(1)} s`],
    ['transitions', `${figures.transitions} (${(figures.transitions / seconds).toFixed(1)} a second)`],
    ['HTTP requests', figures.requests],
    ['refused commands', figures.refused],
    ['waits for a limit or an outage', figures.holds],
    ['webhooks sent', outcomes.sent],
    ['  taken', outcomes.delivered],
    ['  retried', outcomes.retried],
    ['  rejected', outcomes.rejected],
    ['  dead', outcomes.dead],
  ];
  terminal.heading('3  Figures');
  for (const line of columns(rows.map(([name, figure]) => [name, String(figure)]))) {
    terminal.line(`  ${line.startsWith(' ') ? line : bold(line)}`);
  }
}

function outcomesOf(mailbox: Mailbox, journeys: readonly Journey[]) {
  const changes = journeys.flatMap(({ traveller }) => mailbox.changesOf(traveller.id));
  const count = (outcome: string): number =>
    changes.filter((change) => mailbox.outcomeOf(change) === outcome).length;
  return {
    sent: changes.length,
    delivered: count('delivered'),
    retried: changes.filter((change) => change.length > 1).length,
    rejected: count('rejected'),
    dead: count('dead'),
  };
}
