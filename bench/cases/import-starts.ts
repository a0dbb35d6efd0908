import { openBareLoop } from '../bare-loop/client.ts';
import type { BenchCase } from '../case.ts';
import { makeTeam } from '../cast.ts';
import { rateOf } from '../cpu.ts';
import { untilAllRun } from '../rows.ts';
import { importWorkbook, makeWorkbook } from '../workbook.ts';

const ROWS = 5_000;
const BARE_STARTS = 2_000;
const SERVICE = 'runs begun after an import';
const BARE = 'bare starts';

/** How fast the runs of an imported workbook begin after its answer, on a service with nothing else to do. */
export const importStarts: BenchCase = {
  name: 'import-starts',
  title: `Runs that begin after an import of ${ROWS} rows, against bare starts`,
  figures: [{ of: SERVICE, unit: '/s', through: BARE, aim: { atLeast: 0.7 } }],
  open: async (context) => {
    const { deployment, isQuick } = context;
    const bare = await openBareLoop(context);
    const http = context.http({ connections: 1 });
    const rows = isQuick ? 100 : ROWS;
    const workbook = await makeWorkbook(rows);
    const ours = async () => {
      const team = await makeTeam(deployment);
      await importWorkbook(http, team, workbook);
      const begun = () => untilAllRun(deployment, team.organization.id);
      return { [SERVICE]: (await rateOf(context, 'starts', rows, begun)).rate };
    };
    const plain = async () => ({ [BARE]: await bare.startRate(isQuick ? 100 : BARE_STARTS) });
    return { sides: [ours, plain], check: bare.lost };
  },
};
