import test from 'ava';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { useService } from '../harness/use-service.ts';
import { CALLERS, sendOddRequests } from './odd-callers.ts';

/**
 * Odd requests with each role: whatever is sent is answered, and never with a fault of ours. The same seed sends the same
 * requests. `FUZZ_REQUESTS=1000 npm test -- test/api/odd-requests.test.ts` sends more, `FUZZ_SEED` others, and
 * `npm run bench -- neighbour-odd` 10,000 of each caller.
 */

const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 100);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_122);
const HOUR_MS = 3_600_000;

/** A geocoder that finds nothing: without one each look-up is a 503. */
const geocoder = createServer((_, response) => response.end('{"features":[]}'));
await once(geocoder.listen(0, '127.0.0.1').unref(), 'listening');
const address = geocoder.address();
const port = typeof address === 'object' ? address?.port : undefined;
const settings = { COMMAND_WAIT_MS: '1000', GEOCODER_URL: `http://127.0.0.1:${port}/api` };
const service = useService({ settings });

for (const caller of CALLERS) {
  test(`odd requests of ${caller} are all answered, none with a 5xx`, async (t) => {
    t.timeout(HOUR_MS);
    const { statuses, faults } = await sendOddRequests(service, caller, { requests: REQUESTS, seed: SEED });
    const counts = [...statuses].toSorted().map(([status, count]) => `${status} × ${count}`);
    t.log(`${caller}: ${counts.join(', ')}`);
    t.deepEqual(faults.slice(0, 20), []);
    t.true(
      [...statuses.keys()].some((status) => status < 300),
      'nothing got through',
    );
  });
}
