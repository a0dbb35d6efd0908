import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { styleText } from 'node:util';
import { API_PREFIX } from '../domain/iri.ts';
import { openHttp, type HttpAnswer } from '../test/harness/http.ts';
import { textOrEmpty } from '../test/harness/json.ts';
import type { Report } from './report.ts';

/** Someone who calls the service: a name to print, and the headers that authenticate. */
export interface Caller {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a request and resolves to the answer's body. A path is below the version prefix, or an IRI of the service. */
export type Send = ReturnType<typeof createClient>;

/** A request of a caller. `key` is its Idempotency-Key, a new one where none is given. */
export interface Call {
  readonly caller: Caller;
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: object | undefined;
  readonly key?: string;
  /** Whether 202 is the answer; else it says that a command is not decided yet. */
  readonly isAcceptedFinal?: boolean;
}

/** Sends a request until it has a final answer. */
export type Request = ReturnType<typeof createRequest>;

const MAX_TRIES = 20;
const RETRY_DELAY_MS = 1_000;
const UUID = /[0-9a-f-]{32}([0-9a-f]{4})/g;
const SENT_FIELDS = ['transition', 'webhookUrl'];
const ANSWERED_FIELDS = ['status', 'shipmentStatus', 'detail'];

/**
 * Makes a client that behaves as an integrator's: after a lost connection, 429, 503, and 202 for a command that is not
 * decided yet, it repeats the request with the same Idempotency-Key, so that nothing is done twice. It throws when there is
 * no final answer for 20 seconds or more.
 */
export function createRequest(publicUrl: string, onRepeat: (call: Call, status: number | undefined) => void) {
  const http = openHttp(publicUrl);
  return async (call: Call): Promise<HttpAnswer> => {
    const { caller, method, path, body, key = randomUUID(), isAcceptedFinal = false } = call;
    const temporary = isAcceptedFinal ? [429, 503] : [202, 429, 503];
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const headers = { ...caller.headers, 'idempotency-key': key };
      const response = await http.send(method, path, { headers, body }).catch(() => undefined);
      if (response !== undefined && !temporary.includes(response.status)) return response;
      onRepeat(call, response?.status);
      await delay(Math.max(RETRY_DELAY_MS, 1_000 * Number(response?.headers.get('retry-after') ?? 0)));
    }
    throw new Error(`${publicUrl} gives no final answer. Is \`npm start\` running?`);
  };
}

/** Makes a client for the story: it prints each request, and throws when the status is not the expected one. */
export function createClient(publicUrl: string, report: Report) {
  const request = createRequest(publicUrl, (call, status) =>
    report.line(styleText('yellow', `  ${nameOf(call)}: ${status ?? 'no connection'}, trying again`)),
  );
  return async (
    caller: Caller,
    method: Call['method'],
    path: string,
    expectedStatus: number,
    body?: object,
  ): Promise<unknown> => {
    const call = { caller, method, path, body, isAcceptedFinal: expectedStatus === 202 };
    const { status: found, body: answer } = await request(call);
    const isExpected = found === expectedStatus;
    const status = styleText(isExpected ? 'green' : 'red', String(found));
    const fields = [shown(body, SENT_FIELDS), shown(answer, ANSWERED_FIELDS)];
    const details = styleText('dim', fields.filter((text) => text !== '').join(' → '));
    // A look-up that succeeds is not a step of the story.
    if (method !== 'GET' || found >= 400) report.line(`  ${nameOf(call).padEnd(60)} ${status}  ${details}`);
    report.check('status', nameOf(call), found, expectedStatus);
    if (isExpected) return answer;
    throw new Error('The next step needs this request.');
  };
}

/** Names a request in a line: who, the method, and the path with short ids. */
export function nameOf({ caller, method, path }: Call): string {
  return `${caller.name.padEnd(11)} ${method.padEnd(5)} ${path.replace(API_PREFIX, '').replaceAll(UUID, '…$1')}`;
}

/** Writes the named fields of a body in one line, those that are there. */
function shown(body: unknown, names: readonly string[]): string {
  const present = names.filter((name) => textOrEmpty(body, name) !== '');
  return present.map((name) => `${name} ${textOrEmpty(body, name).replaceAll('\n', ' ')}`).join(', ');
}
