import { Agent } from 'undici';
import { assertDocumented } from './conformity.ts';
import { exchange } from './http.ts';
import type { HttpAnswer, HttpRequest } from './http.ts';
import { expectStatus } from './moves.ts';
import type { TestService } from './service.ts';

const agent = new Agent();
const SESSION_PATH = '/desk/api/session';
const DASHBOARD_PATH = '/desk/api/v1';

/** What the console's own page sends with every request. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin', 'x-requested-with': 'desk' } as const;

/** A browser with a session of the console. */
export interface Desk {
  /** The cookie as the browser sends it, `session-8080=…`. */
  readonly cookie: string;
  /** The answer to the sign-in. */
  readonly signedIn: HttpAnswer;
  /** Sends a request from the console's page. `path` is below `/desk/api`: `/session`, `/v1/shipments`. */
  readonly send: (method: string, path: string, request?: HttpRequest) => Promise<HttpAnswer>;
}

/**
 * Makes a request below `/desk/api` with no headers but those that are given. An answer of a dashboard's row is held to the OpenAPI
 * document as that of `/api/v1` is.
 */
export async function sendToDesk(
  service: Pick<TestService, 'baseUrl'>,
  method: string,
  path: string,
  request: HttpRequest = {},
): Promise<HttpAnswer> {
  const address = `/desk/api${path}`;
  const isSession = address === SESSION_PATH;
  const answer = await exchange(agent, service.baseUrl, method, address, {
    ...(isSession ? { contentType: 'application/json' } : {}),
    ...request,
  });
  // What the console's door itself rejects is a problem that no row describes.
  const isOfTheRow = address.startsWith(DASHBOARD_PATH) && answer.status !== 403;
  if (isOfTheRow) {
    const { status, headers, body } = answer;
    assertDocumented({ method, path: address.slice('/desk'.length), status, headers, body });
  }
  return answer;
}

/** Signs a user in at the console, from its page. Throws unless the answer is 200. */
export async function signInAtDesk(
  service: Pick<TestService, 'baseUrl'>,
  { email, password }: { readonly email: string; readonly password: string },
  headers: Readonly<Record<string, string>> = {},
): Promise<Desk> {
  const request = { body: { email, password }, headers: { ...OWN_PAGE, ...headers } };
  const signedIn = expectStatus(await sendToDesk(service, 'POST', '/session', request), 200);
  const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';');
  return { cookie, signedIn, send: (...args) => sendFrom(service, cookie, ...args) };
}

function sendFrom(
  service: Pick<TestService, 'baseUrl'>,
  cookie: string,
  method: string,
  path: string,
  request: HttpRequest = {},
): Promise<HttpAnswer> {
  const headers = { ...OWN_PAGE, cookie, ...request.headers };
  return sendToDesk(service, method, path, { ...request, headers });
}
