import type { Database } from '../connection.ts';
import { execute, selectOne } from '../connection.ts';
import { newId } from '../new-id.ts';
import { prepared } from '../prepared.ts';

/** The scope of a key: for another actor or path the same key is another request (interpretation 39). */
export interface IdempotencyScope {
  readonly organizationId: string;
  readonly actor: string;
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

/** An answer as it is kept. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** What a key is worth to its caller. */
export type IdempotencyClaim =
  /** The request is this caller's to do; what it creates takes `effectId`. */
  | {
      readonly kind: 'claimed';
      readonly effectId: string;
      /** Whether an earlier caller claimed the key and left no answer: its effect may exist. */
      readonly isRepeat: boolean;
    }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  /** Another caller is at work on it, or died so recently that its claim still stands. */
  | { readonly kind: 'in_progress'; readonly effectId: string | undefined }
  | { readonly kind: 'other_request' };

/** The lifetime of a key, unless its route sets another (interpretation 39). */
export const DEFAULT_LIFETIME_HOURS = 24;
/** After this a caller that neither answered nor renewed is taken for dead, and the next takes over its effect id. */
const CLAIM_SECONDS = 15;

interface ClaimRow {
  readonly effectId: string;
  readonly isMine: boolean;
  readonly isSame: boolean;
  readonly status: number | null;
  readonly headers: Record<string, string> | null;
  readonly body: string | null;
}

/**
 * Claims a key, or returns its stored answer. A claim whose caller died is taken over with its effect id. The first of the
 * `fingerprints` is stored with a new claim. A key that was stored with one of them belongs to the same request.
 */
export async function claimIdempotencyKey(
  database: Database,
  scope: IdempotencyScope,
  fingerprints: readonly Buffer[],
  lifetimeHours: number = DEFAULT_LIFETIME_HOURS,
): Promise<IdempotencyClaim> {
  const freshId = newId<'effect'>();
  const row = await selectOne<ClaimRow>(
    database,
    prepared(`with claimed as (
       insert into idempotency_keys as k (organization_id, actor, method, path, key, fingerprint, effect_id, claimed_until, expires_at)
       values ($1, $2, $3, $4, $5, ($6::bytea[])[1], $7, clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS}), clock_timestamp() + make_interval(hours => $8::int))
       on conflict (organization_id, actor, method, path, key) do update set
         fingerprint = case when k.expires_at < clock_timestamp() then excluded.fingerprint else k.fingerprint end,
         effect_id = case when k.expires_at < clock_timestamp() then excluded.effect_id else k.effect_id end,
         response_status = case when k.expires_at < clock_timestamp() then null else k.response_status end,
         claimed_until = excluded.claimed_until, expires_at = greatest(k.expires_at, excluded.expires_at)
       where k.expires_at < clock_timestamp()
         or (k.response_status is null and k.claimed_until < clock_timestamp() and k.fingerprint = any($6::bytea[]))
       returning effect_id)
     select effect_id::text as "effectId", true as "isMine", true as "isSame", null::int as status, null::jsonb as headers, null::text as body from claimed
     union all
     select effect_id::text, false, fingerprint = any($6::bytea[]), response_status, response_headers, response_body from idempotency_keys
     where ${IN_SCOPE} and not exists (select from claimed)`),
    [...scopeValues(scope), fingerprints, freshId, lifetimeHours],
  );
  if (row === undefined) return { kind: 'in_progress', effectId: undefined };
  if (row.isMine) {
    return { kind: 'claimed', effectId: row.effectId, isRepeat: row.effectId !== freshId };
  }
  if (!row.isSame) return { kind: 'other_request' };
  if (row.status === null) return { kind: 'in_progress', effectId: row.effectId };
  return { kind: 'answered', answer: { status: row.status, headers: row.headers ?? {}, body: row.body } };
}

/** Extends the claim of the first caller, which is still at work. */
export function renewIdempotencyClaim(database: Database, scope: IdempotencyScope): Promise<void> {
  return claimFor(database, scope, CLAIM_SECONDS);
}

/** Ends a claim without an answer: a repeated request takes over its effect id immediately. */
export function yieldIdempotencyKey(database: Database, scope: IdempotencyScope): Promise<void> {
  return claimFor(database, scope, 0);
}

function claimFor(database: Database, scope: IdempotencyScope, seconds: number): Promise<void> {
  return execute(
    database,
    `update idempotency_keys set claimed_until = clock_timestamp() + make_interval(secs => $6)
     where ${IN_SCOPE} and response_status is null`,
    [...scopeValues(scope), seconds],
  );
}

/** Stores the first answer for repeated requests. */
export function keepAnswer(database: Database, scope: IdempotencyScope, answer: StoredAnswer): Promise<void> {
  return execute(
    database,
    `update idempotency_keys set response_status = $6, response_headers = $7::jsonb, response_body = $8 where ${IN_SCOPE}`,
    [...scopeValues(scope), answer.status, JSON.stringify(answer.headers), answer.body],
  );
}

/** Frees a key whose request was rejected before it did anything, so that the corrected request may use it. */
export function releaseIdempotencyKey(database: Database, scope: IdempotencyScope): Promise<void> {
  return execute(
    database,
    `delete from idempotency_keys where ${IN_SCOPE} and response_status is null`,
    scopeValues(scope),
  );
}

/** The parameters are those of `scopeValues`. */
const IN_SCOPE = 'organization_id = $1 and actor = $2 and method = $3 and path = $4 and key = $5';

function scopeValues({ organizationId, actor, method, path, key }: IdempotencyScope): string[] {
  return [organizationId, actor, method, path, key];
}
