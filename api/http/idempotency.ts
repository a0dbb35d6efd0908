import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../../domain/problem.ts';
import type { IdempotencyScope, StoredAnswer } from '../../store/idempotency-keys.ts';
import {
  claimIdempotencyKey,
  keepAnswer,
  releaseIdempotencyKey,
  renewIdempotencyClaim,
  yieldIdempotencyKey,
} from '../../store/idempotency-keys.ts';
import { newId } from '../../store/new-id.ts';
import { problemResponse } from './problem-response.ts';
import type { Answer, UnparsedRequest } from './route.ts';

const KEY_FORM = /^[\x21-\x7e]{1,255}$/;
/** Longer than a claim lasts, so that a repetition outlives a caller that died. */
const WAIT_MS = 20_000;
const LOOK_EVERY_MS = 100;
const RENEW_EVERY_MS = 5_000;

/** A request whose body has been read. */
type ReadRequest = UnparsedRequest & { readonly rawBody: string };

/**
 * Answers a request once for each `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07, design gap 39): a
 * repetition gets the first answer, a second caller waits for it, another request under the same key is refused with
 * 422. Without the header the request is answered as it is. A refusal of the input keeps nothing, so that the mended
 * request may use the key.
 */
export async function answerOnce(
  request: ReadRequest,
  answer: (effectId: string) => Promise<Answer>,
): Promise<Answer> {
  const header = request.raw.headers['idempotency-key'];
  if (header === undefined || request.actor === null) return answer(newId<'effect'>());
  const scope = scopeOf(request, request.actor, keyOf(header));
  const claim = await claimOrWait(request, scope);
  if (claim.kind === 'answered') return replayed(claim.answer);
  const renewal = setInterval(() => void renew(request, scope), RENEW_EVERY_MS);
  try {
    const first = await answer(claim.effectId).catch(async (error: unknown) => {
      await afterFailure(request, scope, error);
      throw error;
    });
    await keepFirst(request, scope, first);
    return first;
  } finally {
    clearInterval(renewal);
  }
}

/** Keeps the claim while this caller is at work; a renewal that fails is made up for by the next. */
function renew(request: ReadRequest, scope: IdempotencyScope): Promise<void> {
  return renewIdempotencyClaim(request.dependencies.database, scope).catch(() => undefined);
}

/** What was done is answered also when the answer cannot be kept: a repetition finds the same effect by its id. */
async function keepFirst(request: ReadRequest, scope: IdempotencyScope, first: Answer): Promise<void> {
  const { database, log } = request.dependencies;
  try {
    await keepAnswer(database, scope, stored(first));
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'unknown';
    log.warn({ requestId: request.raw.requestId, reason }, 'an answer could not be kept for repetitions');
    await letGo(request, scope);
  }
}

async function claimOrWait(request: ReadRequest, scope: IdempotencyScope) {
  const fingerprint = fingerprintOf(request);
  const until = Date.now() + WAIT_MS;
  for (;;) {
    const claim = await claimIdempotencyKey(request.dependencies.database, scope, fingerprint);
    if (claim.kind === 'claimed' || claim.kind === 'answered') return claim;
    if (claim.kind === 'other_request') {
      throw new Refusal({
        kind: 'invalid',
        violations: [
          {
            propertyPath: 'Idempotency-Key',
            message: 'This key was used for another request; take a new key for a new request.',
            code: 'rule',
          },
        ],
      });
    }
    if (Date.now() >= until) {
      throw new Refusal({
        kind: 'conflict',
        detail:
          'The first request with this Idempotency-Key is still being answered; repeat this one in a moment.',
      });
    }
    await delay(LOOK_EVERY_MS);
  }
}

async function afterFailure(
  request: UnparsedRequest,
  scope: IdempotencyScope,
  error: unknown,
): Promise<void> {
  const { database } = request.dependencies;
  if (error instanceof Refusal && error.problem.kind === 'conflict') {
    const { status, headers, body } = problemResponse(error.problem, request.raw.requestId);
    await keepAnswer(database, scope, { status, headers, body: JSON.stringify(body) });
  } else if (error instanceof Refusal && error.problem.kind !== 'unavailable') {
    await releaseIdempotencyKey(database, scope);
  } else {
    // A fault of ours may have left its effect behind: a repetition takes the same effect id, and need not wait.
    await letGo(request, scope);
  }
}

/** Ends this caller's claim. Where that fails too (the database is away), the claim runs out by itself. */
function letGo(request: UnparsedRequest, scope: IdempotencyScope): Promise<void> {
  return yieldIdempotencyKey(request.dependencies.database, scope).catch(() => undefined);
}

function keyOf(header: string): string {
  // The draft writes a structured-field string, in quotes; most clients send the bare value.
  const key = header.trim().replace(/^"(.*)"$/, '$1');
  if (KEY_FORM.test(key)) return key;
  throw new Refusal({
    kind: 'malformed',
    detail: 'Idempotency-Key must have 1 to 255 visible ASCII characters.',
  });
}

function scopeOf(
  { raw }: UnparsedRequest,
  actor: NonNullable<UnparsedRequest['actor']>,
  key: string,
): IdempotencyScope {
  return {
    organizationId: actor.organizationId,
    actor: actor.kind === 'user' ? actor.userId : 'key',
    method: raw.method,
    path: raw.path,
    key,
  };
}

function fingerprintOf({ raw, rawBody }: ReadRequest): Buffer {
  return createHash('sha256').update(`${raw.search}\n${rawBody}`).digest();
}

function stored(answer: Answer): StoredAnswer {
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

function replayed({ status, headers, body }: StoredAnswer): Answer {
  const { 'content-type': contentType, ...others } = headers;
  const parsed: unknown = body === null ? undefined : JSON.parse(body);
  return {
    status,
    headers: { ...others, 'idempotency-replayed': 'true' },
    ...(contentType === undefined ? {} : { contentType }),
    ...(parsed === undefined ? {} : { body: parsed }),
  };
}
