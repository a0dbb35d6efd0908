import { CHANGE_KIND_NAMES, mayFollow, topicOf } from '../../domain/change-kinds.ts';
import { say } from '../../domain/messages.ts';
import { ProblemError, stated } from '../../domain/problem.ts';
import { several } from '../http/query.ts';
import { dashboardRoute } from '../http/route.ts';
import { object, optional } from '../schema/schema-objects.ts';
import { choice, text } from '../schema/schema-values.ts';

const EVENT_STREAM = 'text/event-stream';

const follow = dashboardRoute({
  operation: 'changes.read',
  method: 'GET',
  path: '/changes',
  action: 'changes.read',
  tag: 'Board',
  summary: 'Follow what changes',
  description:
    'A stream of server-sent events, one for each row that has changed: `event` is its type (Task, Shipment, Driver, DeliveryRun, WebhookDelivery), `data` the row as `GET /board` has it, or `{"@id": …, "deleted": true}` for one that is gone or no longer shown to the caller. A shipment comes with version, status, trackingNumber and updatedAt, a webhook delivery with version and status. A row may come twice: keep the one with the greater `version`. `id` is where to go on: send it as `Last-Event-ID`, or in a first request as `lastEventID`, by default the stream begins now; `cursor` of a board is such an id. After `event: reset` read everything again: the id is older than an hour, has more than 100000 changes behind it, or belongs to another database. Staff see all of the organization, merchants their own shipments, drivers their own tasks and runs and themselves; webhook deliveries are for admins. Positions of a driver come every 5 seconds at most. A heartbeat comes every 15 seconds. The stream ends after about half an hour, and when the session has ended or the role has changed: connect again. 10 streams of a user, 500 of an organization.',
  produces: [EVENT_STREAM],
  answers: { 200: { description: 'The events.', contentType: EVENT_STREAM } },
  query: object(
    {
      lastEventID: optional(
        text({ max: 6_000, description: 'The id to go on from; the header Last-Event-ID wins.' }),
      ),
      topic: optional(
        several(choice(CHANGE_KIND_NAMES.map(topicOf), 'By default all that the role may see.')),
      ),
    },
    { strict: true },
  ),
  handle: ({ actor, context, dependencies, query }) => {
    const asked = CHANGE_KIND_NAMES.filter((kind) => query.topic?.includes(topicOf(kind)) ?? true);
    const kinds = asked.filter((kind) => mayFollow(actor.role, kind));
    if (query.topic !== null && kinds.length < asked.length) {
      throw new ProblemError({
        kind: 'forbidden',
        ...stated(say('role_may_not_follow', { role: actor.role })),
      });
    }
    const headers = { 'x-accel-buffering': 'no', 'cache-control': 'no-store' };
    if (context.method === 'HEAD') return { status: 200, contentType: EVENT_STREAM, headers };
    const header = context.get('last-event-id');
    const lastEventId = header === '' ? (query.lastEventID ?? undefined) : header;
    const stream = dependencies.changes.follow({ ...actor, kinds }, lastEventId);
    const { res } = context;
    // A client that is gone before the answer begins would leave the stream open.
    if (res.destroyed) stream.destroy();
    else res.once('close', () => stream.destroy());
    return { status: 200, body: stream, contentType: `${EVENT_STREAM}; charset=utf-8`, headers };
  },
});

export const changeRoutes = [follow];
