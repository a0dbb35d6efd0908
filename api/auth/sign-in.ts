import type { SessionId, UserId } from '../../domain/ids.ts';
import type { Said } from '../../domain/messages.ts';
import { say } from '../../domain/messages.ts';
import { ProblemError, stated } from '../../domain/problem.ts';
import type { SessionOrigin, SignedInUser } from '../../store/accounts/sessions.ts';
import { findAccount } from '../../store/accounts/sessions.ts';
import type { AuditNote } from '../../store/audit/audit-events.ts';
import { recordAudit } from '../../store/audit/audit-events.ts';
import type { Executor } from '../../store/connection.ts';
import { inTransaction } from '../../store/connection.ts';
import { originOf } from '../http/audited.ts';
import { RATE_LIMIT_HEADERS } from '../http/rate-limit.ts';
import type { LoadedRequest, ResponseDoc } from '../http/route.ts';
import type { Infer } from '../schema/schema.ts';
import { named } from '../schema/schema.ts';
import { object, required } from '../schema/schema-objects.ts';
import { text } from '../schema/schema-values.ts';
import { GUESS_LIMITS, guessPassword } from './guess-password.ts';
import { OPTIONAL_TOTP, spendCode } from './second-factor.ts';

const MAXIMUM_PASSWORD_LENGTH = 1_000;

/** Characters of a `User-Agent` header that a session keeps. */
const SHOWN_USER_AGENT = 200;

/** Body of a sign-in, for tokens as for the console. */
export const credentialsBody = named(
  'Credentials',
  object({
    email: required(text({ max: 255 })),
    password: required(text({ max: MAXIMUM_PASSWORD_LENGTH, min: 0 })),
    totp: OPTIONAL_TOTP,
  }),
);

/** How a sign-in is rejected. */
export const SIGN_IN_REJECTIONS = {
  401: {
    description:
      'No active user has this email address and password. Where they are right, `messageKey` says what is missing: `totp_required`, `totp_wrong` (a user with a second factor sends a code as `totp`), or `second_factor_missing` (the organization requires one that the user has not set up).',
    headers: RATE_LIMIT_HEADERS,
  },
  429: {
    description:
      'Too many attempts or wrong codes, or too many pending from this address; Retry-After says when to retry.',
    headers: RATE_LIMIT_HEADERS,
  },
} as const satisfies Record<number, ResponseDoc>;

/** A request to sign in. */
type SignInRequest = Pick<
  LoadedRequest<unknown, Infer<typeof credentialsBody>, unknown, 'public'>,
  'body' | 'context' | 'dependencies' | 'operation'
>;

/** What a sign-in opens. */
interface Opening {
  readonly open: (executor: Executor, userId: UserId, from: SessionOrigin) => Promise<SessionId>;
  /** Whether a user comes in who has to set up a second factor first, and can do so there. */
  readonly admitsWithoutFactor: boolean;
}

/**
 * Signs in: checks the credentials within their limits (guess-password.ts), then the second factor of a user who has one, and opens a
 * session by `open`. Each end is in the audit log. Throws an unauthenticated ProblemError where no active user has the credentials, in the
 * same words for a wrong password and an unknown user; one that says what is missing where they are right; a limited one past a limit.
 */
export async function signIn(
  request: SignInRequest,
  { open, admitsWithoutFactor }: Opening,
): Promise<{ readonly user: SignedInUser; readonly sessionId: SessionId }> {
  const { body, context, dependencies, operation } = request;
  const { database } = dependencies;
  const email = body.email.trim().toLowerCase();
  const guess = { context, email, password: body.password, actor: null };
  const user = await guessPassword(dependencies, guess, GUESS_LIMITS.signIn);
  const origin = { operation, ...originOf(context) };
  if (user === undefined) {
    const account = await findAccount(database, email);
    await recordAudit(
      database,
      { ...origin, organizationId: account?.organizationId ?? null, by: null },
      { kind: 'session.rejected', ...(account && { subject: { kind: 'user', id: account.userId } }) },
    );
    throw new ProblemError({ kind: 'unauthenticated', detail: 'Invalid credentials.' });
  }
  const { userId, organizationId } = user;
  if (user.secondFactor === 'on' || !admitsWithoutFactor) await requireFactor(request, user);
  const userAgent = context.get('user-agent').slice(0, SHOWN_USER_AGENT) || null;
  const sessionId = await inTransaction(database, async (transaction) => {
    const id = await open(transaction, userId, { address: origin.address, userAgent });
    await recordAudit(
      transaction,
      { ...origin, organizationId, by: { userId } },
      { kind: 'session.opened', subject: { kind: 'user', id: userId } },
    );
    return id;
  });
  return { user, sessionId };
}

/** Asks a user whose password is right for its second factor (decision 0046). */
async function requireFactor({ body, context, dependencies, operation }: SignInRequest, user: SignedInUser) {
  const { userId, organizationId, secondFactor } = user;
  const note = (kind: AuditNote['kind']) =>
    recordAudit(
      dependencies.database,
      { operation, ...originOf(context), organizationId, by: null },
      { kind, subject: { kind: 'user', id: userId } },
    );
  const reject = async (kind: AuditNote['kind'], said: Said): Promise<never> => {
    await note(kind);
    throw new ProblemError({ kind: 'unauthenticated', ...stated(said) });
  };
  if (secondFactor === 'off') return;
  if (secondFactor === 'missing') return reject('second_factor.asked', say('second_factor_missing'));
  if (body.totp === null) return reject('second_factor.asked', say('totp_required'));
  const proof = await spendCode(dependencies, userId, body.totp);
  if (proof === undefined) return reject('second_factor.rejected', say('totp_wrong'));
  if (proof === 'recovery_code') await note('recovery_code.used');
}
