import { setTimeout as delay } from 'node:timers/promises';
import { openBareLoop } from '../bare-loop/client.ts';
import type { BareLoop } from '../bare-loop/client.ts';
import { bareStartRate } from '../bare-loop/start-rate.ts';
import type { BenchCase, CaseContext, Measurement } from '../case.ts';
import type { Organization } from '../cast.ts';
import { makeOrganization, SHIPMENT_BODY } from '../cast.ts';
import { describeCpu, readCpuTimes } from '../cpu.ts';
import { openHttp, textAt } from '../http-client.ts';
import type { HttpClient } from '../http-client.ts';
import { show } from '../report.ts';
import { median, quantile } from '../rounds.ts';

const SHARE_OF_BARE_RATE = 0.75;
const HOLD_SECONDS = 60;
/** Below the shipped limit of 100 a minute, so that each organization stays within it. */
const CREATES_PER_ORGANIZATION_MINUTE = 90;
const CONNECTIONS = 100;
const POLL_INTERVAL_MS = 25;
const MS_PER_SECOND = 1_000;
const SECONDS_PER_MINUTE = 60;
const CREATED_AIM_MS = 2_000;
const ACCEPT_AIM_MS = 100;

/**
 * External creates at three quarters of the rate at which the machine starts bare workflows, held for a minute: how long
 * after its 202 each shipment exists, and how long the 202 takes. Requests are sent by the clock, whatever is still open.
 */
export const createdSoon: BenchCase = {
  name: 'created-soon',
  title: `External creates at ${SHARE_OF_BARE_RATE} of the bare start rate, held for ${HOLD_SECONDS} s`,
  run: async (context) => {
    const bare = await openBareLoop(context.deployment);
    const http = openHttp(context.deployment.baseUrl, CONNECTIONS);
    try {
      return await measure({ context, bare, http });
    } finally {
      await http.close();
      await bare.close();
    }
  },
};

interface Stage {
  readonly context: CaseContext;
  readonly bare: BareLoop;
  readonly http: HttpClient;
}

/** One round: the rates, and the times of all its creates in ms. */
interface Round {
  readonly bareRate: number;
  readonly rate: number;
  readonly ids: readonly string[];
  readonly accepts: readonly number[];
  readonly creations: readonly number[];
}

async function measure(stage: Stage): Promise<readonly Measurement[]> {
  const { context, bare } = stage;
  const rounds: Round[] = [];
  for (let round = 0; round <= context.rounds; round += 1) {
    const held = await holdRound(stage);
    const figures = `${show(held.rate)} /s of ${show(held.bareRate)}, existing p95 ${show(quantile(held.creations, 0.95))} ms`;
    context.say(`  ${round === 0 ? 'warm-up' : `round ${round}`}: ${figures}`);
    rounds.push(held);
  }
  const counted = rounds.slice(1);
  const allIds = rounds.flatMap(({ ids }) => ids);
  const voidBecause = [
    ...(await lostOrDoubled(context, allIds)),
    ...((await bare.countRows()) === bare.asked() ? [] : ['bare inserts were lost']),
  ];
  const each = (figure: (round: Round) => number): number[] => counted.map(figure);
  const rates = `${show(median(each(({ rate }) => rate)))} creates a second, bare starts ${show(median(each(({ bareRate }) => bareRate)))} a second`;
  return [
    {
      figure: 'from the 202 until the shipment exists, p95',
      unit: 'ms',
      aim: { atMost: CREATED_AIM_MS },
      rounds: each(({ creations }) => quantile(creations, 0.95)),
      remarks: [
        rates,
        `p50 ${show(median(each(({ creations }) => quantile(creations, 0.5))))} ms, at most ${show(Math.max(...each(({ creations }) => Math.max(...creations))))} ms`,
      ],
      voidBecause,
    },
    {
      figure: 'accepted, p99',
      unit: 'ms',
      aim: { atMost: ACCEPT_AIM_MS },
      rounds: each(({ accepts }) => quantile(accepts, 0.99)),
      remarks: [`p50 ${show(median(each(({ accepts }) => quantile(accepts, 0.5))))} ms`],
      voidBecause,
    },
  ];
}

async function holdRound(stage: Stage): Promise<Round> {
  const { context, bare } = stage;
  const seconds = context.isQuick ? 2 : HOLD_SECONDS;
  const bareRate = await bareStartRate(bare, context.isQuick ? 40 : 800);
  const rate = SHARE_OF_BARE_RATE * bareRate;
  const organizations: Organization[] = [];
  const needed = Math.ceil((rate * SECONDS_PER_MINUTE) / CREATES_PER_ORGANIZATION_MINUTE);
  while (organizations.length < needed) organizations.push(await makeOrganization(context.deployment));
  const parts = context.deployment.processes();
  const cpuBefore = readCpuTimes(parts);
  const held = await hold(stage, organizations, rate, Math.floor(rate * seconds));
  context.say(`    creates, ${describeCpu(cpuBefore, readCpuTimes(parts), held.ids.length)}`);
  return { bareRate, rate, ...held };
}

/** Sends `count` creates at an even rate, and waits until all of them exist. */
async function hold(
  { context, http }: Stage,
  organizations: readonly Organization[],
  rate: number,
  count: number,
): Promise<Pick<Round, 'ids' | 'accepts' | 'creations'>> {
  const watch = watchCreations(context);
  const accepts: number[] = [];
  const begin = performance.now();
  const create = async (index: number): Promise<string> => {
    const organization = organizations[index % organizations.length];
    if (organization === undefined) throw new Error('there is no organization');
    const dueAt = begin + (index / rate) * MS_PER_SECOND;
    await delay(Math.max(0, dueAt - performance.now()));
    const { status, body } = await http.send('POST', '/external/shipments', {
      key: organization.apiKey,
      body: SHIPMENT_BODY,
    });
    // From the moment it was due: a client that is held up does not make the service look quicker.
    accepts.push(performance.now() - dueAt);
    if (status !== 202) throw new Error(`a create was answered ${status}`);
    const id = textAt(body, 'id');
    watch.add(id);
    return id;
  };
  const ids = await Promise.all(Array.from({ length: count }, (_, index) => create(index)));
  return { ids, accepts, creations: await watch.done() };
}

/** Polls until each of the ids is a shipment, and keeps the times in ms. */
function watchCreations({ deployment }: CaseContext) {
  const acceptedAt = new Map<string, number>();
  const times: number[] = [];
  const state = { isComplete: false };
  const poll = async (): Promise<void> => {
    while (!state.isComplete || acceptedAt.size > 0) {
      const { rows } = await deployment.pool.query<{ id: string }>({
        name: 'existing_shipments',
        text: 'select id from shipments where id = any($1::uuid[])',
        values: [[...acceptedAt.keys()]],
      });
      const now = performance.now();
      for (const { id } of rows) {
        times.push(now - (acceptedAt.get(id) ?? now));
        acceptedAt.delete(id);
      }
      await delay(POLL_INTERVAL_MS);
    }
  };
  const polling = poll();
  return {
    add: (id: string) => void acceptedAt.set(id, performance.now()),
    done: async (): Promise<readonly number[]> => {
      state.isComplete = true;
      await polling;
      return times;
    },
  };
}

/** Each accepted request is one shipment with one delivery task and one entry of its creation. */
async function lostOrDoubled({ deployment }: CaseContext, ids: readonly string[]): Promise<string[]> {
  const { rows } = await deployment.pool.query<{ whole: number }>(
    `select count(*)::int as whole from shipments s where id = any($1::uuid[])
       and (select count(*) from tasks t where t.shipment_id = s.id) = 1
       and (select count(*) from timeline_entries e where e.shipment_id = s.id) = 1`,
    [ids],
  );
  const isWhole = rows[0]?.whole === ids.length && new Set(ids).size === ids.length;
  return isWhole ? [] : [`${rows[0]?.whole ?? 0} of ${ids.length} creates came out whole`];
}
