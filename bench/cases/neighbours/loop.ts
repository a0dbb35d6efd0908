import type { BenchCase } from '../../case.ts';
import { makeTeam } from '../../cast.ts';
import { startOwnApi } from '../../own-api.ts';
import { repeatDuring, timesOf } from '../../pace.ts';
import { median } from '../../rounds.ts';

const LOOP_CONNECTIONS = 16;
const NEXT_TO = 'a list next to the loop';
const ALONE = 'a list alone';
const LISTS_IN_A_ROUND = 150;
const TOO_MANY_REQUESTS = 429;
const PATH = '/shipments?itemsPerPage=30';

/** An organization that asks for lists in a loop, beyond its budget: what another one's list takes meanwhile. */
export const loop: BenchCase = {
  name: 'neighbour-loop',
  title: `Another organization's list, alone and next to a loop on ${LOOP_CONNECTIONS} connections`,
  figures: [{ of: NEXT_TO, unit: 'ms', through: ALONE, aim: { atMost: 1.5 } }],
  open: async (context) => {
    const { deployment, isQuick } = context;
    const { baseUrl } = await startOwnApi(context, { REQUEST_BUDGET_PERCENT: '100' });
    const quiet = context.http({ baseUrl, connections: 1 });
    const looping = context.http({ baseUrl, connections: LOOP_CONNECTIONS });
    const neighbour = await makeTeam(deployment);
    const ask = async (): Promise<number> =>
      (await looping.send('GET', PATH, { token: neighbour.token })).status;
    /** The median of lists of an organization of their own, so that its budget lasts. */
    const listMs = async (): Promise<number> => {
      const { token } = await makeTeam(deployment);
      const list = async (): Promise<void> => {
        const { status } = await quiet.send('GET', PATH, { token });
        if (status !== 200) throw new Error(`a list was answered ${status}`);
      };
      return median(await timesOf(isQuick ? 10 : LISTS_IN_A_ROUND, list));
    };
    return {
      sides: [
        async () => {
          // A budget may be used immediately; what counts is the time after it.
          while ((await ask()) !== TOO_MANY_REQUESTS);
          return { [NEXT_TO]: await repeatDuring(listMs(), ask, LOOP_CONNECTIONS) };
        },
        async () => ({ [ALONE]: await listMs() }),
      ],
    };
  },
};
