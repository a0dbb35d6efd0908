import type { DriverId, MerchantId, OrganizationId, SessionId, UserId } from '../../domain/ids.ts';
import type { UserRole } from '../../domain/permission.ts';
import type { Database, Executor } from '../connection.ts';
import { execute, inTransaction, selectOne } from '../connection.ts';
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
}

const USER_COLUMNS = `u.id as "userId", u.organization_id as "organizationId", u.email, u.role,
  u.merchant_id as "merchantId", (select d.id from drivers d where d.user_id = u.id and d.deleted_at is null) as "driverId"`;

/** Finds an active user with its password's hash, by e-mail in any letter case. */
export function findCredentials(
  database: Database,
  email: string,
): Promise<(SignedInUser & { readonly passwordHash: string }) | undefined> {
  return selectOne(
    database,
    `select ${USER_COLUMNS}, u.password_hash as "passwordHash" from users u where u.email = lower($1) and u.is_active`,
    [email],
  );
}

/**
 * The user of a session, as it is now: roles are read at each request, so that a demotion takes effect immediately.
 * Undefined when the session was revoked or the user disabled (interpretation 37).
 */
export function findSessionUser(
  database: Database,
  userId: UserId,
  sessionId: SessionId,
): Promise<SignedInUser | undefined> {
  return selectOne<SignedInUser>(
    database,
    prepared(`select ${USER_COLUMNS} from users u join sessions s on s.user_id = u.id
     where u.id = $1 and s.id = $2 and u.is_active and s.revoked_at is null`),
    [userId, sessionId],
  );
}

/** Opens a session with its first refresh token. */
export function openSession(
  database: Database,
  userId: UserId,
  refreshTokenHash: Buffer,
  lifetimeSeconds: number,
): Promise<SessionId> {
  return inTransaction(database, async (transaction) => {
    const sessionId = newId<'session'>();
    await execute(transaction, 'insert into sessions (id, user_id) values ($1, $2)', [sessionId, userId]);
    await addToken(transaction, sessionId, refreshTokenHash, lifetimeSeconds);
    return sessionId;
  });
}

/** Whose refresh token this is; undefined when it can no longer be exchanged. */
export function findRefreshOwner(
  database: Database,
  tokenHash: Buffer,
): Promise<Pick<SignedInUser, 'userId' | 'organizationId'> | undefined> {
  return selectOne(
    database,
    prepared(`select u.id as "userId", u.organization_id as "organizationId"
     from refresh_tokens t join sessions s on s.id = t.session_id join users u on u.id = s.user_id
     where t.token_hash = $1 and t.used_at is null and t.expires_at >= clock_timestamp()
       and s.revoked_at is null and u.is_active`),
    [tokenHash],
  );
}

/** What became of a refresh token. */
export type Rotation =
  | { readonly kind: 'rotated'; readonly sessionId: SessionId; readonly user: SignedInUser }
  | { readonly kind: 'expired' }
  /** It had been used before: its whole family is revoked now (RFC 9700 section 4.14.2). */
  | { readonly kind: 'reused' }
  | { readonly kind: 'unknown' };

/** Spends a refresh token and issues the next in its family, in one transaction under its row's lock. */
export function rotateRefreshToken(
  database: Database,
  tokenHash: Buffer,
  nextTokenHash: Buffer,
  lifetimeSeconds: number,
): Promise<Rotation> {
  return inTransaction(database, async (transaction) => {
    const token = await selectOne<{
      sessionId: SessionId;
      userId: UserId;
      isUsed: boolean;
      isExpired: boolean;
      isRevoked: boolean;
    }>(
      transaction,
      `select t.session_id as "sessionId", s.user_id as "userId", t.used_at is not null as "isUsed",
         t.expires_at < clock_timestamp() as "isExpired", s.revoked_at is not null as "isRevoked"
       from refresh_tokens t join sessions s on s.id = t.session_id where t.token_hash = $1 for update`,
      [tokenHash],
    );
    if (token === undefined || token.isRevoked) return { kind: 'unknown' };
    if (token.isUsed) {
      await revoke(transaction, token.sessionId, 'a refresh token was used twice');
      return { kind: 'reused' };
    }
    if (token.isExpired) return { kind: 'expired' };
    const user = await selectOne<SignedInUser>(
      transaction,
      `select ${USER_COLUMNS} from users u where u.id = $1 and u.is_active`,
      [token.userId],
    );
    if (user === undefined) return { kind: 'unknown' };
    await execute(
      transaction,
      'update refresh_tokens set used_at = clock_timestamp() where token_hash = $1',
      [tokenHash],
    );
    await addToken(transaction, token.sessionId, nextTokenHash, lifetimeSeconds);
    return { kind: 'rotated', sessionId: token.sessionId, user };
  });
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
  tokenHash: Buffer,
  lifetimeSeconds: number,
): Promise<void> {
  return execute(
    transaction,
    `insert into refresh_tokens (token_hash, session_id, expires_at)
     values ($1, $2, clock_timestamp() + make_interval(secs => $3))`,
    [tokenHash, sessionId, lifetimeSeconds],
  );
}
