import type { BenchCase } from '../../case.ts';
import { makeTeam } from '../../cast.ts';
import { repeatDuring, timesOf } from '../../pace.ts';
import { median } from '../../rounds.ts';
import { importWorkbook, makeWorkbook } from '../../workbook.ts';

const ROWS = 50;
const NEXT_TO = 'an import next to them';
const ALONE = 'an import alone';
const IMPORTS_EACH_ROUND = 15;
const HOSTILE_ROWS = 100;
/** Thousands of handling options that do not exist; packed the workbook is a few kB. */
const HOSTILE_TEXT = ';a'.repeat(15_000);

/** Another organization's import next to workbooks of a few kB that take long to check. */
export const workbookNeighbour: BenchCase = {
  name: 'neighbour-workbook',
  title: `An import of ${ROWS} rows next to workbooks that are made to take long, one after the other`,
  figures: [{ of: NEXT_TO, unit: 'ms', through: ALONE, aim: { atMost: 1.5 } }],
  open: async (context) => {
    const { deployment } = context;
    const http = context.http({ connections: 4 });
    const workbook = await makeWorkbook(ROWS);
    const { request } = await makeWorkbook(HOSTILE_ROWS, { handling_options: HOSTILE_TEXT });
    const importMs = async (): Promise<number> => {
      const times: number[] = [];
      while (times.length < IMPORTS_EACH_ROUND) {
        const team = await makeTeam(deployment);
        times.push(...(await timesOf(1, () => importWorkbook(http, team, workbook))));
      }
      return median(times);
    };
    return {
      sides: [
        async () => {
          const { token } = await makeTeam(deployment);
          const hostile = () => http.send('POST', '/shipments/import', { token, ...request });
          return { [NEXT_TO]: await repeatDuring(importMs(), hostile) };
        },
        async () => ({ [ALONE]: await importMs() }),
      ],
    };
  },
};
