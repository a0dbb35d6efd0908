import type { BenchCase, CaseContext, Result } from '../../case.ts';
import type { Organization } from '../../cast.ts';
import { makeOrganization } from '../../cast.ts';
import type { HttpClient } from '../../http-client.ts';
import { openHttp } from '../../http-client.ts';
import { startOwnApi } from '../../own-api.ts';
import { compare, median } from '../../rounds.ts';

const LOOP_CONNECTIONS = 16;
const LISTS_IN_A_ROUND = 150;
const AIM = 1.5;
const TOO_MANY_REQUESTS = 429;
const PATH = '/shipments?itemsPerPage=30';

/** An organization that asks for lists in a loop, beyond its budget: what another one's list takes meanwhile. */
export const loop: BenchCase = {
  name: 'neighbour-loop',
  title: `Another organization's list, alone and next to a loop on ${LOOP_CONNECTIONS} connections`,
  run: async (context) => {
    const api = await startOwnApi(context.deployment, { REQUEST_BUDGET_PERCENT: '100' });
    const quiet = openHttp(api.baseUrl, 1);
    const looping = openHttp(api.baseUrl, LOOP_CONNECTIONS);
    try {
      return [await measure(context, { quiet, looping })];
    } finally {
      await quiet.close();
      await looping.close();
      await api.stop();
    }
  },
};

async function measure(
  { deployment, rounds, isQuick, onRound, say }: CaseContext,
  { quiet, looping }: { readonly quiet: HttpClient; readonly looping: HttpClient },
): Promise<Result> {
  const neighbour = await makeOrganization(deployment);
  const answers = { given: 0, refused: 0 };
  const count = isQuick ? 10 : LISTS_IN_A_ROUND;
  const ask = async (): Promise<number> => {
    const { status } = await looping.send('GET', PATH, { token: neighbour.token });
    if (status === TOO_MANY_REQUESTS) answers.refused += 1;
    else answers.given += 1;
    return status;
  };
  const ours = {
    name: 'list next to the loop',
    run: async () => {
      // A budget may be used at once; what counts is the time after it.
      while ((await ask()) !== TOO_MANY_REQUESTS);
      const state = { isOver: false };
      const loops = Array.from({ length: LOOP_CONNECTIONS }, async () => {
        while (!state.isOver) await ask();
      });
      const took = await listMs(deployment, quiet, count).finally(() => {
        state.isOver = true;
      });
      await Promise.all(loops);
      return took;
    },
  };
  const bare = { name: 'list alone', run: () => listMs(deployment, quiet, count) };
  const comparison = await compare(ours, bare, rounds, onRound);
  say(`  the loop got ${answers.given} lists and ${answers.refused} times 429`);
  return {
    figure: 'another organization’s list next to the loop',
    unit: 'ms',
    aim: { atMost: AIM },
    oursName: ours.name,
    bareName: bare.name,
    ...comparison,
  };
}

/** The median of so many lists, in ms; by an organization of its own, so that its budget lasts. */
async function listMs(
  deployment: CaseContext['deployment'],
  http: HttpClient,
  count: number,
): Promise<number> {
  const { token }: Organization = await makeOrganization(deployment);
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const begin = performance.now();
    const { status } = await http.send('GET', PATH, { token });
    if (status !== 200) throw new Error(`a list was answered ${status}`);
    times.push(performance.now() - begin);
  }
  return median(times);
}
