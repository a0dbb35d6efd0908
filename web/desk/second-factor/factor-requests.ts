import { answer, api, done } from '../../shared/client.ts';
import type { Schemas } from '../../shared/client.ts';

/** A new secret, until a code of it is confirmed. */
export type FactorOffer = Schemas['SecondFactorOffer'];

/** The person's own second factor: its state, and what changes it. Each rejects as `answer` does. */
export const ownFactor = {
  read: () => answer(api.GET('/users/me/second-factor')),
  offer: (currentPassword: string): Promise<FactorOffer> =>
    answer(api.POST('/users/me/second-factor', { body: { currentPassword } })),
  /** Resolves to the recovery codes. */
  confirm: async (totp: string): Promise<readonly string[]> =>
    (await answer(api.POST('/users/me/second-factor/confirmation', { body: { totp } }))).recoveryCodes,
  replaceCodes: async (currentPassword: string, totp: string): Promise<readonly string[]> =>
    (await answer(api.POST('/users/me/second-factor/recovery-codes', { body: { currentPassword, totp } })))
      .recoveryCodes,
  remove: (currentPassword: string, totp: string): Promise<void> =>
    done(api.POST('/users/me/second-factor/removal', { body: { currentPassword, totp } })),
};
