import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { StoryStopped, textAt } from './reading.ts';

/** Someone who calls the service: a name for the screen, and the header that proves it. */
export interface Caller {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request as the story makes it. */
export interface Call {
  readonly caller: Caller;
  readonly method: string;
  /** Below the base address, or from the root where it begins with `/api/`. */
  readonly path: string;
  readonly body?: unknown;
}

/** What came back; `body` is parsed where it is JSON, undefined where there is none. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly durationMs: number;
  /** How often the request was sent in vain before: something may have been done by a lost answer. */
  readonly repeats: number;
}

/** How the client speaks with the person who watches. */
export interface ClientEvents {
  readonly onExchange: (call: Call, answer: Answer) => void;
  /** The client waits before it repeats a request. */
  readonly onHold: (why: string, seconds: number) => void;
}

const PATIENCE_MS = 120_000;
const ANSWER_TIMEOUT_MS = 30_000;
const USUAL_WAIT_SECONDS = 2;
const COMMAND_LOOK_MS = 500;

/**
 * A client as an integrator would write it: every POST carries an Idempotency-Key, a lost connection, 429 and 503 are
 * waited out and the same request is sent again, and a 202 of a command is followed to its outcome.
 */
export class ServiceClient {
  readonly #baseUrl: string;
  readonly #events: ClientEvents;

  constructor(baseUrl: string, events: ClientEvents) {
    this.#baseUrl = baseUrl;
    this.#events = events;
  }

  /** Makes a request and waits out what passes; throws StoryStopped when two minutes were not enough. */
  async send(caller: Caller, method: string, path: string, body?: unknown): Promise<Answer> {
    const call: Call = { caller, method, path, ...(body === undefined ? {} : { body }) };
    const idempotencyKey = randomUUID();
    const startedAtMs = performance.now();
    for (let repeats = 0; ; repeats += 1) {
      const answer = await this.#attempt(call, idempotencyKey, repeats);
      if (typeof answer !== 'string' && answer.status !== 429 && answer.status !== 503) {
        this.#events.onExchange(call, answer);
        return answer;
      }
      if (performance.now() - startedAtMs > PATIENCE_MS) {
        const what = typeof answer === 'string' ? answer : `${answer.status}`;
        throw new StoryStopped(
          `${this.#baseUrl} gave no answer in ${PATIENCE_MS / 1000} s (${what}). Does the service run? \`npm start\` starts it.`,
        );
      }
      await this.#hold(answer);
    }
  }

  /**
   * Sends a command (a transition, an approval, a deletion). After a 202 it polls the `Location` until the command is
   * decided (decision 0001). Resolves to the first answer that is final: that of the command where it was late.
   */
  async command(caller: Caller, method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.send(caller, method, path, body);
    const location = answer.headers.get('location');
    if (answer.status !== 202 || location === null) return answer;
    const startedAtMs = performance.now();
    while (performance.now() - startedAtMs < PATIENCE_MS) {
      const command = await this.send(caller, 'GET', location);
      if (textAt(command.body, 'status') !== 'received') return command;
      await delay(COMMAND_LOOK_MS);
    }
    throw new StoryStopped(`${location} was not decided in ${PATIENCE_MS / 1000} s.`);
  }

  async #hold(answer: Answer | string): Promise<void> {
    const retryAfter = typeof answer === 'string' ? null : answer.headers.get('retry-after');
    const seconds = Math.max(1, Number(retryAfter ?? USUAL_WAIT_SECONDS) || USUAL_WAIT_SECONDS);
    const why = typeof answer === 'string' ? answer : `the service answered ${answer.status}`;
    this.#events.onHold(why, seconds);
    await delay(seconds * 1000);
  }

  async #attempt(
    { caller, method, path, body }: Call,
    idempotencyKey: string,
    repeats: number,
  ): Promise<Answer | string> {
    const startedAtMs = performance.now();
    const url = path.startsWith('/api/') ? new URL(path, this.#baseUrl) : `${this.#baseUrl}${path}`;
    try {
      const response = await fetch(url, {
        method,
        headers: {
          ...caller.headers,
          ...(method === 'POST' ? { 'idempotency-key': idempotencyKey } : {}),
          ...(body === undefined ? {} : { 'content-type': contentType(method, path) }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      });
      const text = await response.text();
      const isJson = (response.headers.get('content-type') ?? '').includes('json');
      const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
      const durationMs = performance.now() - startedAtMs;
      return { status: response.status, headers: response.headers, body: parsed, durationMs, repeats };
    } catch (error) {
      return error instanceof Error && error.name === 'TimeoutError' ? 'no answer' : 'no connection';
    }
  }
}

/** Contract «Content types»: merge-patch for PATCH, plain JSON for signing in and the external API, JSON-LD else. */
function contentType(method: string, path: string): string {
  if (/^\/(?:external|login_check|token)\b/.test(path)) return 'application/json';
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/ld+json';
}
