import { setTimeout as delay } from 'node:timers/promises';
import type { BenchCase, CaseContext, Result } from '../../case.ts';
import type { MadeShipment, Organization } from '../../cast.ts';
import { inParallel, JOURNEY, makeOrganization, makeShipments, move } from '../../cast.ts';
import { openHttp } from '../../http-client.ts';
import type { HttpClient } from '../../http-client.ts';
import { compare, quantile } from '../../rounds.ts';
import type { Comparison } from '../../rounds.ts';
import { startWebhookReceiver } from '../../webhook-receiver.ts';
import type { WebhookReceiver } from '../../webhook-receiver.ts';

const CLIENTS = 4;
const P50_AIM = 1.2;
const P95_AIM = 1.5;
const SETTLE_POLL_MS = 200;

/** Organizations whose receivers misbehave while another organization's webhooks are measured. */
export interface BadReceivers {
  /** The webhook URL of each organization. */
  readonly urls: readonly string[];
  /** Events that are due to each. */
  readonly eventsEach: number;
  /** From now on they misbehave, or end it, so that what is pending is settled soon. */
  readonly misbehave: (isBad: boolean) => void;
  readonly close: () => Promise<void>;
}

/** Makes a case: from an acknowledged transition to the receiver, next to bad receivers of others, and alone. */
export function webhookNeighbours(
  name: string,
  title: string,
  startBadReceivers: (context: CaseContext) => Promise<BadReceivers>,
): BenchCase {
  return {
    name,
    title,
    run: async (context) => {
      const { deployment } = context;
      const receiver = await startWebhookReceiver(deployment.authority);
      const bad = await startBadReceivers(context);
      const http = openHttp(deployment.baseUrl, 2 * CLIENTS);
      try {
        const measured = await makeOrganization(deployment, receiver.url);
        const neighbours: Organization[] = [];
        for (const url of bad.urls) neighbours.push(await makeOrganization(deployment, url));
        const stage = { context, http, receiver, bad, measured, neighbours, backlog: [] };
        const results = await measure(stage);
        const faults = await lostOrDoubled(context, measured);
        return results.map((result) => ({ ...result, voidBecause: [...result.voidBecause, ...faults] }));
      } finally {
        await http.close();
        await bad.close();
        await receiver.close();
      }
    },
  };
}

interface Stage {
  readonly context: CaseContext;
  readonly http: HttpClient;
  readonly receiver: WebhookReceiver;
  readonly bad: BadReceivers;
  readonly measured: Organization;
  readonly neighbours: readonly Organization[];
  /** Moves of the neighbours' shipments that are still to be made; each makes one event due. */
  readonly backlog: (() => Promise<void>)[];
}

async function measure(stage: Stage): Promise<Result[]> {
  const { context, bad } = stage;
  // A side is measured once for both figures: its p95 of a round belongs to the p50 of the same round.
  const p95 = { next: new Array<number>(), alone: new Array<number>() };
  const next = {
    name: 'p50 next to them',
    run: async () => {
      bad.misbehave(true);
      await makeEventsDue(stage);
      const times = await delays(stage);
      bad.misbehave(false);
      await untilSettled(stage);
      p95.next.push(quantile(times, 0.95));
      return quantile(times, 0.5);
    },
  };
  const alone = {
    name: 'p50 alone',
    run: async () => {
      const times = await delays(stage);
      p95.alone.push(quantile(times, 0.95));
      return quantile(times, 0.5);
    },
  };
  const p50s = await compare(next, alone, context.rounds, context.onRound);
  const p95s = comparisonOf(p95.next.slice(1), p95.alone.slice(1));
  const figure = 'from the answer to the receiver';
  return [
    {
      figure: `${figure}, p50`,
      unit: 'ms',
      oursName: next.name,
      bareName: alone.name,
      aim: { atMost: P50_AIM },
      ...p50s,
    },
    {
      figure: `${figure}, p95`,
      unit: 'ms',
      oursName: 'p95 next to them',
      bareName: 'p95 alone',
      aim: { atMost: P95_AIM },
      ...p95s,
    },
  ];
}

/** The p95s are a by-product: whether the rounds agree is judged by their p50s. */
function comparisonOf(ours: readonly number[], bare: readonly number[]): Comparison {
  const ratios = ours.map((figure, index) => figure / (bare[index] ?? Number.NaN));
  return {
    ours,
    bare,
    medianRatio: quantile(ratios, 0.5),
    lowestRatio: Math.min(...ratios),
    highestRatio: Math.max(...ratios),
    voidBecause: [],
  };
}

/** Moves shipments of the measured organization; each time is from the answer to the arrival, 0 where it arrived before. */
async function delays({ context, http, receiver, measured }: Stage): Promise<number[]> {
  const count = context.isQuick ? 4 : 25;
  const shipments = await makeShipments(context.deployment, http, measured, count);
  const times: number[] = [];
  await inParallel(CLIENTS, count, async (index) => {
    const shipment = shipments[index];
    if (shipment === undefined) throw new Error('there are fewer shipments than moves');
    for (const [nth, step] of JOURNEY.entries()) {
      await move(http, measured, shipment, step);
      const acknowledged = performance.now();
      times.push(Math.max(0, (await receiver.arrival(shipment.id, nth + 1)) - acknowledged));
    }
  });
  return times;
}

/** Makes the neighbours' events due: by shipments that are there already, else by new ones. */
async function makeEventsDue(stage: Stage): Promise<void> {
  const { context, http, bad, neighbours, backlog } = stage;
  const eventsEach = context.isQuick ? 10 : bad.eventsEach;
  if (backlog.length === 0) {
    const shipments: (readonly [Organization, MadeShipment])[] = [];
    for (const neighbour of neighbours) {
      const made = await makeShipments(context.deployment, http, neighbour, eventsEach);
      shipments.push(...made.map((shipment) => [neighbour, shipment] as const));
    }
    for (const step of JOURNEY) {
      backlog.push(
        ...shipments.map(
          ([owner, shipment]) =>
            () =>
              move(http, owner, shipment, step),
        ),
      );
    }
  }
  const moves = backlog.splice(0, eventsEach * neighbours.length);
  await inParallel(2 * CLIENTS, moves.length, async (index) => moves[index]?.());
}

async function untilSettled({ context, neighbours }: Stage): Promise<void> {
  const ids = neighbours.map(({ id }) => id);
  for (;;) {
    const { rows } = await context.deployment.pool.query<{ pending: number }>(
      `select count(*)::int as pending from webhook_events where organization_id = any($1::uuid[]) and status = 'pending'`,
      [ids],
    );
    if (rows[0]?.pending === 0) return;
    await delay(SETTLE_POLL_MS);
  }
}

/** Every transition's event was delivered, at its first attempt. */
async function lostOrDoubled(context: CaseContext, organization: Organization): Promise<string[]> {
  const { pool } = context.deployment;
  const { rows } = await pool.query<{ wrong: number; total: number }>(
    `select count(*)::int as total, count(*) filter (where events <> $2 or attempts <> $2)::int as wrong
     from (select s.id, (select count(*) from webhook_events e where e.shipment_id = s.id and e.status = 'delivered') as events,
         (select count(*) from webhook_attempts a join webhook_events e on e.id = a.webhook_event_id where e.shipment_id = s.id) as attempts
       from shipments s where s.organization_id = $1) sent`,
    [organization.id, JOURNEY.length],
  );
  const { wrong = 0, total = 0 } = rows[0] ?? {};
  return wrong === 0 && total > 0
    ? []
    : [`${wrong} of ${total} shipments have lost or doubled notifications`];
}
