import type { Context } from 'koa';
import { createHash, createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { say } from '../../domain/messages.ts';
import { invalid, ProblemError, stated } from '../../domain/problem.ts';
import type { IdempotencyScope, StoredAnswer } from '../../store/accounts/idempotency-keys.ts';
import {
  claimIdempotencyKey,
  keepAnswer,
  releaseIdempotencyKey,
  renewIdempotencyClaim,
  yieldIdempotencyKey,
} from '../../store/accounts/idempotency-keys.ts';
import { problemResponse } from './problem-response.ts';
import { requestIdOf } from './errors.ts';
import type { Actor, RequestParts, RouteInfo, RouteResponse, SentBody } from './route.ts';

/** Visible ASCII. */
export const KEY_FORM = '^[\\x21-\\x7e]{1,255}$';
/** Longer than a claim lasts, so that a repetition outlives a caller that died. */
const WAIT_MS = 20_000;
const POLL_EVERY_MS = 100;
/** A first caller that lives has answered by then in most cases; after it a repeat is answered from what is stored. */
const FIRST_CALLER_MS = 1_000;
const RENEW_EVERY_MS = 5_000;

/** A request with a key, whose body has been read; or an item of a request that has keys for its items. */
export interface KeyedRequest extends Pick<RequestParts<unknown>, 'context' | 'dependencies'> {
  readonly scope: IdempotencyScope;
  /** What tells it from other requests: the first is kept with the key, and a key that has one of the others is its own too. */
  readonly fingerprints: readonly Buffer[];
  /** By default that of `claimIdempotencyKey`. */
  readonly lifetimeHours: number | undefined;
  /** Where the request has its key, for the violation of another request. */
  readonly keyName: string;
}

/**
 * Answers a request of a route, once for each key where the route takes keys. A key is looked up before the record is loaded: a
 * repeat gets the first answer, whatever became of the record.
 */
export async function answerOnce(
  parts: Pick<RequestParts<unknown>, 'context' | 'dependencies' | 'params' | 'effectId'>,
  actor: Actor | null,
  { isIdempotent = false, ...options }: Pick<RouteInfo, 'isIdempotent' | 'idempotency' | 'hasPassword'>,
  readBody: () => Promise<SentBody>,
  answer: (effectId: string, read: () => Promise<SentBody>) => Promise<RouteResponse>,
  repeat: Repeat,
): Promise<RouteResponse> {
  const key = isIdempotent ? idempotencyKeyOf(parts.context) : undefined;
  if (key === undefined || actor === null) return answer(parts.effectId, readBody);
  const sent = await readBody();
  const request = keyedRequest(parts, actor, key, sent, options);
  return withIdempotency(request, (effectId) => answer(effectId, () => Promise.resolve(sent)), repeat);
}

/** The request of a route with a key in its header. */
function keyedRequest(
  { context, dependencies, params }: Pick<RequestParts<unknown>, 'context' | 'dependencies' | 'params'>,
  actor: Actor,
  key: string,
  { body, rawBody }: SentBody,
  { idempotency: options, hasPassword = false }: Pick<RouteInfo, 'idempotency' | 'hasPassword'>,
): KeyedRequest {
  const meaning = options?.meaningOf(body);
  const text = `${context.search}\n${rawBody}`;
  const asSent = hasPassword ? sealedFingerprintOf(text, dependencies.config.jwtSecret) : fingerprintOf(text);
  return {
    context,
    dependencies,
    scope: {
      organizationId: actor.organizationId,
      actor: actor.kind === 'user' ? actor.userId : 'key',
      method: context.method,
      path: options?.resource(params) ?? context.path,
      key,
    },
    // Builds before this one kept the text alone.
    fingerprints: meaning === undefined ? [asSent] : [fingerprintOf(meaning), asSent],
    lifetimeHours: options?.lifetimeHours(dependencies.config),
    keyName: 'Idempotency-Key',
  };
}

/** The digest that tells whether two requests are the same. */
export function fingerprintOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The same of a text that has a password: without the secret no guess can be compared with it. */
function sealedFingerprintOf(text: string, secret: string): Buffer {
  return createHmac('sha256', secret).update('idempotency key\n').update(text).digest();
}

/** Answers a repeat whose first answer was lost (route.ts `repeat`). */
type Repeat = ((effectId: string) => Promise<RouteResponse | undefined>) | undefined;

/**
 * Answers a request once for each `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07, interpretation 39):
 * a repeat gets the first answer, a second caller waits for it, another request under the same key is rejected with
 * 422. A rejected input stores nothing, so that the corrected request may use the key; the outcome of a stored command
 * is kept, whatever it is.
 */
export async function withIdempotency(
  request: KeyedRequest,
  answer: (effectId: string) => Promise<RouteResponse>,
  repeat: Repeat,
): Promise<RouteResponse> {
  const { scope } = request;
  const claim = await claimOrWait(request, repeat);
  if (claim.kind === 'answered') return replayed(claim.answer);
  if (claim.kind === 'repeated') return claim.answer;
  const renewal = setInterval(() => void renew(request, scope), RENEW_EVERY_MS);
  try {
    const again = claim.isRepeat ? await repeat?.(claim.effectId) : undefined;
    const first = again ?? (await answer(claim.effectId));
    const isOpen = repeat !== undefined && first.status === 202;
    await (isOpen ? releaseClaim(request, scope) : storeResponse(request, scope, first));
    return first;
  } catch (error) {
    await afterFailure(request, scope, error);
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

/** Keeps the claim while this caller is at work; a renewal that fails is made up for by the next. */
function renew(request: KeyedRequest, scope: IdempotencyScope): Promise<void> {
  return renewIdempotencyClaim(request.dependencies.database, scope).catch(() => undefined);
}

/** What was done is answered also when the answer cannot be kept: a repetition finds the same effect by its id. */
async function storeResponse(
  request: KeyedRequest,
  scope: IdempotencyScope,
  first: RouteResponse,
): Promise<void> {
  const { database, log } = request.dependencies;
  try {
    await keepAnswer(database, scope, stored(first));
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'unknown';
    log.warn({ requestId: requestIdOf(request.context), reason }, 'failed to store idempotent response');
    await releaseClaim(request, scope);
  }
}

/**
 * Claims the key, or waits for the caller that has it: for its answer, or for what the request stored before that caller
 * died, or for the end of its claim.
 */
async function claimOrWait(request: KeyedRequest, repeat: Repeat) {
  const { dependencies, scope, fingerprints, lifetimeHours, keyName } = request;
  const startedAt = performance.now();
  for (;;) {
    const claim = await claimIdempotencyKey(dependencies.database, scope, fingerprints, lifetimeHours);
    if (claim.kind === 'claimed' || claim.kind === 'answered') return claim;
    if (claim.kind === 'other_request') {
      throw new ProblemError(invalid(keyName, say('key_reused'), 'rule'));
    }
    const waitedMs = performance.now() - startedAt;
    if (waitedMs >= FIRST_CALLER_MS && claim.effectId !== undefined) {
      const answer = await repeat?.(claim.effectId);
      if (answer !== undefined) return { kind: 'repeated', answer } as const;
    }
    if (waitedMs >= WAIT_MS) {
      throw new ProblemError({
        kind: 'conflict',
        ...stated(say('in_progress')),
      });
    }
    await delay(POLL_EVERY_MS);
  }
}

async function afterFailure(request: KeyedRequest, scope: IdempotencyScope, error: unknown): Promise<void> {
  const { database } = request.dependencies;
  if (error instanceof ProblemError && (error.isOutcome || error.problem.kind === 'conflict')) {
    const { status, headers, body } = problemResponse(error.problem, requestIdOf(request.context));
    await keepAnswer(database, scope, { status, headers, body: JSON.stringify(body) });
  } else if (error instanceof ProblemError && error.problem.kind !== 'unavailable') {
    await releaseIdempotencyKey(database, scope);
  } else {
    // A fault of ours may have left its effect behind: a repetition takes the same effect id, and need not wait.
    await releaseClaim(request, scope);
  }
}

/** Ends this caller's claim. Where that fails too (the database is away), the claim runs out by itself. */
function releaseClaim(request: KeyedRequest, scope: IdempotencyScope): Promise<void> {
  return yieldIdempotencyKey(request.dependencies.database, scope).catch(() => undefined);
}

/** Reads the request's key; undefined without the header. Throws a 400 for a key of another form. */
function idempotencyKeyOf({ req }: Context): string | undefined {
  const header = req.headers['idempotency-key'];
  if (typeof header !== 'string') return undefined;
  // The draft writes a structured-field string, in quotes; most clients send the bare value.
  const key = header.trim().replace(/^"(.*)"$/, '$1');
  if (new RegExp(KEY_FORM).test(key)) return key;
  throw new ProblemError({
    kind: 'malformed',
    detail: 'Idempotency-Key must have 1 to 255 visible ASCII characters.',
  });
}

function stored(answer: RouteResponse): StoredAnswer {
  return {
    status: answer.status,
    headers: {
      ...(answer.headers ?? {}),
      ...(answer.contentType === undefined ? {} : { 'content-type': answer.contentType }),
      ...(answer.etag === undefined ? {} : { etag: `"${answer.etag}"` }),
    },
    body: answer.body === undefined ? null : JSON.stringify(answer.body),
  };
}

function replayed({ status, headers, body }: StoredAnswer): RouteResponse {
  const { 'content-type': contentType, ...others } = headers;
  const parsed: unknown = body === null ? undefined : JSON.parse(body);
  return {
    status,
    headers: { ...others, 'idempotency-replayed': 'true' },
    ...(contentType === undefined ? {} : { contentType }),
    ...(parsed === undefined ? {} : { body: parsed }),
  };
}
