import test from 'ava';
import fc from 'fast-check';
import { createDocumentation } from '../../api/openapi/documentation.ts';
import type { RouteDefinition } from '../../api/http/route.ts';
import { routes } from '../../api/routes.ts';
import type { UserRole } from '../../domain/permission.ts';
import { permissionScopeOf, USER_ROLES } from '../../domain/permission.ts';
import type { RawAnswer } from '../harness/raw-request.ts';
import { sendRaw } from '../harness/raw-request.ts';
import { useService } from '../harness/use-service.ts';
import type { OddRequest } from './odd-requests.ts';
import { oddRequest } from './odd-requests.ts';
import type { Objects } from './permission-objects.ts';
import { makeCast, makeObjects, pathTo } from './permission-objects.ts';

/**
 * Odd requests with each role: whatever is sent is answered, and never with a fault of ours. The same seed sends the same
 * requests. `FUZZ_REQUESTS=10000 npm test -- test/api/odd-requests.test.ts` sends more, `FUZZ_SEED` others.
 */

const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 100);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_122);
/** Records are deleted and users sign out, so that everything is made again after so many requests. */
const RENEWED_AFTER = 100;
const ANSWER_WITHIN_MS = 60_000;
const HOUR_MS = 3_600_000;

const service = useService({ settings: { COMMAND_WAIT_MS: '1000' } });

type Caller = UserRole | 'key' | 'nobody';
const allRows = createDocumentation(routes, 'http://localhost:8080').rows;

for (const caller of [...USER_ROLES, 'key', 'nobody'] as const) {
  test(`odd requests of ${caller} are all answered, none with a 5xx`, async (t) => {
    t.timeout(HOUR_MS);
    const faults: string[] = [];
    const tally = new Map<number, number>();
    const ask = await asker(caller);
    await fc.assert(
      fc.asyncProperty(oddRequest(openTo(caller), allRows), async (request) => {
        const status = await ask(request);
        tally.set(status, (tally.get(status) ?? 0) + 1);
        if (status >= 500 || status === NO_ANSWER) faults.push(`${status} ${shown(request)}`);
      }),
      { numRuns: REQUESTS, seed: SEED },
    );
    t.log(
      `${caller}: ${[...tally]
        .sort()
        .map(([status, count]) => `${status} × ${count}`)
        .join(', ')}`,
    );
    t.deepEqual(faults.slice(0, 20), []);
    t.true(
      [...tally.keys()].some((status) => status < 300),
      'nothing got through',
    );
  });
}

function openTo(caller: Caller): readonly RouteDefinition[] {
  return allRows.filter((row) => {
    if (caller === 'nobody') return row.surface === 'public';
    if (caller === 'key') return row.surface === 'external';
    return (
      row.surface === 'dashboard' &&
      row.action !== undefined &&
      permissionScopeOf(caller, row.action) !== undefined
    );
  });
}

const NO_ANSWER = 0;

/** Sends requests one after the other as a caller, to records that are the caller's own where they can be. */
async function asker(caller: Caller): Promise<(request: OddRequest) => Promise<number>> {
  let stage = await makeStage(caller);
  let asked = 0;
  return async (request) => {
    asked += 1;
    if (asked % RENEWED_AFTER === 0) stage = await makeStage(caller);
    const credentials = request.isSignedIn ? stage.credentials : {};
    // The service reads what it does not need of a body where the connection is kept; else it cuts it off.
    const headers = { connection: 'keep-alive', ...credentials, ...request.headers };
    const { body } = request;
    const answer = await within(
      sendRaw(service, request.method, targetOf(request, stage.objects), {
        headers,
        ...(body === undefined ? {} : { body }),
      }),
    );
    if (answer?.status === 401 && isSignedOut(caller, request)) stage = await makeStage(caller);
    return answer?.status ?? NO_ANSWER;
  };
}

/** Whether a 401 tells that the caller has signed out or changed its key: what it sent was its own. */
function isSignedOut(caller: Caller, { isSignedIn, headers, path }: OddRequest): boolean {
  if (caller === 'nobody' || !isSignedIn || 'authorization' in headers || 'x-api-key' in headers)
    return false;
  return path.startsWith('/external')
    ? caller === 'key'
    : caller !== 'key' && !/^\/(?:login|token)/.test(path);
}

async function makeStage(caller: Caller) {
  const cast = await makeCast(service);
  const isUser = caller !== 'key' && caller !== 'nobody';
  const objects = await makeObjects(service, cast, isUser ? caller : 'nobody');
  if (caller === 'key') return { objects, credentials: { 'x-api-key': cast.organization.apiKey } };
  if (caller === 'nobody') return { objects, credentials: {} };
  return { objects, credentials: { authorization: `Bearer ${cast.users[caller].token}` } };
}

function targetOf({ path, segment, query }: OddRequest, objects: Objects): string {
  const filled = pathTo(path, (collection) => segment ?? objects.get(collection) ?? 'Shipment');
  return `/api/v1${filled}${query}`;
}

async function within(answer: Promise<RawAnswer>): Promise<RawAnswer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ANSWER_WITHIN_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function shown({ method, path, segment, query, headers, body }: OddRequest): string {
  const text = typeof body === 'string' ? body : `${body?.length ?? 0} bytes`;
  return JSON.stringify({ method, path, segment, query, headers, body: text }).slice(0, 1_500);
}
