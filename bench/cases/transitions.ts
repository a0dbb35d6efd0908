import { openBareLoop } from '../bare-loop/client.ts';
import type { BareLoop } from '../bare-loop/client.ts';
import type { BenchCase, CaseContext, Result } from '../case.ts';
import type { MadeShipment, Organization } from '../cast.ts';
import { inParallel, JOURNEY, makeOrganization, makeShipments, move } from '../cast.ts';
import type { HttpClient } from '../http-client.ts';
import { describeCpu, readCpuTimes } from '../cpu.ts';
import { openHttp } from '../http-client.ts';
import { compare, median } from '../rounds.ts';

const CLIENTS = 30;
const MS_PER_SECOND = 1_000;

/**
 * Transitions through HTTP against a bare loop on the same server. Both sides move things that were
 * started before the clock; six moves each, the last of which ends the run.
 */
export const transitions: BenchCase = {
  name: 'transitions',
  title: 'Transitions through HTTP against a signal, one activity, one insert',
  run: async (context) => {
    const bare = await openBareLoop(context.deployment);
    const http = openHttp(context.deployment.baseUrl, CLIENTS);
    const organization = await makeOrganization(context.deployment);
    const stage = { context, bare, http, organization };
    try {
      const rate = await throughput(stage);
      const latency = await latencyOfOne(stage);
      const faults = [...(await lostOrDoubled(stage)), ...(await lostInserts(bare))];
      return [rate, latency].map((result) => ({
        ...result,
        voidBecause: [...result.voidBecause, ...faults],
      }));
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
  readonly organization: Organization;
}

async function throughput({ context, bare, http, organization }: Stage): Promise<Result> {
  const shipments = CLIENTS * (context.isQuick ? 1 : 4);
  const moves = shipments * JOURNEY.length;
  const ours = {
    name: `HTTP, ${CLIENTS} clients`,
    run: async () => {
      const made = await makeShipments(context.deployment, http, organization, shipments);
      return watched(context, 'HTTP', moves, () =>
        inParallel(CLIENTS, shipments, (index) => journey(http, organization, made[index])),
      );
    },
  };
  const plain = {
    name: `bare loop, ${CLIENTS} clients`,
    run: async () => {
      const runs = await startedRuns(bare, shipments);
      return watched(context, 'bare', moves, () =>
        inParallel(CLIENTS, shipments, (index) => bareJourney(bare, runs[index])),
      );
    },
  };
  const comparison = await compare(ours, plain, context.rounds, context.onRound);
  return {
    figure: `transitions per second at ${CLIENTS} clients`,
    unit: '/s',
    oursName: ours.name,
    bareName: plain.name,
    aim: { atLeast: 0.8 },
    ...comparison,
  };
}

/** Moves per second, and a line about who used the CPU meanwhile. */
async function watched(
  { deployment, say }: CaseContext,
  name: string,
  moves: number,
  work: () => Promise<void>,
): Promise<number> {
  const parts = deployment.processes();
  const before = readCpuTimes(parts);
  const begin = performance.now();
  await work();
  const seconds = (performance.now() - begin) / MS_PER_SECOND;
  say(`    ${name}, ${describeCpu(before, readCpuTimes(parts), moves)}`);
  return moves / seconds;
}

async function latencyOfOne({ context, bare, http, organization }: Stage): Promise<Result> {
  const shipments = context.isQuick ? 3 : 25;
  const ours = {
    name: 'HTTP, one client',
    run: async () => {
      const made = await makeShipments(context.deployment, http, organization, shipments);
      const times: number[] = [];
      for (const shipment of made) await journey(http, organization, shipment, times);
      return median(times);
    },
  };
  const plain = {
    name: 'bare loop, one client',
    run: async () => {
      const times: number[] = [];
      for (const run of await startedRuns(bare, shipments)) await bareJourney(bare, run, times);
      return median(times);
    },
  };
  const comparison = await compare(ours, plain, context.rounds, context.onRound);
  return {
    figure: 'median latency of one client',
    unit: 'ms',
    oursName: ours.name,
    bareName: plain.name,
    aim: { atMost: 1.5 },
    ...comparison,
  };
}

async function journey(
  http: HttpClient,
  organization: Organization,
  shipment: MadeShipment | undefined,
  times: number[] = [],
): Promise<void> {
  if (shipment === undefined) throw new Error('there are fewer shipments than moves');
  for (const step of JOURNEY) {
    const begin = performance.now();
    await move(http, organization, shipment, step);
    times.push(performance.now() - begin);
  }
}

async function bareJourney(bare: BareLoop, run: string | undefined, times: number[] = []): Promise<void> {
  if (run === undefined) throw new Error('there are fewer runs than moves');
  let left: number = JOURNEY.length;
  while (left > 0) {
    const begin = performance.now();
    await bare.move(run);
    times.push(performance.now() - begin);
    left -= 1;
  }
}

/** Runs whose first task is done: an insert before the clock, so that both sides move what runs already. */
async function startedRuns(bare: BareLoop, count: number): Promise<string[]> {
  const runs: string[] = [];
  await inParallel(8, count, async () => {
    const run = await bare.start(JOURNEY.length + 1);
    await bare.move(run);
    runs.push(run);
  });
  return runs;
}

/** Each shipment has its six transitions, each once and in order, and nothing waits. */
async function lostOrDoubled({ context, organization }: Stage): Promise<string[]> {
  const { rows } = await context.deployment.pool.query<{ wrong: number; waiting: number; total: number }>(
    `select count(*)::int as total,
       count(*) filter (where moves is distinct from $2::text[] or status <> 'delivered')::int as wrong,
       (select count(*)::int from commands where organization_id = $1 and status <> 'applied') as waiting
     from (select s.status, (select array_agg(t.transition order by t.sequence) from timeline_entries t
             where t.shipment_id = s.id and t.kind = 'transition') as moves
           from shipments s where s.organization_id = $1) journeys`,
    [organization.id, JOURNEY.map(([, transition]) => transition)],
  );
  const { wrong = 0, waiting = 0, total = 0 } = rows[0] ?? {};
  const faults: string[] = [];
  if (total === 0) faults.push('the check found no shipment');
  if (wrong > 0) faults.push(`${wrong} of ${total} shipments have lost or doubled transitions`);
  if (waiting > 0) faults.push(`${waiting} commands were not applied`);
  return faults;
}

async function lostInserts(bare: BareLoop): Promise<string[]> {
  const found = await bare.countRows();
  return found === bare.asked() ? [] : [`the bare loop inserted ${found} rows for ${bare.asked()} signals`];
}
