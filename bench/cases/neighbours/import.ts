import type { BenchCase } from '../../case.ts';
import { makeTeam, openLiveCommands } from '../../cast.ts';
import { timed } from '../../pace.ts';
import { quantilesOf } from '../../rounds.ts';
import { untilAllRun } from '../../rows.ts';
import { importWorkbook, makeWorkbook } from '../../workbook.ts';

const ROWS = 3_000;
const LIVE_SHIPMENTS = 400;
const MS_PER_SECOND = 1_000;

/** What another organization's transitions pay while a workbook is imported and its workflows start. */
export const importNeighbour: BenchCase = {
  name: 'neighbour-import',
  title: `Transitions next to an import of ${ROWS} rows and the start of its workflows`,
  figures: [
    {
      of: 'transitions next to the import, p50',
      unit: 'ms',
      through: 'transitions alone, p50',
      aim: { atMost: 2 },
    },
    { of: 'until all workflows had begun', unit: 's' },
  ],
  open: async (context) => {
    const { deployment, isQuick } = context;
    const http = context.http({ connections: 4 });
    const workbook = await makeWorkbook(isQuick ? 100 : ROWS);
    const openLive = () => openLiveCommands(context, http, isQuick ? 100 : LIVE_SHIPMENTS);
    return {
      sides: [
        async () => {
          const live = await openLive();
          const team = await makeTeam(deployment);
          const importing = timed(async () => {
            await importWorkbook(http, team, workbook);
            await untilAllRun(deployment, team.organization.id);
          });
          const times = quantilesOf('transitions next to the import', await live.during(importing));
          return { ...times, 'until all workflows had begun': (await importing) / MS_PER_SECOND };
        },
        async () => quantilesOf('transitions alone', await (await openLive()).alone()),
      ],
    };
  },
};
