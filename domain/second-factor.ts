/** What decides over the second factor and the password that is asked for again (decision 0046). */

/** How a user stands to a second factor. `missing`: its organization requires one, and the user has not set it up. */
export const SECOND_FACTOR_STATES = ['on', 'off', 'missing'] as const;
export type SecondFactorState = (typeof SECOND_FACTOR_STATES)[number];

/** Codes as authenticator apps make them unless told otherwise (RFC 6238): SHA-1, six digits, a new one every 30 seconds. */
export const TOTP = {
  digits: 6,
  stepSeconds: 30,
  /** How many steps before and after the present one are accepted: clocks of phones differ. */
  driftSteps: 1,
  /** 160 bits, as RFC 4226 section 4 recommends. */
  secretBytes: 20,
} as const;

/** How many codes a user gets for a lost phone. */
export const RECOVERY_CODE_COUNT = 10;

/**
 * Wrong codes of a user within a time, from wherever they are sent: whoever sends them knows the password. The second row is for who has
 * patience: with the first alone, a code would be met within a month with a chance of 8 %.
 */
export const WRONG_CODES = [
  { name: 'login-code', limit: 10, windowSeconds: 900 },
  { name: 'login-code-day', limit: 50, windowSeconds: 86_400 },
] as const;

/** For how long after its sign-in, or after giving the password again, a session of the console is not asked for it. */
export const STEP_UP_SECONDS = 300;

/** The changes of a user before which the console asks for the password again: they decide who signs in, and as whom. */
export const CONFIRMED_USER_FIELDS: readonly string[] = ['email', 'password', 'role', 'merchant', 'isActive'];
