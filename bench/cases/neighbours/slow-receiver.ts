import { setTimeout as delay } from 'node:timers/promises';
import type { BenchCase, CaseContext, Measurement } from '../../case.ts';
import type { Organization } from '../../cast.ts';
import { inParallel, JOURNEY, makeOrganization, makeShipments, move } from '../../cast.ts';
import { openHttp } from '../../http-client.ts';
import type { HttpClient } from '../../http-client.ts';
import { startWebhookReceiver } from '../../webhook-receiver.ts';

const EVENTS = 600;
const ANSWER_MS = 3_000;
const CLIENTS = 8;
const POLL_INTERVAL_MS = 200;
const MS_PER_SECOND = 1_000;

/** A receiver that takes three seconds for each answer gets every event exactly once. */
export const slowReceiver: BenchCase = {
  name: 'neighbour-slow',
  title: `${EVENTS} events to a receiver that takes ${ANSWER_MS / MS_PER_SECOND} s`,
  run: async (context) => {
    const receiver = await startWebhookReceiver(context.deployment.authority);
    const http = openHttp(context.deployment.baseUrl, CLIENTS);
    receiver.answerAfter(context.isQuick ? 200 : ANSWER_MS);
    try {
      const rounds: Round[] = [];
      for (let round = 0; round < context.rounds; round += 1) {
        const organization = await makeOrganization(context.deployment, receiver.url);
        rounds.push(await oneRound(context, http, organization));
      }
      return measurementsOf(rounds);
    } finally {
      await http.close();
      await receiver.close();
    }
  },
};

interface Round {
  readonly notOnce: number;
  readonly seconds: number;
}

function measurementsOf(rounds: readonly Round[]): Measurement[] {
  return [
    {
      figure: 'events that were not delivered by exactly one request',
      unit: 'events',
      aim: { atMost: 0 },
      rounds: rounds.map(({ notOnce }) => notOnce),
      voidBecause: [],
    },
    {
      figure: 'until all were delivered',
      unit: 's',
      aim: null,
      rounds: rounds.map(({ seconds }) => seconds),
      voidBecause: [],
    },
  ];
}

async function oneRound(
  { deployment, isQuick }: CaseContext,
  http: HttpClient,
  organization: Organization,
): Promise<Round> {
  const shipments = await makeShipments(
    deployment,
    http,
    organization,
    (isQuick ? 12 : EVENTS) / JOURNEY.length,
  );
  const begin = performance.now();
  await inParallel(CLIENTS, shipments.length, async (index) => {
    const shipment = shipments[index];
    if (shipment === undefined) throw new Error('there is no such shipment');
    for (const step of JOURNEY) await move(http, organization, shipment, step);
  });
  for (;;) {
    const { rows } = await deployment.pool.query<{ pending: number; once: number; total: number }>(
      `select count(*)::int as total, count(*) filter (where status = 'pending')::int as pending,
         count(*) filter (where status = 'delivered' and (select count(*) from webhook_attempts a where a.webhook_event_id = e.id) = 1)::int as once
       from webhook_events e where organization_id = $1`,
      [organization.id],
    );
    const { pending = 0, once = 0, total = 0 } = rows[0] ?? {};
    if (pending === 0 && total === shipments.length * JOURNEY.length) {
      return { notOnce: total - once, seconds: (performance.now() - begin) / MS_PER_SECOND };
    }
    await delay(POLL_INTERVAL_MS);
  }
}
