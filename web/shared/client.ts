import createClient from 'openapi-fetch';
import type { MessageKey } from '../../domain/messages.ts';
import type { SecondFactorState } from '../../domain/second-factor.ts';
import type { components, paths } from '../generated/api.d.ts';
import { isAttended } from './attendance.ts';
import { problemOf, RejectedRequest, UnansweredRequest } from './problem.ts';
import { learnServerTime } from './server-clock.ts';
import { serviceTextsLoaded } from './service-text.ts';

export type Schemas = components['schemas'];

const API = '/desk/api/v1';
const CONTRACT_PREFIX = '/api/v1';
const SESSION = '/desk/api/session';
/** A request that has no answer by then counts as unanswered; what it did is found out by a repeat with its key. */
const TIMEOUT_MS = 30_000;

/** Marks requests of the console: the service rejects unsafe requests without it (decision 0029). */
const HEADERS = { 'X-Requested-With': 'desk' };

let signInAgain: (() => Promise<void>) | undefined;

/**
 * Sets what asks a person to sign in once the session has ended. Requests that were answered 401 wait for it and are then sent
 * again, so that nothing typed is lost.
 */
export function onSessionEnd(ask: () => Promise<void>): void {
  signInAgain = ask;
}

let onForbidden: (() => void) | undefined;

/** Sets what is called when a request was answered 403: the rights of the person may be others than the screen believes. */
export function onForbiddenRequest(call: () => void): void {
  onForbidden = call;
}

/** What the service asks a signed-in person for before it does something: the password again, or to set up a second factor. */
export type AskedProof = 'step_up_required' | 'second_factor_missing';
let giveProof: ((asked: AskedProof) => Promise<boolean>) | undefined;

/**
 * Sets what asks a person for a proof. A request that was answered so waits for it, and is sent again where it resolves to true; else it
 * stays rejected.
 */
export function onProofAsked(ask: (asked: AskedProof) => Promise<boolean>): void {
  giveProof = ask;
}

const watchers = new Set<() => void>();
let unreachableSinceMs: number | undefined;

/** A 503 that says one of these is of one endpoint alone: the service itself is there. */
const OF_ONE_ENDPOINT: ReadonlySet<string | undefined> = new Set<MessageKey>([
  'geocoder_not_set',
  'geocoder_unavailable',
  'too_many_imports',
]);

/** Calls `watch` whenever the service becomes unreachable (no answer, 502 to 504) or reachable again. Returns what ends it. */
export function watchReachability(watch: () => void): () => void {
  watchers.add(watch);
  return () => watchers.delete(watch);
}

/** Since when no request was answered, by this computer's clock; undefined while the service is reachable. */
export function unreachableSince(): number | undefined {
  return unreachableSinceMs;
}

function noteReachability(isReachable: boolean): void {
  if (isReachable === (unreachableSinceMs === undefined)) return;
  unreachableSinceMs = isReachable ? undefined : Date.now();
  for (const watch of watchers) watch();
}

async function noteAnswer(response: Response): Promise<void> {
  const isAnswered =
    ![502, 503, 504].includes(response.status) ||
    OF_ONE_ENDPOINT.has((await problemOf(response.clone())).messageKey);
  noteReachability(isAnswered);
}

/** `fetch` of the console: learns the service's time, waits for a new sign-in on 401, and rejects with UnansweredRequest. */
async function send(request: Request): Promise<Response> {
  // A body can be read once: the copy is for the repeat after a sign-in.
  const copy = request.clone();
  const response = await answerTo(request);
  learnServerTime(response);
  await noteAnswer(response);
  if (response.status === 403) return (await isProven(response)) ? send(copy) : response;
  if (response.status !== 401 || signInAgain === undefined) return response;
  await signInAgain();
  return send(copy);
}

/** Whether what a 403 asks for was given meanwhile; any other one may mean that the person's rights have changed. */
async function isProven(response: Response): Promise<boolean> {
  const { messageKey } = await problemOf(response.clone());
  if (messageKey === 'step_up_required' || messageKey === 'second_factor_missing')
    return (await giveProof?.(messageKey)) === true;
  onForbidden?.();
  return false;
}

async function answerTo(request: Request): Promise<Response> {
  if (!isAttended()) request.headers.set('X-Unattended', 'yes');
  try {
    return await fetch(request, {
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
  } catch (error) {
    if (request.signal.aborted) throw error;
    noteReachability(false);
    throw new UnansweredRequest();
  }
}

/**
 * The dashboard's API by its own description: `api.GET('/shipments', { params: { query: { page: 1 } } })`. Use `answer` around
 * it, which rejects with RejectedRequest or UnansweredRequest.
 */
export const api = createClient<paths>({ baseUrl: API, headers: HEADERS, fetch: send });
api.use({
  onRequest: ({ request }) => {
    // Every PATCH of the API is a merge patch (RFC 7396); openapi-fetch would call it plain JSON.
    if (request.method === 'PATCH') request.headers.set('Content-Type', 'application/merge-patch+json');
  },
});

/** Resolves to the body of a successful answer. Rejects with RejectedRequest (the problem) or UnansweredRequest. */
export async function answer<Body>(
  request: Promise<{ data?: Body; error?: unknown; response: Response }>,
): Promise<Body> {
  return (await answerWithTag(request)).body;
}

/** As `answer`, with the entity tag for `If-Match`. */
export async function answerWithTag<Body>(
  request: Promise<{ data?: Body; error?: unknown; response: Response }>,
): Promise<{ readonly body: Body; readonly etag: string | null }> {
  const { data, error, response } = await request;
  if (!response.ok || data === undefined) throw await rejected(response, error);
  return { body: data, etag: response.headers.get('etag') };
}

/** For answers without a body (204). Rejects as `answer` does. */
export async function done(request: Promise<{ error?: unknown; response: Response }>): Promise<void> {
  const { error, response } = await request;
  if (!response.ok) throw await rejected(response, error);
}

async function rejected(response: Response, error: unknown): Promise<RejectedRequest> {
  await serviceTextsLoaded();
  const status = { status: response.status, title: response.statusText };
  const problem = typeof error === 'object' && error !== null ? { ...status, ...error } : status;
  return new RejectedRequest(problem, retryAfterOf(response));
}

function retryAfterOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** The id in an IRI: `/api/v1/shipments/<id>` → `<id>`. */
export function idOf(iri: string): string {
  return iri.slice(iri.lastIndexOf('/') + 1);
}

/** The console's own address for an IRI or a link of the contract, for downloads and pictures: `/desk/api/v1/…`. */
export function ownAddress(iri: string): string {
  return iri.startsWith(CONTRACT_PREFIX) ? API + iri.slice(CONTRACT_PREFIX.length) : iri;
}

/** What the service says of the session; settings of the console come with it. */
export interface Session {
  readonly user: {
    readonly '@id': string;
    readonly email: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly role: 'ROLE_ORG_ADMIN' | 'ROLE_DISPATCHER' | 'ROLE_MERCHANT' | 'ROLE_DRIVER';
    readonly merchant?: string | null;
    readonly driver?: string | null;
    readonly language?: string | null;
    readonly secondFactor: SecondFactorState;
  };
  readonly organization: {
    readonly '@id': string;
    readonly name: string;
    readonly currency: string;
    readonly timezone: string;
    readonly plan: string;
  };
  readonly permissions: readonly string[];
  readonly expiresAt: string;
  /** The build of the console that the service has now; null where it has none. */
  readonly version: string | null;
  readonly settings: {
    readonly tilesUrl?: string | null;
    readonly tilesAttribution?: string | null;
    readonly hasGeocoder: boolean;
  };
  readonly links: { readonly history?: string | null };
}

/** The session's own requests: they are no part of the API's description, and a 401 of theirs asks nobody to sign in. */
export const sessions = {
  /** Undefined where nobody is signed in. */
  read: async (): Promise<Session | undefined> => {
    const response = await sessionRequest('GET');
    return response.status === 401 ? undefined : readSession(response);
  },
  /** `totp` is the code of a person who has a second factor. */
  signIn: async (email: string, password: string, totp?: string): Promise<Session> =>
    readSession(await sessionRequest('POST', { email, password, totp })),
  /** Gives the password again, before something that asks for it. */
  stepUp: async (password: string, totp?: string): Promise<void> => {
    const response = await sessionRequest('POST', { password, totp }, '/step-up');
    if (!response.ok) throw await rejected(response, await problemOf(response));
  },
  keepLanguage: async (language: string): Promise<Session> =>
    readSession(await sessionRequest('PATCH', { language })),
  signOut: async (): Promise<void> => {
    await sessionRequest('DELETE');
  },
};

async function sessionRequest(method: string, body?: object, path = ''): Promise<Response> {
  const headers = { ...HEADERS, ...(body && { 'Content-Type': 'application/json' }) };
  const request = new Request(`${SESSION}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const response = await answerTo(request);
  learnServerTime(response);
  await noteAnswer(response);
  return response;
}

async function readSession(response: Response): Promise<Session> {
  if (!response.ok) throw await rejected(response, await problemOf(response));
  const body: unknown = await response.json();
  if (!isSession(body)) throw new Error('the service answered no session');
  return body;
}

function isSession(body: unknown): body is Session {
  return typeof body === 'object' && body !== null && 'user' in body && 'permissions' in body;
}
