import { LANGUAGES } from '../../domain/enumerations.ts';
import type { SessionId } from '../../domain/ids.ts';
import { ProblemError } from '../../domain/problem.ts';
import {
  chooseLanguage,
  confirmSession,
  openConsoleSession,
  readConsoleSession,
} from '../../store/accounts/console-sessions.ts';
import { CURRENT_PASSWORD, requireOwnPassword } from '../auth/own-password.ts';
import { OPTIONAL_TOTP, requireOwnCode } from '../auth/second-factor.ts';
import {
  cookieHeader,
  newCookieSecret,
  noCookieHeader,
  presentedCookieHash,
} from '../auth/session-cookie.ts';
import { credentialsBody, SIGN_IN_REJECTIONS, signIn } from '../auth/sign-in.ts';
import { signOut } from '../auth/sign-out.ts';
import { hashSecret } from '../auth/tokens.ts';
import type { Dependencies } from '../dependencies.ts';
import { audited } from '../http/audited.ts';
import { JSON_TYPE, MERGE_PATCH } from '../http/media-types.ts';
import type { RouteResponse } from '../http/route.ts';
import { dashboardRoute, publicRoute } from '../http/route.ts';
import { named } from '../schema/schema.ts';
import { object, required } from '../schema/schema-objects.ts';
import { choice } from '../schema/schema-values.ts';
import { sessionAnswer } from './answer.ts';

/** What the rows of the session have alike: plain JSON, at one path. */
const SESSION = { path: '/session', produces: [JSON_TYPE], isOpenWithoutFactor: true } as const;
const SHOWN = { 200: { description: 'Who is signed in, and what the console needs to know.' } } as const;

const open = publicRoute({
  ...SESSION,
  operation: 'session.open',
  method: 'POST',
  summary: 'Sign in at the console',
  answers: { ...SHOWN, ...SIGN_IN_REJECTIONS },
  body: credentialsBody,
  handle: async (request) => {
    const { context, dependencies } = request;
    const { config } = dependencies;
    // Always a new secret: one that was put into the browser before the sign-in opens nothing after it.
    const secret = newCookieSecret();
    const replaced = presentedCookieHash(context, config.publicUrl);
    const { sessionId } = await signIn(request, {
      open: (executor, userId, origin) =>
        openConsoleSession(executor, userId, hashSecret(secret), replaced, origin),
      admitsWithoutFactor: true,
    });
    const answer = await shown(dependencies, sessionId);
    return { ...answer, headers: { 'set-cookie': cookieHeader(secret, config.publicUrl) } };
  },
});

const read = dashboardRoute({
  ...SESSION,
  operation: 'session.read',
  method: 'GET',
  summary: 'Who is signed in',
  answers: SHOWN,
  handle: ({ actor, dependencies }) => shown(dependencies, actor.sessionId),
});

const edit = dashboardRoute({
  ...SESSION,
  operation: 'session.edit',
  method: 'PATCH',
  summary: 'Choose the language of the console',
  consumes: [MERGE_PATCH, JSON_TYPE],
  answers: SHOWN,
  body: named('SessionChange', object({ language: required(choice(LANGUAGES)) })),
  handle: async ({ actor, body, dependencies }) => {
    await chooseLanguage(dependencies.database, actor, body.language);
    return shown(dependencies, actor.sessionId);
  },
});

const end = dashboardRoute({
  ...SESSION,
  operation: 'session.end',
  method: 'DELETE',
  action: 'session.end',
  summary: 'Sign out',
  answers: { 204: { description: 'Signed out.' } },
  handle: async (request) => {
    await signOut(request);
    const { publicUrl } = request.dependencies.config;
    return { status: 204, headers: { 'set-cookie': noCookieHeader(publicUrl) } };
  },
});

/** `POST /desk/api/session/step-up`: the password again, and a code of a user who has a second factor (decision 0046). */
const stepUp = dashboardRoute({
  ...SESSION,
  path: '/session/step-up',
  operation: 'session.stepUp',
  method: 'POST',
  summary: 'Give the password again',
  answers: { 204: { description: 'For the next five minutes the session is not asked for it.' } },
  body: named('StepUp', object({ password: CURRENT_PASSWORD, totp: OPTIONAL_TOTP })),
  handle: async (request) => {
    const { actor, body } = request;
    await requireOwnPassword(request, body.password, 'password');
    await requireOwnCode(request, body.totp);
    await audited(
      request,
      ({ executor }) => confirmSession(executor, actor.sessionId),
      () => ({ kind: 'session.confirmed' }),
    );
    return { status: 204 };
  },
});

async function shown(dependencies: Dependencies, sessionId: SessionId): Promise<RouteResponse> {
  const session = await readConsoleSession(dependencies.database, sessionId);
  if (session === undefined) {
    const detail = 'The session has ended: sign in again.';
    throw new ProblemError({ kind: 'unauthenticated', detail, credential: 'cookie' });
  }
  return { status: 200, body: sessionAnswer(dependencies, session) };
}

/** The rows of `/desk/api/session`. They are not part of `/api/v1`, nor of its description (decision 0029). */
export const sessionRoutes = [open, read, edit, end, stepUp];
