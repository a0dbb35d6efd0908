import { say } from '../../domain/messages.ts';
import { invalid, ProblemError, stated } from '../../domain/problem.ts';
import { SECOND_FACTOR_STATES } from '../../domain/second-factor.ts';
import {
  confirmSecondFactor,
  findSecondFactor,
  offerSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
} from '../../store/accounts/second-factors.ts';
import { CURRENT_PASSWORD, requireOwnPassword } from '../auth/own-password.ts';
import { newRecoveryCodes, recoveryCodeHash } from '../auth/recovery-codes.ts';
import { checkOfferedCode, requireOwnCode, TOTP_CODE } from '../auth/second-factor.ts';
import { newTotpSecret, totpUri } from '../auth/totp.ts';
import { audited } from '../http/audited.ts';
import { JSON_TYPE, LD_JSON } from '../http/media-types.ts';
import { RATE_LIMIT_HEADERS } from '../http/rate-limit.ts';
import type { RouteRequest } from '../http/route.ts';
import { dashboardRoute } from '../http/route.ts';
import type { JsonSchema } from '../schema/schema.ts';
import { named } from '../schema/schema.ts';
import { dateTime } from '../schema/schema-moments.ts';
import { nullable, object, required } from '../schema/schema-objects.ts';
import { array, oneOf, shape, string } from '../schema/shapes.ts';

const PATH = '/users/me/second-factor';
/** What the app shows next to the account. */
const ISSUER = 'Desk';

/** What the routes of one's own second factor have alike (decision 0046): a user who still lacks a required one sets it up here. */
const OWN_FACTOR = {
  action: 'user.change_own_factor',
  isOpenWithoutFactor: true,
} as const;
const PLAIN = { produces: [JSON_TYPE, LD_JSON], isPlain: true } as const;

const LIMITED = {
  429: {
    description: 'Too many wrong passwords or codes; Retry-After says when to retry.',
    headers: RATE_LIMIT_HEADERS,
  },
} as const;

const offerJson: JsonSchema = {
  title: 'SecondFactorOffer',
  ...shape({
    secret: { ...string, description: 'Base32, to be typed into the app. Shown only once.' },
    uri: { type: 'string', format: 'uri', description: 'The same for a QR code (otpauth://totp/…).' },
  }),
};

const codesJson: JsonSchema = {
  title: 'RecoveryCodes',
  ...shape({
    recoveryCodes: {
      ...array(string),
      description: 'Each signs in once in place of a code. Shown only once; only hashes are stored.',
    },
  }),
};

const stateJson: JsonSchema = {
  title: 'SecondFactor',
  ...shape({
    state: {
      ...oneOf(SECOND_FACTOR_STATES),
      description:
        'missing: the organization requires one, and nothing else can be done before it is set up.',
    },
    confirmedAt: nullable(dateTime('Since when it is asked for.').shown),
    recoveryCodesLeft: { type: 'integer', minimum: 0 },
  }),
};

const proofBody = named(
  'SecondFactorProof',
  object({ currentPassword: CURRENT_PASSWORD, totp: required(TOTP_CODE) }),
);

const read = dashboardRoute({
  ...OWN_FACTOR,
  ...PLAIN,
  operation: 'users.readOwnFactor',
  method: 'GET',
  path: PATH,
  summary: 'Read the state of your second factor',
  answers: { 200: { description: 'Its state.', schema: stateJson } },
  handle: async ({ actor, dependencies }) => {
    const factor = await findSecondFactor(dependencies.database, actor.userId);
    const confirmedAt = factor?.confirmedAt?.toISOString() ?? null;
    const recoveryCodesLeft = factor?.recoveryCodesLeft ?? 0;
    return { status: 200, body: { state: actor.secondFactor, confirmedAt, recoveryCodesLeft } };
  },
});

const offer = dashboardRoute({
  ...OWN_FACTOR,
  ...PLAIN,
  operation: 'users.offerOwnFactor',
  method: 'POST',
  path: PATH,
  summary: 'Begin to set up a second factor',
  description:
    'Answers a new secret for an authenticator app (TOTP: SHA-1, 6 digits, 30 seconds). It is asked for at sign-in once a code of it is confirmed. 409 where you have a second factor already.',
  answers: {
    200: { description: 'The secret.', schema: offerJson },
    409: { description: 'There is one already.' },
    ...LIMITED,
  },
  body: named('SecondFactorRequest', object({ currentPassword: CURRENT_PASSWORD })),
  handle: async (request) => {
    const { actor, body, scope } = request;
    if (actor.secondFactor === 'on') throw conflict('second_factor_on');
    const { email } = await requireOwnPassword(request, body.currentPassword, 'currentPassword');
    const secret = newTotpSecret();
    if (!(await offerSecondFactor(scope, actor.userId, secret))) throw conflict('second_factor_on');
    return { status: 200, body: { secret, uri: totpUri(secret, email, ISSUER) } };
  },
});

const confirm = dashboardRoute({
  ...OWN_FACTOR,
  ...PLAIN,
  operation: 'users.confirmOwnFactor',
  method: 'POST',
  path: `${PATH}/confirmation`,
  summary: 'Confirm the second factor',
  description:
    'From now on each sign-in needs a code. Answers the recovery codes. 409 where nothing was begun, or another request confirmed it.',
  answers: {
    200: { description: 'Confirmed; the recovery codes.', schema: codesJson },
    409: { description: 'There is nothing to confirm.' },
    ...LIMITED,
  },
  body: named('SecondFactorConfirmation', object({ totp: required(TOTP_CODE) })),
  handle: async (request) => {
    const { actor, body, dependencies } = request;
    const { userId } = actor;
    const factor = await findSecondFactor(dependencies.database, userId);
    if (factor?.confirmedAt !== null) throw conflict('second_factor_not_offered');
    const step = await checkOfferedCode(dependencies, userId, factor, body.totp);
    if (step === undefined) throw new ProblemError(invalid('totp', say('totp_wrong'), 'rule'));
    const { sealedSecret } = factor;
    const { recoveryCodes, hashes } = madeCodes();
    const isConfirmed = await audited(
      request,
      (scope) => confirmSecondFactor(scope, userId, { sealedSecret, step }, hashes),
      (isWritten) =>
        isWritten ? { kind: 'second_factor.confirmed', subject: subjectOf(request) } : undefined,
    );
    if (!isConfirmed) throw conflict('second_factor_not_offered');
    return { status: 200, body: { recoveryCodes } };
  },
});

const remove = dashboardRoute({
  ...OWN_FACTOR,
  operation: 'users.removeOwnFactor',
  method: 'POST',
  path: `${PATH}/removal`,
  summary: 'Remove your second factor',
  description:
    'Needs the password and a code, or a recovery code. Where the organization requires a second factor, nothing else can be done until there is a new one. 409 where there is none.',
  answers: { 204: { description: 'Removed.' }, 409: { description: 'There is none.' }, ...LIMITED },
  body: proofBody,
  handle: async (request) => {
    await requireProofOfBoth(request);
    await audited(
      request,
      (scope) => removeSecondFactor(scope, request.actor.userId),
      (isRemoved) => (isRemoved ? { kind: 'second_factor.removed', subject: subjectOf(request) } : undefined),
    );
    return { status: 204 };
  },
});

const replaceCodes = dashboardRoute({
  ...OWN_FACTOR,
  ...PLAIN,
  operation: 'users.replaceRecoveryCodes',
  method: 'POST',
  path: `${PATH}/recovery-codes`,
  summary: 'Get new recovery codes',
  description:
    'The ones before are no longer accepted. Needs the password and a code. 409 without a second factor.',
  answers: {
    200: { description: 'The recovery codes.', schema: codesJson },
    409: { description: 'There is no second factor.' },
    ...LIMITED,
  },
  body: proofBody,
  handle: async (request) => {
    await requireProofOfBoth(request);
    const { recoveryCodes, hashes } = madeCodes();
    const isReplaced = await audited(
      request,
      (scope) => replaceRecoveryCodes(scope, request.actor.userId, hashes),
      (isWritten) =>
        isWritten ? { kind: 'recovery_codes.replaced', subject: subjectOf(request) } : undefined,
    );
    if (!isReplaced) throw conflict('second_factor_off');
    return { status: 200, body: { recoveryCodes } };
  },
});

async function requireProofOfBoth(
  request: RouteRequest & { readonly body: { readonly currentPassword: string; readonly totp: string } },
): Promise<void> {
  if (request.actor.secondFactor !== 'on') throw conflict('second_factor_off');
  await requireOwnPassword(request, request.body.currentPassword, 'currentPassword');
  await requireOwnCode(request, request.body.totp);
}

function madeCodes() {
  const recoveryCodes = newRecoveryCodes();
  return { recoveryCodes, hashes: recoveryCodes.flatMap((code) => recoveryCodeHash(code) ?? []) };
}

function subjectOf({ actor }: RouteRequest) {
  return { kind: 'user', id: actor.userId } as const;
}

function conflict(key: 'second_factor_on' | 'second_factor_off' | 'second_factor_not_offered'): ProblemError {
  return new ProblemError({ kind: 'conflict', ...stated(say(key)) });
}

export const ownFactorRoutes = [read, offer, confirm, remove, replaceCodes];
