import type { UserId } from '../../domain/ids.ts';
import { say } from '../../domain/messages.ts';
import { invalid, ProblemError } from '../../domain/problem.ts';
import { WRONG_CODES } from '../../domain/second-factor.ts';
import { giveBackRateHit, hitRateWindow } from '../../store/accounts/rate-windows.ts';
import type { SecondFactor } from '../../store/accounts/second-factors.ts';
import { findSecondFactor, spendRecoveryCode, spendStep } from '../../store/accounts/second-factors.ts';
import type { Dependencies } from '../dependencies.ts';
import { recordAct } from '../http/audited.ts';
import type { RouteRequest } from '../http/route.ts';
import { optional } from '../schema/schema-objects.ts';
import { text } from '../schema/schema-values.ts';
import { recoveryCodeHash } from './recovery-codes.ts';
import { totpStepOf } from './totp.ts';

const MAXIMUM_CODE_LENGTH = 100;

/** A code of an app, or a recovery code in its place. */
export const TOTP_CODE = text({
  max: MAXIMUM_CODE_LENGTH,
  description: 'The six digits that the authenticator app shows, or a recovery code.',
});
/** The same where it is asked of those alone who have a second factor. */
export const OPTIONAL_TOTP = optional(TOTP_CODE);

/** With what a user has proved that it has its second factor. */
export type FactorProof = 'code' | 'recovery_code';

/**
 * Spends a code of a user who has a second factor; undefined where it is wrong, of another time, or spent. Throws a limited ProblemError
 * where too many were wrong. The caller knows the password, so that nobody else can keep the user out.
 */
export function spendCode(
  dependencies: Dependencies,
  userId: UserId,
  typed: string,
): Promise<FactorProof | undefined> {
  return countingWrongCodes(dependencies, userId, async () => {
    const { database } = dependencies;
    const recoveryHash = recoveryCodeHash(typed);
    if (recoveryHash !== undefined) {
      return (await spendRecoveryCode(database, userId, recoveryHash)) ? 'recovery_code' : undefined;
    }
    const factor = await findSecondFactor(database, userId);
    const step = factor && stepOf(dependencies, factor, typed);
    return step !== undefined && (await spendStep(database, userId, step)) ? 'code' : undefined;
  });
}

/** The step of a code of the secret that a user was offered; undefined where it is wrong. Throws as `spendCode` does. */
export function checkOfferedCode(
  dependencies: Dependencies,
  userId: UserId,
  offered: SecondFactor,
  typed: string,
): Promise<number | undefined> {
  return countingWrongCodes(dependencies, userId, () =>
    Promise.resolve(stepOf(dependencies, offered, typed)),
  );
}

function stepOf({ clock }: Dependencies, { secret }: SecondFactor, typed: string): number | undefined {
  return totpStepOf(secret, typed.replaceAll(/\s/g, ''), clock());
}

/** Counts a code before it is checked, so that many at the same time are counted too; a right one does not count. */
async function countingWrongCodes<Result>(
  { database }: Dependencies,
  userId: UserId,
  check: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const counted: string[] = [];
  const forget = async () => {
    for (const subject of counted) await giveBackRateHit(database, subject);
  };
  for (const { name, limit, windowSeconds } of WRONG_CODES) {
    const subject = `${name}:${userId}`;
    const { isAccepted, retryAfterSeconds } = await hitRateWindow(database, subject, limit, windowSeconds);
    if (!isAccepted) {
      await forget();
      const detail = 'Too many wrong codes for this account; wait for the time given in Retry-After.';
      throw new ProblemError({ kind: 'limited', detail, retryAfterSeconds });
    }
    counted.push(subject);
  }
  const result = await check();
  if (result !== undefined) await forget();
  return result;
}

/**
 * Asks a signed-in user for a code, where it has a second factor. Throws a 422 ProblemError at `totp` where it is missing or wrong; the
 * latter is in the audit log, as a used recovery code is.
 */
export async function requireOwnCode(request: RouteRequest, typed: string | null): Promise<void> {
  const { actor, dependencies } = request;
  if (actor.secondFactor !== 'on') return;
  if (typed === null) throw new ProblemError(invalid('totp', say('totp_required'), 'required'));
  const proof = await spendCode(dependencies, actor.userId, typed);
  const subject = { kind: 'user', id: actor.userId } as const;
  if (proof === undefined) {
    await recordAct(request, { kind: 'second_factor.rejected', subject });
    throw new ProblemError(invalid('totp', say('totp_wrong'), 'rule'));
  }
  if (proof === 'recovery_code') await recordAct(request, { kind: 'recovery_code.used', subject });
}
