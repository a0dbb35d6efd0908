import { randomInt } from 'node:crypto';
import { CALLERS, sendOddRequests } from '../../../test/api/odd-callers.ts';
import type { BenchCase } from '../../case.ts';
import { startOwnApi } from '../../own-api.ts';

const REQUESTS = 10_000;
const MAXIMUM_SEED = 2 ** 31;
const FAILED = 'answered with a 5xx or not at all';
/** What the requests are to reach is behind limits that have cases and tests of their own. */
const UNLIMITED = {
  COMMAND_WAIT_MS: '1000',
  LOGIN_ATTEMPTS_PER_MINUTE: '1000',
  LOGIN_FAILURES_PER_MINUTE: '10000',
  EXTERNAL_REQUESTS_PER_MINUTE: '10000',
};

/** Requests that nearly fit the endpoints, of each role, a shop and a stranger: all are answered, none with a 5xx. */
export const oddRequests: BenchCase = {
  name: 'neighbour-odd',
  title: `${REQUESTS} odd requests of each of ${CALLERS.length} callers`,
  figures: [{ of: FAILED, unit: 'requests', aim: { atMost: 0 } }],
  warmUps: 0,
  mostRounds: 1,
  open: async (context) => {
    const { deployment, isQuick, say } = context;
    const { baseUrl } = await startOwnApi(context, UNLIMITED);
    const requests = isQuick ? 30 : REQUESTS;
    const side = async () => {
      let failed = 0;
      for (const caller of CALLERS) {
        const options = { requests, seed: randomInt(MAXIMUM_SEED) };
        const { statuses, faults } = await sendOddRequests({ ...deployment, baseUrl }, caller, options);
        const counts = [...statuses].map(([status, count]) => `${status} × ${count}`);
        const found = `${caller}, seed ${options.seed}: ${counts.join(', ')}`;
        say(`    ${[found, ...faults.slice(0, 20)].join('\n    ')}`);
        failed += faults.length;
      }
      return { [FAILED]: failed };
    };
    return { sides: [side] };
  },
};
