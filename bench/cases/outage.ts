import { setTimeout as delay } from 'node:timers/promises';
import type { BenchCase, CaseContext, Measurement } from '../case.ts';
import type { MadeShipment, Organization } from '../cast.ts';
import { JOURNEY, makeOrganization, makeShipments } from '../cast.ts';
import type { Deployment } from '../deployment.ts';
import { openHttp } from '../http-client.ts';
import type { HttpClient } from '../http-client.ts';
import { openLiveCommands } from '../live-commands.ts';
import type { LiveCommands } from '../live-commands.ts';
import { show } from '../report.ts';
import { median, quantile } from '../rounds.ts';
import { anyFreePort } from '../../dev/engines/ports.ts';

const OUTAGE_SECONDS = 120;
const COMMANDS_PER_SECOND = 15;
const QUIET_SECONDS = 20;
/** The moves that each shipment gets during the outage; the last two are left for a live dispatcher. */
const MOVES = JOURNEY.slice(0, 4);
const POLL_INTERVAL_MS = 100;
const MS_PER_SECOND = 1_000;
const GIVE_UP_SECONDS = 600;
const DRAINED_AIM_SECONDS = 60;
const LIVE_AIM_RATIO = 3;
/** More connections than commands can wait at a time. */
const CONNECTIONS = 400;
const LIVE_SHIPMENTS = 300;

/** Temporal is frozen while commands go on: how long after its return the last is decided, and what live commands pay. */
export const outage: BenchCase = {
  name: 'outage',
  title: `Temporal frozen for ${OUTAGE_SECONDS} s under ${COMMANDS_PER_SECOND} commands a second`,
  run: async (context) => {
    const http = openHttp(await startShippedApi(context.deployment), CONNECTIONS);
    try {
      return await measure(context, http);
    } finally {
      await http.close();
    }
  },
};

/** An API with the shipped COMMAND_WAIT_MS: how long signals are retried decides what waits for the return. */
async function startShippedApi({ startPart }: Deployment): Promise<string> {
  const port = await anyFreePort();
  const environment = { PORT: String(port), COMMAND_WAIT_MS: '5000' };
  await startPart({ name: 'shipped-api', script: 'api/main.ts', readyWhen: '"api ready"', environment });
  return `http://127.0.0.1:${port}`;
}

interface Round {
  readonly drainedSeconds: number;
  readonly quietMs: number;
  readonly liveMs: number;
  readonly liveP95Ms: number;
}

async function measure(context: CaseContext, http: HttpClient): Promise<readonly Measurement[]> {
  const rounds: Round[] = [];
  const faults: string[] = [];
  for (let round = 1; round <= context.rounds; round += 1) {
    const { organization, figures } = await oneRound(context, http);
    const { drainedSeconds, quietMs, liveMs } = figures;
    context.say(
      `  round ${round}: drained after ${show(drainedSeconds)} s, live ${show(liveMs)} of ${show(quietMs)} ms`,
    );
    rounds.push(figures);
    faults.push(...(await notApplied(context, organization)));
  }
  const live = rounds.map(({ liveMs, quietMs }) => liveMs / quietMs);
  return [
    {
      figure: 'all commands decided after the return of Temporal',
      unit: 's',
      aim: { atMost: DRAINED_AIM_SECONDS },
      rounds: rounds.map(({ drainedSeconds }) => drainedSeconds),
      voidBecause: faults,
    },
    {
      figure: 'live commands meanwhile, p50 through their quiet p50',
      unit: 'times',
      aim: { atMost: LIVE_AIM_RATIO },
      rounds: live,
      remarks: [
        `p50 ${show(median(rounds.map(({ liveMs }) => liveMs)))} ms, p95 ${show(median(rounds.map(({ liveP95Ms }) => liveP95Ms)))} ms, quiet p50 ${show(median(rounds.map(({ quietMs }) => quietMs)))} ms`,
      ],
      voidBecause: faults,
    },
  ];
}

async function oneRound(context: CaseContext, http: HttpClient) {
  const { deployment, isQuick } = context;
  const outageSeconds = isQuick ? 5 : OUTAGE_SECONDS;
  const count = outageSeconds * COMMANDS_PER_SECOND;
  const organization = await makeOrganization(deployment);
  const shipments = await makeShipments(deployment, http, organization, Math.ceil(count / MOVES.length));
  const live = await openLiveCommands(deployment, http, isQuick ? 60 : LIVE_SHIPMENTS);
  const quiet = await live.during(after(isQuick ? 2 : QUIET_SECONDS));
  const temporal = deployment.processes().find(({ name }) => name === 'temporal');
  if (temporal === undefined) throw new Error('the deployment has no process named temporal');
  process.kill(temporal.pid, 'SIGSTOP');
  const answers = await sendEvenly(http, organization, shipments).finally(() => {
    process.kill(temporal.pid, 'SIGCONT');
  });
  const drained = await watchDrain(context, organization, live);
  const refused = (await Promise.all(answers)).filter((status) => status !== 200 && status !== 202);
  if (refused.length > 0) throw new Error(`commands were answered ${refused.join(', ')}`);
  return {
    organization,
    figures: {
      drainedSeconds: drained.seconds,
      quietMs: quantile(quiet, 0.5),
      liveMs: quantile(drained.live, 0.5),
      liveP95Ms: quantile(drained.live, 0.95),
    } satisfies Round,
  };
}

/** Sends each shipment's moves in their order, at an even rate, without waiting for the answers: resolves to these. */
async function sendEvenly(
  http: HttpClient,
  organization: Organization,
  shipments: readonly MadeShipment[],
): Promise<readonly Promise<number>[]> {
  const moves = MOVES.flatMap((step) => shipments.map((shipment) => [shipment, step] as const));
  const begin = performance.now();
  const answers: Promise<number>[] = [];
  for (const [index, [shipment, [task, transition]]] of moves.entries()) {
    const dueAt = begin + (index / COMMANDS_PER_SECOND) * MS_PER_SECOND;
    await delay(Math.max(0, dueAt - performance.now()));
    const driver = transition === 'assign' ? { driver: `/api/v1/drivers/${organization.driverId}` } : {};
    const answer = http.send('POST', `${shipment[task]}/transition`, {
      token: organization.token,
      body: { transition, ...driver },
    });
    answers.push(answer.then(({ status }) => status));
  }
  return answers;
}

/** Sends live commands until nothing waits any more. */
async function watchDrain({ deployment }: CaseContext, organization: Organization, live: LiveCommands) {
  const returnedAt = performance.now();
  const state = { isDrained: false };
  const times = live.during(() => state.isDrained);
  for (;;) {
    const { rows } = await deployment.pool.query<{ waiting: number }>(
      `select count(*)::int as waiting from commands where organization_id = $1 and status = 'received'`,
      [organization.id],
    );
    const seconds = (performance.now() - returnedAt) / MS_PER_SECOND;
    if (seconds > GIVE_UP_SECONDS)
      throw new Error(`${rows[0]?.waiting ?? 0} commands waited for ${seconds} s`);
    if (rows[0]?.waiting === 0) {
      state.isDrained = true;
      return { seconds, live: await times };
    }
    await delay(POLL_INTERVAL_MS);
  }
}

function after(seconds: number): () => boolean {
  const end = performance.now() + seconds * MS_PER_SECOND;
  return () => performance.now() >= end;
}

/** Each command was applied: they were sent in an order in which the transition table allows each of them. */
async function notApplied({ deployment }: CaseContext, { id }: Organization): Promise<string[]> {
  const { rows } = await deployment.pool.query<{ applied: number; total: number }>(
    `select count(*)::int as total, count(*) filter (where status = 'applied')::int as applied
     from commands where organization_id = $1`,
    [id],
  );
  const { applied = 0, total = 0 } = rows[0] ?? {};
  return total > 0 && applied === total ? [] : [`${applied} of ${total} accepted commands were applied`];
}
