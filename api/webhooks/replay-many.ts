import { say } from '../../domain/messages.ts';
import pMap from 'p-map';
import { toId } from '../../domain/ids.ts';
import { FAILED_STATUSES, MAXIMUM_REPLAYS, REPLAYABLE_STATUSES } from '../../domain/webhook.ts';
import type { OpenedDelivery, ReplayCounts, WebhookReplay } from '../../store/webhooks/webhook-replays.ts';
import { findWebhookReplay, reopenWebhookDeliveries } from '../../store/webhooks/webhook-replays.ts';
import { audited } from '../http/audited.ts';
import { traceOf } from '../http/request-log.ts';
import type { RouteRequest, RouteResponse } from '../http/route.ts';
import { dashboardRoute } from '../http/route.ts';
import { named } from '../schema/schema.ts';
import { dateTime } from '../schema/schema-moments.ts';
import { object, optional } from '../schema/schema-objects.ts';
import { choice } from '../schema/schema-values.ts';
import { shape } from '../schema/shapes.ts';

/** Live commands keep the room that they need in Temporal. */
const CONCURRENT_STARTS = 2;

const replayBody = named(
  'WebhookReplayRequest',
  object({
    status: optional(choice(REPLAYABLE_STATUSES, 'Default: dead and rejected, all that failed.')),
    from: optional(dateTime('Events that were made then or later.')),
    to: optional(dateTime('Events that were made then or earlier; not before from.')),
  }),
);

const replayJson = {
  title: 'WebhookReplay',
  ...shape({
    count: { type: 'integer', minimum: 0, maximum: MAXIMUM_REPLAYS },
    remaining: { type: 'integer', minimum: 0, description: 'How many more fit the request and were left.' },
  }),
};

/** `POST /webhook-deliveries/replay` (decision 0031). */
export const replayMany = dashboardRoute({
  operation: 'webhookDeliveries.replayMany',
  method: 'POST',
  path: '/webhook-deliveries/replay',
  action: 'webhook.replay',
  tag: 'Webhooks',
  summary: 'Send webhook notifications again',
  description: `Sends again up to ${MAXIMUM_REPLAYS} notifications that have ended, each as POST /webhook-deliveries/{id}/replay does, never ahead of live ones. Those that were not replayed yet come first, the newest of them first; then those whose replay is longest ago. remaining says how many were left: to send each once, repeat with a new Idempotency-Key until the counts add up to the first count and remaining. Test notifications are left out. 409 when a delivery condition is not met (plan, webhookUrl, isWebhookEnabled).`,
  isIdempotent: true,
  isBodyOptional: true,
  isPlain: true,
  answers: { 202: { description: 'Accepted; how many are sent again.', schema: replayJson } },
  body: replayBody,
  check: (_request, { from = null, to = null }) =>
    from === null || to === null || from <= to
      ? []
      : [{ propertyPath: 'to', ...say('not_before', { field: 'from' }), code: 'range' }],
  handle: async (request) => {
    const { actor, body, effectId } = request;
    const replay: WebhookReplay = {
      id: toId<'webhook_replay'>(effectId),
      organizationId: actor.organizationId,
      actorId: actor.userId,
      statuses: body.status === null ? FAILED_STATUSES : [body.status],
      from: body.from,
      to: body.to,
      trace: traceOf(request.context),
    };
    const { opened, ...counts } = await audited(
      request,
      ({ executor }) => reopenWebhookDeliveries(executor, replay),
      (result) =>
        result.opened.length === 0 ? undefined : { kind: 'webhooks.replayed', count: result.opened.length },
    );
    void startAll(request, opened);
    return accepted(counts);
  },
  repeat: async ({ scope, effectId }) => {
    const counts = await findWebhookReplay(scope, toId<'webhook_replay'>(effectId));
    return counts && accepted(counts);
  },
});

function accepted({ count, remaining }: ReplayCounts): RouteResponse {
  return { status: 202, body: { count, remaining } };
}

/** Starts the workflows behind the answer. Never rejects: they are stored, so the reconciler starts what is lost here. */
async function startAll(
  { actor: { organizationId }, dependencies: { workflows, log } }: RouteRequest,
  opened: readonly OpenedDelivery[],
): Promise<void> {
  let lost = 0;
  const start = ({ eventId, shipmentId, round }: OpenedDelivery) =>
    workflows.startDelivery({ eventId, organizationId, shipmentId }, round).catch(() => {
      lost += 1;
    });
  await pMap(opened, start, { concurrency: CONCURRENT_STARTS });
  if (lost > 0) log.warn({ lost }, 'Temporal unreachable; the reconciler will retry');
}
