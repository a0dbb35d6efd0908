import ExcelJS from 'exceljs';
import { COLUMNS } from '../../../api/shipments/import/columns.ts';
import type { BenchCase, CaseContext, Result } from '../../case.ts';
import { makeOrganization } from '../../cast.ts';
import { openHttp } from '../../http-client.ts';
import type { HttpClient } from '../../http-client.ts';
import { compare, median } from '../../rounds.ts';
import { makeWorkbook, workbookRequest } from '../../workbook.ts';

const ROWS = 50;
const IMPORTS_EACH_ROUND = 15;
const HOSTILE_ROWS = 100;
const HOSTILE_TEXT = ';a'.repeat(15_000);

/** Another organization's import next to workbooks of a few kB that take long to check. */
export const workbookNeighbour: BenchCase = {
  name: 'neighbour-workbook',
  title: `An import of ${ROWS} rows next to workbooks that are made to take long, one after the other`,
  run: async (context) => {
    const http = openHttp(context.deployment.baseUrl, 4);
    try {
      return [await measure(context, http)];
    } finally {
      await http.close();
    }
  },
};

async function measure({ deployment, rounds, onRound }: CaseContext, http: HttpClient): Promise<Result> {
  const hostile = workbookRequest(await makeHostileWorkbook());
  const workbook = workbookRequest(await makeWorkbook(ROWS));
  const importOnce = async (): Promise<number> => {
    const { token } = await makeOrganization(deployment);
    const begin = performance.now();
    const { status } = await http.send('POST', '/shipments/import', { token, ...workbook });
    if (status !== 200) throw new Error(`an import was answered ${status}`);
    return performance.now() - begin;
  };
  const imports = async (): Promise<number> => {
    const times: number[] = [];
    while (times.length < IMPORTS_EACH_ROUND) times.push(await importOnce());
    return median(times);
  };
  const next = {
    name: 'import next to them',
    run: async () => {
      const state = { isOver: false };
      const { token } = await makeOrganization(deployment);
      const loop = async (): Promise<void> => {
        while (!state.isOver) await http.send('POST', '/shipments/import', { token, ...hostile });
      };
      const looping = loop();
      const time = await imports();
      state.isOver = true;
      await looping;
      return time;
    },
  };
  const alone = { name: 'import alone', run: imports };
  const comparison = await compare(next, alone, rounds, onRound);
  return {
    figure: `an import of ${ROWS} rows`,
    unit: 'ms',
    oursName: next.name,
    bareName: alone.name,
    aim: { atMost: 1.5 },
    ...comparison,
  };
}

/** Rows whose handling options are thousands of values that do not exist; packed they are a few kB. */
async function makeHostileWorkbook(): Promise<Uint8Array> {
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet('Shipments');
  sheet.addRow(COLUMNS.map(({ header }) => header));
  for (let row = 0; row < HOSTILE_ROWS; row += 1) {
    sheet.addRow(
      COLUMNS.map(({ header, example }) => (header === 'handling_options' ? HOSTILE_TEXT : example || null)),
    );
  }
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}
