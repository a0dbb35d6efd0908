import { setTimeout as delay } from 'node:timers/promises';
import type { BenchCase, CaseContext, Result } from '../../case.ts';
import { makeOrganization } from '../../cast.ts';
import { at, openHttp } from '../../http-client.ts';
import type { HttpClient } from '../../http-client.ts';
import { openLiveCommands } from '../../live-commands.ts';
import { show } from '../../report.ts';
import { compare, median, quantile } from '../../rounds.ts';
import { makeWorkbook, workbookRequest } from '../../workbook.ts';

const ROWS = 3_000;
const ALONE_SECONDS = 20;
const LIVE_SHIPMENTS = 400;
const POLL_INTERVAL_MS = 200;
const MS_PER_SECOND = 1_000;

/** What another organization's transitions pay while a workbook is imported and its workflows start. */
export const importNeighbour: BenchCase = {
  name: 'neighbour-import',
  title: `Transitions next to an import of ${ROWS} rows and the start of its workflows`,
  run: async (context) => {
    const http = openHttp(context.deployment.baseUrl, 4);
    try {
      return [await measure(context, http)];
    } finally {
      await http.close();
    }
  },
};

async function measure(context: CaseContext, http: HttpClient): Promise<Result> {
  const { deployment, isQuick } = context;
  const workbook = await makeWorkbook(isQuick ? 100 : ROWS);
  const seconds: number[] = [];
  const during = async (isOver: () => boolean): Promise<number> => {
    const live = await openLiveCommands(deployment, http, isQuick ? 100 : LIVE_SHIPMENTS);
    return quantile(await live.during(isOver), 0.5);
  };
  const next = {
    name: 'p50 next to the import',
    run: async () => {
      const state = { isOver: false };
      const p50 = during(() => state.isOver);
      const begin = performance.now();
      await importAndStart(context, http, workbook).finally(() => {
        state.isOver = true;
      });
      seconds.push((performance.now() - begin) / MS_PER_SECOND);
      return p50;
    },
  };
  const alone = {
    name: 'p50 alone',
    run: () => {
      const end = performance.now() + (isQuick ? 2 : ALONE_SECONDS) * MS_PER_SECOND;
      return during(() => performance.now() >= end);
    },
  };
  const comparison = await compare(next, alone, context.rounds, context.onRound);
  return {
    figure: 'transitions of another organization, p50',
    unit: 'ms',
    oursName: next.name,
    bareName: alone.name,
    aim: { atMost: 2 },
    remarks: [`all workflows had begun ${show(median(seconds))} s after the request`],
    ...comparison,
  };
}

async function importAndStart(
  { deployment }: CaseContext,
  http: HttpClient,
  workbook: Uint8Array,
): Promise<void> {
  const { id, token } = await makeOrganization(deployment);
  const { status, body } = await http.send('POST', '/shipments/import', {
    token,
    ...workbookRequest(workbook),
  });
  if (status !== 200 || at(body, 'created') !== at(body, 'total'))
    throw new Error(`an import was answered ${status}`);
  for (;;) {
    const { rows } = await deployment.pool.query<{ open: number }>(
      'select count(*)::int as open from shipments where organization_id = $1 and workflow_started_at is null',
      [id],
    );
    if (rows[0]?.open === 0) return;
    await delay(POLL_INTERVAL_MS);
  }
}
