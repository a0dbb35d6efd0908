import { setTimeout as delay } from 'node:timers/promises';
import type { BenchCase, CaseContext, Result } from '../case.ts';
import type { MadeShipment, Organization } from '../cast.ts';
import { inParallel, JOURNEY, makeOrganization, makeShipments, move } from '../cast.ts';
import { openHttp } from '../http-client.ts';
import type { HttpClient } from '../http-client.ts';
import { show } from '../report.ts';
import { compare, median, quantile } from '../rounds.ts';
import { startWebhookReceiver } from '../webhook-receiver.ts';
import type { WebhookReceiver } from '../webhook-receiver.ts';

const CLIENTS = 4;
/** Events that wait for the hanging receiver while the other one is measured. */
const HANGING_EVENTS = 150;

/**
 * Issue 4, 1 (d): from an acknowledged transition to the receiver, alone and beside another organization whose
 * receiver answers nothing for ten seconds.
 */
export const webhooks: BenchCase = {
  name: 'webhooks',
  title: `From an acknowledged transition to the receiver, alone and beside ${HANGING_EVENTS} events that hang`,
  run: async (context) => {
    const { deployment } = context;
    const receiver = await startWebhookReceiver(deployment.authority);
    const hanging = await startWebhookReceiver(deployment.authority);
    const http = openHttp(deployment.baseUrl, CLIENTS);
    const measured = await makeOrganization(deployment, receiver.url);
    const stuck = await makeOrganization(deployment, hanging.url);
    try {
      const result = await besideHanging({ context, http, receiver, hanging, measured, stuck });
      hanging.hang(false);
      const faults = await lostOrDoubled(context, measured);
      return [{ ...result, voidBecause: [...result.voidBecause, ...faults] }];
    } finally {
      await http.close();
      await receiver.close();
      await hanging.close();
    }
  },
};

interface Stage {
  readonly context: CaseContext;
  readonly http: HttpClient;
  readonly receiver: WebhookReceiver;
  readonly hanging: WebhookReceiver;
  readonly measured: Organization;
  readonly stuck: Organization;
}

async function besideHanging(stage: Stage): Promise<Result> {
  const { context, hanging } = stage;
  const medians = { beside: new Array<number>(), alone: new Array<number>() };
  const beside = {
    name: 'p95 beside the hanging receiver',
    run: async () => {
      hanging.hang(true);
      await queueHanging(stage, context.isQuick ? 10 : HANGING_EVENTS);
      const times = await delays(stage);
      // The next round is to be alone: what waits is answered, retries too.
      hanging.hang(false);
      await untilSettled(stage);
      medians.beside.push(median(times));
      return quantile(times, 0.95);
    },
  };
  const alone = {
    name: 'p95 alone',
    run: async () => {
      const times = await delays(stage);
      medians.alone.push(median(times));
      return quantile(times, 0.95);
    },
  };
  const comparison = await compare(beside, alone, context.rounds, context.onRound);
  return {
    figure: 'from the answer to the receiver, p95',
    unit: 'ms',
    oursName: beside.name,
    bareName: alone.name,
    aim: { atMost: 1.2 },
    remarks: [
      `p50 beside ${show(median(medians.beside.slice(1)))} ms, alone ${show(median(medians.alone.slice(1)))} ms`,
    ],
    ...comparison,
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

async function queueHanging({ context, http, hanging, stuck }: Stage, count: number): Promise<void> {
  const before = hanging.count();
  const shipments: readonly MadeShipment[] = await makeShipments(context.deployment, http, stuck, count);
  await inParallel(CLIENTS, count, async (index) => {
    const shipment = shipments[index];
    if (shipment !== undefined) await move(http, stuck, shipment, JOURNEY[0]);
  });
  while (hanging.count() < before + count) await delay(20);
}

async function untilSettled({ context, stuck }: Stage): Promise<void> {
  while ((await countEvents(context, stuck, 'pending')) > 0) await delay(100);
}

async function countEvents({ deployment }: CaseContext, { id }: Organization, status: string) {
  const { rows } = await deployment.pool.query<{ total: number }>(
    'select count(*)::int as total from webhook_events where organization_id = $1 and status = $2',
    [id, status],
  );
  return rows[0]?.total ?? 0;
}

/** Every transition's event was delivered, at its first attempt. */
async function lostOrDoubled(context: CaseContext, organization: Organization): Promise<string[]> {
  while ((await countEvents(context, organization, 'pending')) > 0) await delay(50);
  const { rows } = await context.deployment.pool.query<{ wrong: number; total: number }>(
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
