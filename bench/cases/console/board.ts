import { gunzipSync } from 'node:zlib';
import { Pool } from 'undici';
import { at, listAt } from '../../../test/harness/json.ts';
import { makeBoardDay, makeEndedTasks } from '../../board-day.ts';
import type { BenchCase } from '../../case.ts';
import { makeTeam } from '../../cast.ts';
import { makeManyShipments, settleDatabase } from '../../many-shipments.ts';
import { startOwnApi } from '../../own-api.ts';
import { timesOf } from '../../pace.ts';
import { quantilesOf } from '../../rounds.ts';

const SHIPMENTS_OF_THE_DAY = 5_000;
const MANY = 1_000_000;
const BOARDS_IN_A_ROUND = 30;
const BYTES_PER_KB = 1_000;
const TIME = 'the board of 10,000 tasks';
const SIZE = 'its answer as gzip';
const HELD = 'the event loop meanwhile, CPU time at a stretch';
const HELD_BY_CLOCK = 'the same, by the clock';

/** A day of 10,000 tasks in an organization with a million shipments: its time, its size, how long it holds the process. */
export const consoleBoard: BenchCase = {
  name: 'console-board',
  title: 'GET /board of 10,000 tasks in an organization with a million shipments, one client',
  figures: [
    { of: `${TIME}, p95`, unit: 'ms', aim: { atMost: 400 }, also: [`${TIME}, p50`, `${TIME}, at most`] },
    { of: SIZE, unit: 'kB', aim: { atMost: 1_000 } },
    { of: HELD, unit: 'ms', aim: { atMost: 50 }, also: [HELD_BY_CLOCK] },
  ],
  open: async (context) => {
    const { deployment, isQuick, say, atEnd } = context;
    const { organization, token } = await makeTeam(deployment);
    const shipments = isQuick ? SHIPMENTS_OF_THE_DAY / 10 : SHIPMENTS_OF_THE_DAY;
    const many = isQuick ? MANY / 100 : MANY;
    say(`  making ${many.toLocaleString('en')} shipments`);
    await makeManyShipments(deployment, organization.id, 'DAY', many);
    await makeEndedTasks(deployment, organization.id);
    await makeBoardDay(deployment, organization.id, { shipments, drivers: 200, runs: 60 });
    await settleDatabase(deployment);
    const api = await startOwnApi(context);
    const pool = new Pool(api.baseUrl, { connections: 1 });
    atEnd(() => pool.destroy());
    const read = async (): Promise<Buffer> => {
      const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' };
      const { statusCode, body } = await pool.request({ path: '/api/v1/board', method: 'GET', headers });
      const bytes = Buffer.from(await body.arrayBuffer());
      if (statusCode !== 200) throw new Error(`the board was answered ${statusCode}`);
      return bytes;
    };
    return {
      sides: [
        async () => {
          await api.held();
          const times = await timesOf(isQuick ? 3 : BOARDS_IN_A_ROUND, read);
          const { cpuMs, clockMs } = await api.held();
          const { length } = await read();
          return {
            ...quantilesOf(TIME, times),
            [SIZE]: length / BYTES_PER_KB,
            [HELD]: cpuMs,
            [HELD_BY_CLOCK]: clockMs,
          };
        },
      ],
      check: async () => {
        const board: unknown = JSON.parse(gunzipSync(await read()).toString());
        const ids = new Set(listAt(board, 'tasks').map((task) => at(task, '@id')));
        return ids.size === 2 * shipments ? [] : [`the board has ${ids.size} of ${2 * shipments} tasks`];
      },
    };
  },
};
