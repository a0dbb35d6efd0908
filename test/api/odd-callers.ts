import fc from 'fast-check';
import { createDocumentation } from '../../api/openapi/documentation.ts';
import type { RouteDefinition } from '../../api/http/route.ts';
import { routes } from '../../api/routes.ts';
import type { UserRole } from '../../domain/permission.ts';
import { permissionScopeOf, USER_ROLES } from '../../domain/permission.ts';
import { sendRaw } from '../harness/raw-request.ts';
import type { OddRequest } from './odd-requests.ts';
import { oddRequest } from './odd-requests.ts';
import type { Objects, Premises } from './permission-objects.ts';
import { makeCast, makeObjects, pathTo } from './permission-objects.ts';

/** A user of a role, a shop by its API key, or a stranger. */
export type Caller = UserRole | 'key' | 'nobody';

export const CALLERS: readonly Caller[] = [...USER_ROLES, 'key', 'nobody'];

/** Records are deleted and users sign out, so that everything is made again after so many requests. */
const RENEWED_AFTER = 100;
const ANSWER_WITHIN_MS = 60_000;
const NO_ANSWER = 0;

const allRows = createDocumentation(routes, 'http://localhost:8080').rows;

/** What odd requests were answered. */
export interface OddAnswers {
  /** How often each status came; 0 stands for no answer. */
  readonly statuses: ReadonlyMap<number, number>;
  /** The requests that were answered with a 5xx, or not at all. */
  readonly faults: readonly string[];
}

/** Sends so many odd requests of a caller, one after the other. The same seed sends the same requests. */
export async function sendOddRequests(
  premises: Premises,
  caller: Caller,
  { requests, seed }: { readonly requests: number; readonly seed: number },
): Promise<OddAnswers> {
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  const ask = await asker(premises, caller);
  await fc.assert(
    fc.asyncProperty(oddRequest(openTo(caller), allRows), async (request) => {
      const status = await ask(request);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status >= 500 || status === NO_ANSWER) faults.push(`${status} ${shown(request)}`);
    }),
    { numRuns: requests, seed },
  );
  return { statuses, faults };
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

/** Sends requests one after the other as a caller, to records that are the caller's own where they can be. */
async function asker(premises: Premises, caller: Caller): Promise<(request: OddRequest) => Promise<number>> {
  let stage = await makeStage(premises, caller);
  let asked = 0;
  return async (request) => {
    asked += 1;
    if (asked % RENEWED_AFTER === 0) stage = await makeStage(premises, caller);
    const credentials = request.isSignedIn ? stage.credentials : {};
    const { method, body } = request;
    // The service reads what it does not need of a body where the connection is kept; else it cuts it off.
    const headers = { connection: 'keep-alive', ...credentials, ...request.headers };
    const answer = await within(
      sendRaw(premises, method, targetOf(request, stage.objects), {
        headers,
        ...(body === undefined ? {} : { body }),
      }),
    );
    if (answer?.status === 401 && isSignedOut(caller, request)) stage = await makeStage(premises, caller);
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

async function makeStage(premises: Premises, caller: Caller) {
  const cast = await makeCast(premises);
  const isUser = caller !== 'key' && caller !== 'nobody';
  const objects = await makeObjects(premises, cast, isUser ? caller : 'nobody');
  if (caller === 'key') return { objects, credentials: { 'x-api-key': cast.organization.apiKey } };
  if (caller === 'nobody') return { objects, credentials: {} };
  return { objects, credentials: { authorization: `Bearer ${cast.users[caller].token}` } };
}

function targetOf({ path, segment, query }: OddRequest, objects: Objects): string {
  const filled = pathTo(path, (collection) => segment ?? objects.get(collection) ?? 'Shipment');
  return `/api/v1${filled}${query}`;
}

async function within(answer: ReturnType<typeof sendRaw>): Promise<Awaited<typeof answer> | undefined> {
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
