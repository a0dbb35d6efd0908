import type { DriverId, MerchantId, OrganizationId, SessionId, UserId } from '../../domain/ids.ts';
import type { UserRole } from '../../domain/permission.ts';
import type { SecondFactorState } from '../../domain/second-factor.ts';
import type { AuditCaller } from '../audit/audit-events.ts';
import { recordAudit } from '../audit/audit-events.ts';
import type { Database, Executor } from '../connection.ts';
import { execute, inTransaction, select, selectOne } from '../connection.ts';
import { newId } from '../new-id.ts';
import { prepared } from '../prepared.ts';

/** A user as sign-in and every request know it. */
export interface SignedInUser {
  readonly userId: UserId;
  readonly organizationId: OrganizationId;
  readonly email: string;
  readonly role: UserRole;
  readonly merchantId: MerchantId | null;
  readonly driverId: DriverId | null;
  readonly secondFactor: SecondFactorState;
}

/** A user `u`, as SignedInUser has it. */
export const USER_COLUMNS = `u.id as "userId", u.organization_id as "organizationId", u.email, u.role,
  u.merchant_id as "merchantId", (select d.id from drivers d where d.user_id = u.id and d.deleted_at is null) as "driverId",
  case when exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null) then 'on'
    when (select required.requires_second_factor from organizations required where required.id = u.organization_id) then 'missing'
    else 'off' end as "secondFactor"`;

/** Whether a user `u` may sign in: it is not disabled, and its organization is not suspended (decision 0042). */
const ACTIVE_USER = `(u.is_active
  and not exists (select from organizations suspended where suspended.id = u.organization_id and suspended.suspended_at is not null))`;

/**
 * Whether a session `s` of a user `u` lives: neither ended, nor past its last end, nor idle for too long, nor of a user who may not
 * sign in (interpretation 37). One rule for sessions of tokens, whose tokens have ends of their own, and of the console (decision 0029).
 */
export const LIVE_SESSION = `(${ACTIVE_USER} and s.revoked_at is null and s.expires_at > clock_timestamp()
  and (s.idle_expires_at > clock_timestamp()) is not false)`;

/** Finds an active user with its password's hash, by e-mail in any letter case. */
export function findCredentials(
  database: Database,
  email: string,
): Promise<(SignedInUser & { readonly passwordHash: string }) | undefined> {
  return selectOne(
    database,
    `select ${USER_COLUMNS}, u.password_hash as "passwordHash" from users u where u.email = lower($1) and ${ACTIVE_USER}`,
    [email],
  );
}

/** Whose e-mail address this is, in any letter case, whether that user may sign in or not. */
export function findAccount(
  executor: Executor,
  email: string,
): Promise<Pick<SignedInUser, 'userId' | 'organizationId'> | undefined> {
  return selectOne(
    executor,
    `select id as "userId", organization_id as "organizationId" from users where email = lower($1) and deleted_at is null`,
    [email],
  );
}

/**
 * The user of a session, as it is now: roles are read at each request, so that a demotion takes effect immediately.
 * Undefined when the session has ended or the user is disabled (interpretation 37).
 */
export function findSessionUser(
  database: Database,
  userId: UserId,
  sessionId: SessionId,
): Promise<SignedInUser | undefined> {
  return selectOne<SignedInUser>(
    database,
    prepared(`select ${USER_COLUMNS} from users u join sessions s on s.user_id = u.id
     where u.id = $1 and s.id = $2 and ${LIVE_SESSION}`),
    [userId, sessionId],
  );
}

/** The users of these sessions, as they are now; those of sessions that have ended are left out. */
export function findSessionUsers(
  database: Database,
  sessionIds: readonly SessionId[],
): Promise<(SignedInUser & { readonly sessionId: SessionId })[]> {
  return select(
    database,
    `select ${USER_COLUMNS}, s.id as "sessionId" from users u join sessions s on s.user_id = u.id
     where s.id = any($1::uuid[]) and ${LIVE_SESSION}`,
    [[...sessionIds]],
  );
}

/** For how long after its first use a refresh token gets one further pair (interpretation 37). */
export const REFRESH_REUSE_SECONDS = 30;

/** From where a session is opened: the address as limits count it, and what the program says of itself. */
export interface SessionOrigin {
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** Opens a session with its first refresh token. Lifetimes are in seconds: the session's, and that of the refresh token. */
export function openSession(
  executor: Executor,
  userId: UserId,
  refreshTokenHash: Buffer,
  lifetimes: { readonly session: number; readonly refreshToken: number },
  { address, userAgent }: SessionOrigin,
): Promise<SessionId> {
  return inTransaction(executor, async (transaction) => {
    const sessionId = newId<'session'>();
    await execute(
      transaction,
      `insert into sessions (id, user_id, expires_at, address, user_agent)
       values ($1, $2, clock_timestamp() + make_interval(secs => $3), $4, $5)`,
      [sessionId, userId, lifetimes.session, address, userAgent],
    );
    const token = { hash: refreshTokenHash, givenFor: null };
    await addToken(transaction, sessionId, token, lifetimes.refreshToken);
    return sessionId;
  });
}

/** Whether a used token `t` may still get its further pair; parameter 2 is the time for it in seconds. */
const IS_REUSABLE = '(t.reused_at is null and t.used_at > clock_timestamp() - make_interval(secs => $2))';

/** Whose refresh token this is; undefined when it can no longer be exchanged. */
export function findRefreshOwner(
  database: Database,
  tokenHash: Buffer,
): Promise<Pick<SignedInUser, 'userId' | 'organizationId'> | undefined> {
  return selectOne(
    database,
    prepared(`select u.id as "userId", u.organization_id as "organizationId"
     from refresh_tokens t join sessions s on s.id = t.session_id join users u on u.id = s.user_id
     where t.token_hash = $1 and (t.used_at is null or ${IS_REUSABLE}) and t.expires_at >= clock_timestamp()
       and ${LIVE_SESSION}`),
    [tokenHash, REFRESH_REUSE_SECONDS],
  );
}

/** What became of a refresh token. */
export type Rotation =
  | { readonly kind: 'rotated'; readonly sessionId: SessionId; readonly user: SignedInUser }
  | { readonly kind: 'expired' }
  /** It had been used before, and not just now: its whole family is revoked now (RFC 9700 section 4.14.2). */
  | { readonly kind: 'reused' }
  | { readonly kind: 'unknown' };

/** A refresh token as its rotation finds it. */
interface FoundToken {
  readonly sessionId: SessionId;
  readonly userId: UserId;
  readonly organizationId: OrganizationId;
  readonly isUsed: boolean;
  readonly isReusable: boolean;
  readonly isExpired: boolean;
  readonly hasEnded: boolean;
}

/**
 * Spends a refresh token and issues the next in its family, in one transaction. The rows of the token and of its session stay
 * locked, so that the refreshes of a session are decided one after the other. `from` is recorded where a reuse ends the session.
 */
export function rotateRefreshToken(
  database: Database,
  tokenHash: Buffer,
  nextTokenHash: Buffer,
  lifetimeSeconds: number,
  from: Pick<AuditCaller, 'operation' | 'address' | 'requestId'>,
): Promise<Rotation> {
  return inTransaction(database, async (transaction) => {
    const token = await selectOne<FoundToken>(
      transaction,
      `select t.session_id as "sessionId", s.user_id as "userId", u.organization_id as "organizationId", t.used_at is not null as "isUsed",
         coalesce(${IS_REUSABLE}, false) as "isReusable", t.expires_at < clock_timestamp() as "isExpired",
         s.revoked_at is not null or s.expires_at < clock_timestamp() as "hasEnded"
       from refresh_tokens t join sessions s on s.id = t.session_id join users u on u.id = s.user_id
       where t.token_hash = $1 for update of t, s`,
      [tokenHash, REFRESH_REUSE_SECONDS],
    );
    if (token === undefined || token.hasEnded) return { kind: 'unknown' };
    if (token.isUsed && !(await getsFurtherPair(transaction, token, tokenHash))) {
      await revoke(transaction, token.sessionId, 'a refresh token was used again');
      const { organizationId, userId } = token;
      // Whoever sent it is not known: it may be the thief or the user.
      await recordAudit(
        transaction,
        { ...from, organizationId, by: null },
        { kind: 'refresh_token.reused', subject: { kind: 'user', id: userId } },
      );
      return { kind: 'reused' };
    }
    if (token.isExpired) return { kind: 'expired' };
    const user = await selectOne<SignedInUser>(
      transaction,
      `select ${USER_COLUMNS} from users u where u.id = $1 and ${ACTIVE_USER}`,
      [token.userId],
    );
    if (user === undefined) return { kind: 'unknown' };
    await execute(
      transaction,
      `update refresh_tokens set used_at = coalesce(used_at, clock_timestamp()),
         reused_at = case when used_at is null then null else clock_timestamp() end where token_hash = $1`,
      [tokenHash],
    );
    await execute(transaction, 'update sessions set last_used_at = clock_timestamp() where id = $1', [
      token.sessionId,
    ]);
    const next = { hash: nextTokenHash, givenFor: tokenHash };
    await addToken(transaction, token.sessionId, next, lifetimeSeconds);
    return { kind: 'rotated', sessionId: token.sessionId, user };
  });
}

/**
 * Whether a used token gets a further pair: once, soon after its first use, and while the token that it was exchanged for is
 * unused. A statement of its own, since it has to see what was committed while the locks were waited for.
 */
async function getsFurtherPair(
  transaction: Executor,
  { sessionId, isReusable }: FoundToken,
  tokenHash: Buffer,
): Promise<boolean> {
  if (!isReusable) return false;
  const usedSuccessor = await selectOne(
    transaction,
    `select token_hash from refresh_tokens
     where session_id = $1 and given_for = $2 and used_at is not null limit 1`,
    [sessionId, tokenHash],
  );
  return usedSuccessor === undefined;
}

/** Ends a session: its refresh tokens and its JWTs are rejected from now on. Harmless when repeated. */
export function revoke(executor: Executor, sessionId: SessionId, because: string): Promise<void> {
  return execute(
    executor,
    'update sessions set revoked_at = clock_timestamp(), revoked_because = $2 where id = $1 and revoked_at is null',
    [sessionId, because],
  );
}

function addToken(
  transaction: Executor,
  sessionId: SessionId,
  { hash, givenFor }: { readonly hash: Buffer; readonly givenFor: Buffer | null },
  lifetimeSeconds: number,
): Promise<void> {
  return execute(
    transaction,
    `insert into refresh_tokens (token_hash, session_id, expires_at, given_for)
     values ($1, $2, clock_timestamp() + make_interval(secs => $3), $4)`,
    [hash, sessionId, lifetimeSeconds, givenFor],
  );
}
