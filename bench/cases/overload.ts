import { spawn } from 'node:child_process';
import type { BenchCase, CaseContext, Result } from '../case.ts';
import type { MadeShipment, Organization } from '../cast.ts';
import { inParallel, JOURNEY, makeOrganization, makeShipments, move } from '../cast.ts';
import { openHttp } from '../http-client.ts';
import type { HttpClient } from '../http-client.ts';
import { show } from '../report.ts';
import { compare, quantile } from '../rounds.ts';

const CLIENTS = 30;
/** Numbers of clients among which the best rate is found. */
const CLIENTS_AT_PEAK = [4, 8, 15] as const;
const SHIPMENTS_PER_CLIENT = 6;
const MS_PER_SECOND = 1_000;

/** Thirty clients without a pause while another process uses one core, against the best rate under the same handicap. */
export const overload: BenchCase = {
  name: 'overload',
  title: `${CLIENTS} clients without a pause next to a process that uses one core, against its own peak`,
  run: async (context) => {
    const http = openHttp(context.deployment.baseUrl, CLIENTS);
    const burner = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    try {
      return [await measure(context, http)];
    } finally {
      burner.kill('SIGKILL');
      await http.close();
    }
  },
};

async function measure(context: CaseContext, http: HttpClient): Promise<Result> {
  const organization = await makeOrganization(context.deployment);
  const at = (clients: number) => rateOf({ context, http, organization }, clients);
  const overloaded = { name: `${CLIENTS} clients`, run: () => at(CLIENTS) };
  const peak = {
    name: `the best of ${CLIENTS_AT_PEAK.join(', ')} clients`,
    run: async () => {
      const rates: number[] = [];
      for (const clients of CLIENTS_AT_PEAK) rates.push(await at(clients));
      return Math.max(...rates);
    },
  };
  const comparison = await compare(overloaded, peak, context.rounds, context.onRound);
  return {
    figure: 'transitions per second under overload',
    unit: '/s',
    oursName: overloaded.name,
    bareName: peak.name,
    aim: { atLeast: 0.8 },
    ...comparison,
    voidBecause: [...comparison.voidBecause, ...(await notApplied(context, organization))],
  };
}

interface Stage {
  readonly context: CaseContext;
  readonly http: HttpClient;
  readonly organization: Organization;
}

async function rateOf({ context, http, organization }: Stage, clients: number): Promise<number> {
  const count = context.isQuick ? clients : CLIENTS * SHIPMENTS_PER_CLIENT;
  const shipments = await makeShipments(context.deployment, http, organization, count);
  const times: number[] = [];
  const begin = performance.now();
  await inParallel(clients, shipments.length, (index) =>
    journey(http, organization, shipments[index], times),
  );
  const rate = times.length / ((performance.now() - begin) / MS_PER_SECOND);
  context.say(
    `    ${clients} clients: ${show(rate)} /s, p50 ${show(quantile(times, 0.5))}, p99 ${show(quantile(times, 0.99))}, at most ${show(Math.max(...times))} ms`,
  );
  return rate;
}

async function journey(
  http: HttpClient,
  organization: Organization,
  shipment: MadeShipment | undefined,
  times: number[],
): Promise<void> {
  if (shipment === undefined) throw new Error('there is no such shipment');
  for (const step of JOURNEY) {
    const begin = performance.now();
    await move(http, organization, shipment, step);
    times.push(performance.now() - begin);
  }
}

async function notApplied({ deployment }: CaseContext, { id }: Organization): Promise<string[]> {
  const { rows } = await deployment.pool.query<{ waiting: number }>(
    `select count(*)::int as waiting from commands where organization_id = $1 and status <> 'applied'`,
    [id],
  );
  return rows[0]?.waiting === 0 ? [] : [`${rows[0]?.waiting ?? 0} commands were not applied`];
}
