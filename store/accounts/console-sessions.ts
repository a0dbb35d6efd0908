import type { Language, Plan } from '../../domain/enumerations.ts';
import type { OrganizationId, SessionId, UserId } from '../../domain/ids.ts';
import { STEP_UP_SECONDS } from '../../domain/second-factor.ts';
import type { Database, Executor } from '../connection.ts';
import { execute, inTransaction, selectOne } from '../connection.ts';
import { newId } from '../new-id.ts';
import { prepared } from '../prepared.ts';
import type { SessionOrigin, SignedInUser } from './sessions.ts';
import { LIVE_SESSION, revoke, USER_COLUMNS } from './sessions.ts';

/**
 * Sessions of the console, which a cookie names (decision 0029). They are rows of `sessions`: what ends a session of tokens
 * (sessions.ts, users.ts) ends them as well.
 */

/** How long a session of the console lasts without a request: 12 hours. */
export const IDLE_SECONDS = 43_200;
/** How long it lasts at most: 30 days. */
export const LIFETIME_SECONDS = 2_592_000;
/** Its use is written at most once in this time, so that a request costs a read and no write. */
export const USE_WRITTEN_EVERY_SECONDS = 300;

/** A user whom a cookie names, with the session. */
export interface ConsoleUser extends SignedInUser {
  readonly sessionId: SessionId;
  /** Whether the session's use has to be written. */
  readonly isUseDue: boolean;
  /** Whether the user gave the password of late (decision 0046). */
  readonly isConfirmed: boolean;
}

/** The user of a cookie, as it is now; undefined when its session is unknown, has ended, or the user is disabled. */
export function findConsoleUser(database: Database, cookieHash: Buffer): Promise<ConsoleUser | undefined> {
  return selectOne<ConsoleUser>(
    database,
    prepared(`select ${USER_COLUMNS}, s.id as "sessionId",
       s.idle_expires_at < least(s.expires_at, clock_timestamp() + make_interval(secs => $2)) as "isUseDue",
       coalesce(s.confirmed_at > clock_timestamp() - make_interval(secs => $3), false) as "isConfirmed"
     from sessions s join users u on u.id = s.user_id where s.cookie_hash = $1 and ${LIVE_SESSION}`),
    [cookieHash, IDLE_SECONDS - USE_WRITTEN_EVERY_SECONDS, STEP_UP_SECONDS],
  );
}

/** Moves a session's idle end, up to its last end. Harmless when repeated; an ended session stays ended. */
export function recordUse(database: Database, sessionId: SessionId): Promise<void> {
  return execute(
    database,
    `update sessions s set last_used_at = clock_timestamp(), idle_expires_at = least(s.expires_at, clock_timestamp() + make_interval(secs => $2))
     from users u where s.id = $1 and u.id = s.user_id and ${LIVE_SESSION}`,
    [sessionId, IDLE_SECONDS],
  );
}

/** Notes that the user of a session has given the password again. */
export function confirmSession(executor: Executor, sessionId: SessionId): Promise<void> {
  return execute(executor, 'update sessions set confirmed_at = clock_timestamp() where id = $1', [sessionId]);
}

/** Opens a session with its cookie. The session of the cookie that the browser had until now ends, whoever's it was. */
export function openConsoleSession(
  executor: Executor,
  userId: UserId,
  cookieHash: Buffer,
  replacedHash: Buffer | undefined,
  { address, userAgent }: SessionOrigin,
): Promise<SessionId> {
  return inTransaction(executor, async (transaction) => {
    const replaced =
      replacedHash === undefined
        ? undefined
        : await selectOne<{ id: SessionId }>(transaction, 'select id from sessions where cookie_hash = $1', [
            replacedHash,
          ]);
    if (replaced !== undefined) await revoke(transaction, replaced.id, 'signed in again');
    const id = newId<'session'>();
    await execute(
      transaction,
      `insert into sessions (id, user_id, cookie_hash, idle_expires_at, expires_at, address, user_agent, confirmed_at) values ($1, $2, $3,
         clock_timestamp() + make_interval(secs => $4), clock_timestamp() + make_interval(secs => $5), $6, $7, clock_timestamp())`,
      [id, userId, cookieHash, IDLE_SECONDS, LIFETIME_SECONDS, address, userAgent],
    );
    return id;
  });
}

/** What the console shows of who is signed in. */
export interface ConsoleSession extends SignedInUser {
  readonly firstName: string;
  readonly lastName: string;
  readonly language: Language | null;
  readonly organizationName: string;
  readonly currency: string;
  readonly timezone: string;
  readonly plan: Plan;
  /** When the session ends unless it is used before. */
  readonly expiresAt: Date;
}

/** Reads a live session of the console with its user and organization; undefined when it has ended meanwhile. */
export function readConsoleSession(
  database: Database,
  sessionId: SessionId,
): Promise<ConsoleSession | undefined> {
  return selectOne<ConsoleSession>(
    database,
    `select ${USER_COLUMNS}, u.first_name as "firstName", u.last_name as "lastName", u.language,
       o.name as "organizationName", o.currency, o.timezone, o.plan, s.idle_expires_at as "expiresAt"
     from sessions s join users u on u.id = s.user_id join organizations o on o.id = u.organization_id
     where s.id = $1 and s.cookie_hash is not null and ${LIVE_SESSION}`,
    [sessionId],
  );
}

/** Keeps the language that a user chose; null: the browser's. It is no part of the user's record, whose version stays. */
export function chooseLanguage(
  database: Database,
  who: { readonly userId: UserId; readonly organizationId: OrganizationId },
  language: Language | null,
): Promise<void> {
  return execute(database, 'update users set language = $3 where id = $1 and organization_id = $2', [
    who.userId,
    who.organizationId,
    language,
  ]);
}
