import test from 'ava';
import { FAILED_STATUSES, MAXIMUM_REPLAYS } from '../../domain/webhook.ts';
import type { ReplayableStatus } from '../../domain/webhook.ts';
import { execute, select } from '../../store/connection.ts';
import { newId } from '../../store/new-id.ts';
import { reopenWebhookDeliveries } from '../../store/webhooks/webhook-replays.ts';
import { makeOrganization, makeUser } from '../harness/make.ts';
import { makeShipment } from '../harness/moves.ts';
import { useService } from '../harness/use-service.ts';

const service = useService({ withWorkers: false });

/** An organization with events of one shipment, a second apart; the first of them is the oldest. */
async function premises(statuses: readonly string[]) {
  const organization = await makeOrganization(service, { webhookUrl: 'https://example.com/hook' });
  const admin = await makeUser(service, organization, 'ROLE_ORG_ADMIN');
  const { id } = await makeShipment(service, admin.token);
  await execute(
    service.database,
    `insert into webhook_events (id, organization_id, kind, shipment_id, sequence, body, event_updated_at, status, created_at)
     select gen_random_uuid(), $1, 'shipment.status_changed', $2, place, '', '', status,
       timestamptz '2030-01-01T00:00:00Z' + make_interval(secs => place)
     from unnest($3::text[]) with ordinality as e (status, place)`,
    [organization.id, id, statuses],
  );
  const reopen = (
    replay: {
      readonly statuses?: readonly ReplayableStatus[];
      readonly from?: Date;
      readonly to?: Date;
    } = {},
    replayId = newId<'webhook_replay'>(),
  ) =>
    reopenWebhookDeliveries(service.database, {
      id: replayId,
      organizationId: organization.id,
      actorId: admin.id,
      statuses: FAILED_STATUSES,
      from: null,
      to: null,
      trace: null,
      ...replay,
    });
  const pending = async () => {
    const rows = await select<{ place: number }>(
      service.database,
      `select sequence as place from webhook_events where organization_id = $1 and status = 'pending' order by 1`,
      [organization.id],
    );
    return rows.map(({ place }) => place);
  };
  return { organization, reopen, pending };
}

const second = (seconds: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, seconds));

test('what fits is opened: by status and by time, both ends included, of one organization', async (t) => {
  const other = await premises(['dead']);
  const { reopen, pending } = await premises(['dead', 'rejected', 'skipped', 'delivered', 'pending', 'dead']);
  t.like(await reopen({ from: second(1), to: second(2) }), { count: 2, remaining: 0 });
  t.deepEqual(await pending(), [1, 2, 5]);
  t.like(await reopen({ statuses: ['skipped'] }), { count: 1, remaining: 0 });
  t.deepEqual(await pending(), [1, 2, 3, 5]);
  t.like(await reopen(), { count: 1, remaining: 0 });
  t.deepEqual(await pending(), [1, 2, 3, 5, 6]);
  t.deepEqual(await other.pending(), []);
});

test('500 are opened together, the newest first, and those that failed again come last', async (t) => {
  const { organization, reopen, pending } = await premises(Array.from({ length: 510 }, () => 'dead'));
  const [one, two] = await Promise.all([reopen(), reopen()]);
  t.is(one.count + two.count, 510, 'of two requests none opens what the other has opened');
  await execute(
    service.database,
    `update webhook_events set status = 'dead', replayed_at = case when sequence <= 15 then null else replayed_at end
     where organization_id = $1`,
    [organization.id],
  );
  const first = await reopen();
  t.is(first.count, MAXIMUM_REPLAYS);
  t.is(first.remaining, 10);
  const places = new Set(await pending());
  t.true(Array.from({ length: 15 }, (_, index) => index + 1).every((place) => places.has(place)));
});

test('the same replay again opens nothing and comes to the same', async (t) => {
  const { reopen, organization } = await premises(['dead', 'dead']);
  const id = newId<'webhook_replay'>();
  const [one, two] = await Promise.all([reopen({}, id), reopen({}, id)]);
  t.deepEqual([one.count, two.count, one.opened.length + two.opened.length], [2, 2, 2]);
  await execute(service.database, `update webhook_events set status = 'dead' where organization_id = $1`, [
    organization.id,
  ]);
  t.deepEqual(await reopen({}, id), { count: 2, remaining: 0, opened: [] });
});
