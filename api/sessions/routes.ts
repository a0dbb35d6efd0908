import type { SessionRow } from '../../store/accounts/session-records.ts';
import { findSession, findSessionPage } from '../../store/accounts/session-records.ts';
import { revoke } from '../../store/accounts/sessions.ts';
import { endOtherSessions } from '../../store/accounts/users.ts';
import { EMPTY_PAGE } from '../../store/page.ts';
import { audited } from '../http/audited.ts';
import { JSON_TYPE, LD_JSON } from '../http/media-types.ts';
import { COLLECTION_QUERY, orderOf } from '../http/pagination.ts';
import { several } from '../http/query.ts';
import type { RouteRequest } from '../http/route.ts';
import { dashboardRoute } from '../http/route.ts';
import { recordType } from '../hydra/record-type.ts';
import {
  infoOf,
  listRoute,
  readRoute,
  recordResponse,
  resourceOf,
  shownOwners,
} from '../resource/resource.ts';
import { fieldsOf } from '../schema/fields.ts';
import { dateTime } from '../schema/schema-moments.ts';
import { object, optional } from '../schema/schema-objects.ts';
import { boolean, choice, reference, text } from '../schema/schema-values.ts';
import { shape } from '../schema/shapes.ts';

const tag = 'Authentication';

/** A session as one reader sees it. */
interface ShownSession extends SessionRow {
  readonly isCurrent: boolean;
}

const { shown, shownIfSet } = fieldsOf<ShownSession>();

/** A session that lives (decision 0041). */
const session = recordType(
  'session',
  'Session',
  {
    user: shown(reference('user'), (row) => row.userId),
    userName: shown(text(), (row) => row.userName),
    kind: shown(choice(['console', 'token'], 'console: by a cookie. token: by tokens of this API.'), (row) =>
      row.isConsole ? 'console' : 'token',
    ),
    isCurrent: shown(boolean('Whether it is the session of this request.'), (row) => row.isCurrent),
    address: shownIfSet(
      text({
        description: 'From where it was opened: an IPv4 address, or the /64 network of an IPv6 address.',
      }),
      (row) => row.address,
    ),
    userAgent: shownIfSet(
      text({ description: 'The program that opened it, as it says itself.' }),
      (row) => row.userAgent,
    ),
    lastUsedAt: shown(
      dateTime('Of the console within five minutes; of tokens the last refresh.'),
      (row) => row.lastUsedAt,
    ),
    expiresAt: shown(dateTime('When it ends at the latest, however it is used.'), (row) => row.expiresAt),
    createdAt: shown(dateTime(), (row) => row.createdAt),
  },
  {},
);

const sessions = resourceOf('session', {
  find: findSession,
  isOwn: ({ userId }, row: SessionRow) => row.userId === userId,
  shape: session.shapes.record,
  answer: (request, row: SessionRow) =>
    recordResponse(session.present(seenBy(request, row)), session.editable),
});

function seenBy({ actor }: RouteRequest, row: SessionRow): ShownSession {
  return { ...row, isCurrent: row.id === actor.sessionId };
}

const OWN = 'An admin sees those of all users of the organization, others their own.';

const list = listRoute(sessions, {
  tag,
  action: 'session.list',
  summary: 'List sessions',
  note: `Sessions that have not ended. ${OWN} updatedAt orders them by their last use.`,
  shape: session.shapes.collection,
  query: object(
    { ...COLLECTION_QUERY, user: optional(several(reference('user', { bare: true }))) },
    { strict: true },
  ),
  findPage: async (request) => {
    const { actor, query, scope } = request;
    const userIds = shownOwners(request, actor.userId, query.user);
    if (userIds === undefined) return EMPTY_PAGE;
    const page = await findSessionPage(scope, userIds, orderOf(query), query);
    return { ...page, rows: page.rows.map((row) => seenBy(request, row)) };
  },
  present: session.presentMember,
});

const read = readRoute(sessions, {
  tag,
  action: 'session.list',
  summary: 'Read a session',
  description: `404 once it has ended. ${OWN}`,
  shows: 'The session.',
});

const end = dashboardRoute({
  ...infoOf(sessions, 'delete'),
  method: 'DELETE',
  tag,
  action: 'session.revoke',
  summary: 'End a session',
  description:
    'Its cookie, tokens and refresh tokens are rejected from the next request on. An admin ends those of all users of the organization, others their own.',
  answers: { 204: { description: 'Ended.' } },
  load: sessions.load,
  currentTag: sessions.currentTag,
  handle: async (request) => {
    const { id, userId } = request.item;
    await audited(
      request,
      ({ executor }) => revoke(executor, id, 'revoked'),
      () => ({ kind: 'session.revoked', subject: { kind: 'user', id: userId } }),
    );
    return { status: 204 };
  },
});

const endedJson = {
  title: 'EndedSessions',
  ...shape({ count: { type: 'integer', minimum: 0, description: 'How many have ended.' } }),
};

const endOthers = dashboardRoute({
  operation: 'sessions.endOthers',
  method: 'POST',
  path: '/sessions/end-others',
  tag,
  action: 'session.revoke',
  summary: 'End your other sessions',
  description: 'All of your own sessions but the one of this request, from the next request on.',
  produces: [JSON_TYPE, LD_JSON],
  isPlain: true,
  consumes: [],
  answers: { 200: { description: 'How many have ended.', schema: endedJson } },
  handle: async (request) => {
    const { userId, sessionId } = request.actor;
    const count = await audited(
      request,
      (scope) => endOtherSessions(scope, userId, sessionId),
      (ended) =>
        ended === 0
          ? undefined
          : { kind: 'session.revoked', subject: { kind: 'user', id: userId }, count: ended },
    );
    return { status: 200, body: { count } };
  },
});

export const sessionRecordRoutes = [list, read, end, endOthers];
