import { openHttp } from '../harness/http.ts';
import type { HttpClient } from '../harness/http.ts';
import { textOrNull } from '../harness/json.ts';
import type { Verdict } from './checker/history.ts';

/** One HTTP exchange with the times of the recording process. */
export interface HttpExchange {
  readonly sentAtMs: number;
  readonly endedAtMs: number;
  /** Null: the connection broke, or no response came in time. */
  readonly status: number | null;
  readonly body: unknown;
  readonly verdict: Verdict;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Sends a request and never rejects: a failure is an exchange without a status. */
export type Send = (request: HttpRequest) => Promise<HttpExchange>;

/** Longer than the API waits for a command's outcome, so that a response is given up only when it is lost. */
const RESPONSE_TIMEOUT_MS = 30_000;

/** Opens connections that stay, as an application's do. */
export function openRecordedHttp(
  baseUrl: string,
  connections: number,
): { readonly send: Send; readonly close: HttpClient['close'] } {
  const http = openHttp(baseUrl, { connections, timeoutMs: RESPONSE_TIMEOUT_MS });
  return {
    send: async ({ method, path, headers, body }) => {
      const sentAtMs = performance.now();
      const answer = await http.send(method, path, { headers, body }).catch(() => null);
      const endedAtMs = performance.now();
      if (answer === null) return { sentAtMs, endedAtMs, status: null, body: null, verdict: 'none' };
      const verdict = verdictOf(answer.status, answer.body);
      return { sentAtMs, endedAtMs, status: answer.status, body: answer.body, verdict };
    },
    close: http.close,
  };
}

/** A 409 without a current status says that a request with the same key is under way, and decides nothing. */
function verdictOf(status: number, body: unknown): Verdict {
  if (status >= 500 || status === 429) return 'none';
  if (status === 202) return 'accepted';
  if (status >= 200 && status <= 299) return 'applied';
  if (status === 409) return textOrNull(body, 'currentStatus') === null ? 'none' : 'rejected';
  return status === 404 ? 'gone' : 'unexpected';
}
