import { newRecoveryCodes, recoveryCodeHash } from '../../api/auth/recovery-codes.ts';
import { newTotpSecret, totpAt } from '../../api/auth/totp.ts';
import type { OrganizationId, UserId } from '../../domain/ids.ts';
import { execute } from '../../store/connection.ts';
import {
  confirmSecondFactor,
  findSecondFactor,
  offerSecondFactor,
} from '../../store/accounts/second-factors.ts';
import { tenant } from '../../store/tenant.ts';
import type { TestService } from './service.ts';

const STEP_MS = 30_000;

/** The second factor of a user: what its app and its paper have. */
export interface MadeFactor {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
  /** What the app shows, or will show so many steps later. */
  readonly code: (steps?: number, now?: Date) => string;
}

/** What an app shows that has a secret, or will show so many steps later. */
export function codeOf(secret: string, steps = 0, now = new Date()): string {
  return totpAt(secret, new Date(now.getTime() + steps * STEP_MS));
}

/** Gives a user a second factor, of whose codes none is spent. */
export async function makeFactor(
  { database }: Pick<TestService, 'database'>,
  organization: { readonly id: OrganizationId },
  user: { readonly id: UserId },
): Promise<MadeFactor> {
  const scope = tenant(database, organization.id);
  const secret = newTotpSecret();
  const recoveryCodes = newRecoveryCodes();
  const hashes = recoveryCodes.flatMap((code) => recoveryCodeHash(code) ?? []);
  await offerSecondFactor(scope, user.id, secret);
  const { sealedSecret = '' } = (await findSecondFactor(database, user.id)) ?? {};
  await confirmSecondFactor(scope, user.id, { sealedSecret, step: 0 }, hashes);
  return { secret, recoveryCodes, code: (steps = 0, now = new Date()) => codeOf(secret, steps, now) };
}

/** Has an organization require a second factor of its users, whoever of them has one. */
export function requireFactors(
  { database }: Pick<TestService, 'database'>,
  organization: { readonly id: OrganizationId },
): Promise<void> {
  return execute(database, 'update organizations set requires_second_factor = true where id = $1', [
    organization.id,
  ]);
}
