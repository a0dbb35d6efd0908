import { setTimeout as delay } from 'node:timers/promises';
import { openBareLoop } from '../bare-loop/client.ts';
import type { BareLoop } from '../bare-loop/client.ts';
import type { BenchCase, CaseContext, Result } from '../case.ts';
import type { Organization } from '../cast.ts';
import { inParallel, makeOrganization, SHIPMENT_BODY } from '../cast.ts';
import { describeCpu, readCpuTimes } from '../cpu.ts';
import { openHttp, textAt } from '../http-client.ts';
import type { HttpClient } from '../http-client.ts';
import { compare, median, quantile } from '../rounds.ts';
import { show } from '../report.ts';

const ORGANIZATIONS = 10;
const CLIENTS = 20;
const MS_PER_SECOND = 1_000;
const LOOK_EVERY_MS = 25;
const ACCEPT_AIM_MS = 100;

/**
 * Issue 4, 1 (c): a burst of external creates, from the first request until every shipment exists and has a run,
 * against bare starts, from the first until every insert is there.
 */
export const creates: BenchCase = {
  name: 'creates',
  title: `A burst of external creates by ${CLIENTS} clients of ${ORGANIZATIONS} organizations`,
  run: async (context) => {
    const bare = await openBareLoop(context.deployment);
    const http = openHttp(context.deployment.baseUrl, CLIENTS);
    const organizations: Organization[] = [];
    for (let made = 0; made < ORGANIZATIONS; made += 1)
      organizations.push(await makeOrganization(context.deployment));
    try {
      return [await drained({ context, bare, http, organizations })];
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
  readonly organizations: readonly Organization[];
}

async function drained(stage: Stage): Promise<Result> {
  const { context, bare } = stage;
  const count = context.isQuick ? 50 : 1_000;
  const accepts: number[][] = [];
  const acceptRates: number[] = [];
  const ids: string[] = [];
  const ours = {
    name: 'external creates until all have a run',
    run: async () => {
      const parts = context.deployment.processes();
      const cpuBefore = readCpuTimes(parts);
      const begin = performance.now();
      const burst = await acceptBurst(stage, count);
      context.say(`    accepts, ${describeCpu(cpuBefore, readCpuTimes(parts), count)}`);
      acceptRates.push(count / ((performance.now() - begin) / MS_PER_SECOND));
      await untilCount(count, () => countRunning(context, burst.ids));
      accepts.push(burst.times);
      ids.push(...burst.ids);
      return count / ((performance.now() - begin) / MS_PER_SECOND);
    },
  };
  const plain = {
    name: 'bare starts until all are inserted',
    run: async () => {
      const before = await bare.countRows();
      const begin = performance.now();
      await inParallel(CLIENTS, count, () => bare.startOnce());
      await untilCount(before + count, () => bare.countRows());
      return count / ((performance.now() - begin) / MS_PER_SECOND);
    },
  };
  const comparison = await compare(ours, plain, context.rounds, context.onRound);
  const p99s = accepts.slice(1).map((times) => quantile(times, 0.99));
  const isPrompt = median(p99s) <= ACCEPT_AIM_MS;
  return {
    figure: `creates per second of a burst of ${count}`,
    unit: '/s',
    oursName: ours.name,
    bareName: plain.name,
    aim: { atLeast: 0.8 },
    remarks: [
      `accepted: p50 ${show(median(accepts.slice(1).flat()))} ms, p99 ${show(median(p99s))} ms (rounds ${p99s.map(show).join(' ')}), aim at most ${ACCEPT_AIM_MS} ms: ${isPrompt ? 'met' : 'NOT MET'}; ${show(median(acceptRates.slice(1)))} accepted per second`,
    ],
    ...comparison,
    voidBecause: [
      ...comparison.voidBecause,
      ...(await lostOrDoubled(context, ids)),
      ...((await bare.countRows()) === bare.asked() ? [] : ['bare inserts were lost']),
    ],
  };
}

async function acceptBurst(
  { http, organizations }: Stage,
  count: number,
): Promise<{ readonly ids: string[]; readonly times: number[] }> {
  const ids: string[] = [];
  const times: number[] = [];
  await inParallel(CLIENTS, count, async (index) => {
    const organization = organizations[index % organizations.length];
    if (organization === undefined) throw new Error('there is no organization');
    const begin = performance.now();
    const answer = await http.send('POST', '/external/shipments', {
      key: organization.apiKey,
      body: SHIPMENT_BODY,
    });
    times.push(performance.now() - begin);
    if (answer.status !== 202) throw new Error(`a create was answered ${answer.status}`);
    ids.push(textAt(answer.body, 'id'));
  });
  return { ids, times };
}

async function untilCount(count: number, look: () => Promise<number>): Promise<void> {
  while ((await look()) < count) await delay(LOOK_EVERY_MS);
}

async function countRunning({ deployment }: CaseContext, ids: readonly string[]): Promise<number> {
  const { rows } = await deployment.pool.query<{ running: number }>(
    `select count(*)::int as running from shipments where id = any($1::uuid[]) and run_seen_at is not null`,
    [ids],
  );
  return rows[0]?.running ?? 0;
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
