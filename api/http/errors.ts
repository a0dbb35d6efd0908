import type { Context, Middleware } from 'koa';
import { randomUUID } from 'node:crypto';
import { say } from '../../domain/messages.ts';
import type { Problem } from '../../domain/problem.ts';
import { ProblemError, stated } from '../../domain/problem.ts';
import { errorFacts } from '../../platform/error-facts.ts';
import type { Logger } from '../../platform/log.ts';
import { isDatabaseUnavailable } from '../../store/connection.ts';
import type { ProblemResponse } from './problem-response.ts';
import { faultResponse, problemResponse } from './problem-response.ts';

const DATABASE_RETRY_SECONDS = 2;
const NO_SUCH_PATH: Problem = { kind: 'missing', ...stated(say('no_resource')) };
/** Tells clients that read JSON-LD that the answer is an error (Hydra Core, «Description of HTTP Status Codes and Errors»). */
const ERROR_LINK = '<http://www.w3.org/ns/hydra/error>; rel="http://www.w3.org/ns/json-ld#error"';

/**
 * Names the request with an id of its own, and turns whatever is thrown into a problem document.
 * Headers set before an error stay (those of the rate limit, for example). An unexpected error is logged; its response
 * has no details.
 */
export function errorHandler(log: Logger): Middleware {
  return async (context, next) => {
    const requestId = randomUUID();
    context.state['requestId'] = requestId;
    context.set('x-request-id', requestId);
    try {
      if (!hasAddress(context)) throw new ProblemError(NO_SUCH_PATH);
      await next();
      // Koa's default for a path without a handler.
      if (context.status === 404 && context.body === undefined && !context.headerSent) {
        writeProblem(context, problemResponse(NO_SUCH_PATH, requestId));
      }
    } catch (error) {
      writeProblem(context, responseTo(error, requestId, log));
    }
  };
}

/** The id by which a request is found in the log. */
export function requestIdOf(context: Context): string {
  const requestId: unknown = context.state['requestId'];
  return typeof requestId === 'string' ? requestId : '';
}

function responseTo(error: unknown, requestId: string, log: Logger): ProblemResponse {
  const problem = problemOf(error);
  if (problem !== undefined) return problemResponse(problem, requestId);
  log.error({ requestId, ...errorFacts(error) }, 'unhandled error');
  return faultResponse(requestId);
}

/** The problem that an error stands for; undefined for one that nothing expected. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof ProblemError) return error.problem;
  if (isDatabaseUnavailable(error)) {
    return {
      kind: 'unavailable',
      detail:
        'The database is temporarily unreachable or overloaded. Retry after the time given in Retry-After. Where an Idempotency-Key is accepted, a retry with the same key takes effect only once.',
      retryAfterSeconds: DATABASE_RETRY_SECONDS,
    };
  }
  // A path with a broken escape, `%zz`, fails inside the router.
  return error instanceof URIError ? NO_SUCH_PATH : undefined;
}

/** Whether a request's target is an address: Node takes `foo://` and `http://[` too, which have no path. */
function hasAddress(context: Context): boolean {
  try {
    const path: unknown = context.path;
    return typeof path === 'string';
  } catch {
    return false;
  }
}

function writeProblem(context: Context, response: ProblemResponse): void {
  context.status = response.status;
  context.set({ ...response.headers });
  context.append('link', ERROR_LINK);
  context.body = JSON.stringify(response.body);
  context.set('content-type', response.headers['content-type'] ?? 'application/problem+json');
}
