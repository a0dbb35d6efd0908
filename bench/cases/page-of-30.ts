import type { BenchCase, CaseContext, Result } from '../case.ts';
import { makeOrganization } from '../cast.ts';
import { BARE_PAGE_SQL } from '../bare-page.ts';
import { describeCpu, readCpuTimes } from '../cpu.ts';
import { openHttp } from '../http-client.ts';
import type { HttpClient } from '../http-client.ts';
import { makeManyShipments } from '../many-shipments.ts';
import { compare } from '../rounds.ts';
import type { Side } from '../rounds.ts';
import { anyFreePort } from '../../dev/engines/ports.ts';

const CLIENTS = 8;
const PAGE_SIZE = 30;
const SHIPMENTS = 20_000;
const MS_PER_SECOND = 1_000;

/** A page of 30 shipments through HTTP against its bare SQL, and against Koa with bare SQL. */
export const pageOf30: BenchCase = {
  name: 'page',
  title: `A page of ${PAGE_SIZE} of ${SHIPMENTS} shipments, ${CLIENTS} clients; the bare sides do not count the rest`,
  run: async (context) => {
    const { deployment } = context;
    const { id, token } = await makeOrganization(deployment);
    await makeManyShipments(deployment, id, 'PAGE', context.isQuick ? 1_000 : SHIPMENTS);
    const port = await anyFreePort();
    await deployment.startPart({
      name: 'bare-koa',
      script: 'bench/bare-koa.ts',
      readyWhen: 'bare koa ready',
      environment: { BARE_PORT: String(port) },
    });
    const service = openHttp(deployment.baseUrl, CLIENTS);
    const bareKoa = openHttp(`http://127.0.0.1:${port}`, CLIENTS);
    try {
      const ours = sideOf(context, 'the service', () => page(service, '/shipments', token));
      const koa = sideOf(context, 'Koa with bare SQL', () => page(bareKoa, `/api?organization=${id}`));
      const sql = sideOf(context, 'bare SQL', async () => {
        const { rows } = await deployment.pool.query({
          name: 'page',
          text: BARE_PAGE_SQL,
          values: [id, PAGE_SIZE, 0],
        });
        if (rows.length !== PAGE_SIZE) throw new Error(`the bare page has ${rows.length} rows`);
      });
      return [await compared(context, ours, koa, { atLeast: 0.6 }), await compared(context, ours, sql, null)];
    } finally {
      await service.close();
      await bareKoa.close();
    }
  },
};

async function compared(context: CaseContext, ours: Side, bare: Side, aim: Result['aim']): Promise<Result> {
  const comparison = await compare(ours, bare, context.rounds, context.onRound);
  return {
    figure: 'pages per second',
    unit: '/s',
    oursName: ours.name,
    bareName: bare.name,
    aim,
    ...comparison,
  };
}

/** A side that asks in a closed loop for some seconds. */
function sideOf(context: CaseContext, name: string, ask: () => Promise<void>): Side {
  const roundMs = context.isQuick ? 500 : 2_000;
  return {
    name,
    run: async () => {
      const parts = context.deployment.processes();
      const cpuBefore = readCpuTimes(parts);
      const begin = performance.now();
      let asked = 0;
      const lane = async (): Promise<void> => {
        while (performance.now() - begin < roundMs) {
          await ask();
          asked += 1;
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, lane));
      context.say(`    ${name}, ${describeCpu(cpuBefore, readCpuTimes(parts), asked)}`);
      return asked / ((performance.now() - begin) / MS_PER_SECOND);
    },
  };
}

async function page(http: HttpClient, path: string, token?: string): Promise<void> {
  const { status, body } = await http.send('GET', path, token === undefined ? {} : { token });
  const hasPage = typeof body === 'object' && body !== null && 'member' in body && Array.isArray(body.member);
  if (status !== 200 || !hasPage) throw new Error(`the page answered ${status}`);
}
