import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { styleText } from 'node:util';
import { API_PREFIX } from '../domain/iri.ts';
import { openHttp } from '../test/harness/http.ts';
import { textOrEmpty } from '../test/harness/json.ts';
import type { Report } from './report.ts';

/** Someone who calls the service: a name to print, and the headers that authenticate. */
export interface Caller {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a request and resolves to the answer's body. A path is below the version prefix, or an IRI of the service. */
export type Send = ReturnType<typeof createClient>;

const MAX_TRIES = 20;
const RETRY_DELAY_MS = 1_000;
const UUID = /[0-9a-f-]{32}([0-9a-f]{4})/g;
const SENT_FIELDS = ['transition', 'webhookUrl'];
const ANSWERED_FIELDS = ['status', 'shipmentStatus', 'detail'];

/**
 * Makes a client that behaves as an integrator's: after a lost connection, 429, 503, and 202 for a command that is not
 * decided yet, it repeats the request with the same Idempotency-Key, so that nothing is done twice. It prints each
 * request, and throws when the status is not the expected one.
 */
export function createClient(publicUrl: string, report: Report) {
  const http = openHttp(publicUrl);
  return async (
    caller: Caller,
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    expectedStatus: number,
    body?: object,
  ): Promise<unknown> => {
    const call = `${caller.name.padEnd(11)} ${method.padEnd(5)} ${path.replace(API_PREFIX, '').replaceAll(UUID, '…$1')}`;
    const headers = { ...caller.headers, 'idempotency-key': randomUUID() };
    const temporary = expectedStatus === 202 ? [429, 503] : [202, 429, 503];
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const response = await http.send(method, path, { headers, body }).catch(() => undefined);
      if (response !== undefined && !temporary.includes(response.status)) {
        const answer = response.body;
        const isExpected = response.status === expectedStatus;
        const status = styleText(isExpected ? 'green' : 'red', String(response.status));
        const fields = [shown(body, SENT_FIELDS), shown(answer, ANSWERED_FIELDS)];
        const details = styleText('dim', fields.filter((text) => text !== '').join(' → '));
        // A look-up that succeeds is not a step of the story.
        if (method !== 'GET' || response.status >= 400)
          report.line(`  ${call.padEnd(60)} ${status}  ${details}`);
        report.check('status', call, response.status, expectedStatus);
        if (isExpected) return answer;
        throw new Error('The next step needs this request.');
      }
      report.line(styleText('yellow', `  ${call}: ${response?.status ?? 'no connection'}, trying again`));
      await delay(RETRY_DELAY_MS);
    }
    throw new Error(`${publicUrl} gives no final answer. Is \`npm start\` running?`);
  };
}

/** Writes the named fields of a body in one line, those that are there. */
function shown(body: unknown, names: readonly string[]): string {
  const present = names.filter((name) => textOrEmpty(body, name) !== '');
  return present.map((name) => `${name} ${textOrEmpty(body, name).replaceAll('\n', ' ')}`).join(', ');
}
