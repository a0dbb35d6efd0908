import { setTimeout as delay } from 'node:timers/promises';
import { openBareLoop } from '../bare-loop/client.ts';
import { bareStartRate } from '../bare-loop/start-rate.ts';
import type { BenchCase, CaseContext, Result } from '../case.ts';
import type { Organization } from '../cast.ts';
import { makeOrganization } from '../cast.ts';
import { describeCpu, readCpuTimes } from '../cpu.ts';
import type { HttpClient } from '../http-client.ts';
import { at, openHttp } from '../http-client.ts';
import { compare } from '../rounds.ts';
import { makeWorkbook, workbookRequest } from '../workbook.ts';

const ROWS = 5_000;
const BARE_STARTS = 2_000;
const POLL_INTERVAL_MS = 100;
const MS_PER_SECOND = 1_000;

/** How fast the runs of an imported workbook begin after its answer, on a service with nothing else to do. */
export const importStarts: BenchCase = {
  name: 'import-starts',
  title: 'Runs that begin after an import, against bare starts',
  run: async (context) => {
    const bare = await openBareLoop(context.deployment);
    const http = openHttp(context.deployment.baseUrl, 1);
    const rows = context.isQuick ? 100 : ROWS;
    const workbook = await makeWorkbook(rows);
    const ours = {
      name: `runs begun after an import of ${rows} rows`,
      run: async () => {
        const organization = await makeOrganization(context.deployment);
        return startRate(context, http, organization, workbook);
      },
    };
    const plain = {
      name: 'bare starts until all are inserted',
      run: () => bareStartRate(bare, context.isQuick ? 100 : BARE_STARTS),
    };
    try {
      const comparison = await compare(ours, plain, context.rounds, context.onRound);
      const result: Result = {
        figure: 'runs begun per second after an import',
        unit: '/s',
        oursName: ours.name,
        bareName: plain.name,
        aim: { atLeast: 0.7 },
        ...comparison,
        voidBecause: [
          ...comparison.voidBecause,
          ...((await bare.countRows()) === bare.asked() ? [] : ['bare inserts were lost']),
        ],
      };
      return [result];
    } finally {
      await http.close();
      await bare.close();
    }
  },
};

/** Imports the workbook and resolves to the runs begun per second, from the answer until the last one. */
async function startRate(
  { deployment, say }: CaseContext,
  http: HttpClient,
  organization: Organization,
  workbook: Uint8Array,
): Promise<number> {
  const { status, body } = await http.send('POST', '/shipments/import', {
    token: organization.token,
    ...workbookRequest(workbook),
  });
  const begin = performance.now();
  const created = Number(at(body, 'created'));
  if (status !== 200 || created !== at(body, 'total')) throw new Error(`an import was answered ${status}`);
  const parts = deployment.processes();
  const cpuBefore = readCpuTimes(parts);
  while ((await countNotBegun(deployment, organization)) > 0) await delay(POLL_INTERVAL_MS);
  const rate = created / ((performance.now() - begin) / MS_PER_SECOND);
  say(`    starts, ${describeCpu(cpuBefore, readCpuTimes(parts), created)}`);
  return rate;
}

async function countNotBegun({ pool }: CaseContext['deployment'], { id }: Organization): Promise<number> {
  const { rows } = await pool.query<{ total: number }>(
    'select count(*)::int as total from shipments where organization_id = $1 and workflow_started_at is null',
    [id],
  );
  return rows[0]?.total ?? 0;
}
