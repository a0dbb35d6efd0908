import test from 'ava';
import { execute } from '../../../store/connection.ts';
import type { ChangeEvent } from '../../harness/events.ts';
import { follow } from '../../harness/events.ts';
import {
  makeDriver,
  makeMerchant,
  makeOrganization,
  makeTeamWithDriver,
  makeUser,
} from '../../harness/make.ts';
import { makeShipment, move } from '../../harness/moves.ts';
import { send, textAt } from '../../harness/request.ts';
import { until } from '../../harness/until.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService();

const rowOf = (iri: string) => (event: ChangeEvent) => event.data['@id'] === iri;
const is = (iri: string, fields: Readonly<Record<string, unknown>>) => (event: ChangeEvent) =>
  rowOf(iri)(event) && Object.entries(fields).every(([name, value]) => event.data[name] === value);

test('200 each role is sent what it may see, and nothing else', async (t) => {
  const organization = await makeOrganization(service);
  const merchantId = await makeMerchant(service, organization);
  const users = {
    admin: await makeUser(service, organization, 'ROLE_ORG_ADMIN'),
    dispatcher: await makeUser(service, organization, 'ROLE_DISPATCHER'),
    merchant: await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId }),
    driver: await makeUser(service, organization, 'ROLE_DRIVER'),
  };
  const own = await makeDriver(service, organization, { userId: users.driver.id });
  const other = await makeDriver(service, organization);
  const stranger = await makeTeamWithDriver(service);
  const { token } = users.dispatcher;
  const streams = {
    admin: await follow(service, users.admin),
    dispatcher: await follow(service, users.dispatcher),
    merchant: await follow(service, users.merchant),
    driver: await follow(service, users.driver),
    stranger: await follow(service, stranger),
  };
  t.teardown(() => Object.values(streams).forEach((stream) => stream.close()));

  const merchants = await makeShipment(service, token, {
    fields: { merchant: `/api/v1/merchants/${merchantId}` },
  });
  const shops = await makeShipment(service, token);
  await move(service, token, merchants.delivery, 'assign', { driver: `/api/v1/drivers/${own}` });
  await move(service, token, shops.delivery, 'assign', { driver: `/api/v1/drivers/${other}` });
  await send(service, 'PATCH', `/drivers/${own}`, { token, body: { firstName: 'Nora' } });
  await send(service, 'PATCH', `/drivers/${other}`, { token, body: { firstName: 'Aya' } });
  await execute(
    service.database,
    `insert into webhook_events (id, organization_id, kind, body, event_updated_at)
     values (gen_random_uuid(), $1, 'webhook.test', '{}', 'now')`,
    [organization.id],
  );
  // The last change of each: what a reader has by then is all that it gets.
  await send(service, 'PATCH', merchants.iri, { token, body: { notes: 'last' } });
  await send(service, 'PATCH', `/drivers/${own}`, { token, body: { firstName: 'last' } });
  const driver = `/api/v1/drivers/${own}`;
  await streams.driver.event(is(driver, { firstName: 'last' }));
  await streams.admin.event(is(driver, { firstName: 'last' }));
  await streams.dispatcher.event(is(driver, { firstName: 'last' }));
  const rows = (name: keyof typeof streams) =>
    [
      ...new Set(
        streams[name].events.map(
          ({ type, data }) => `${type} ${textAt(data, '@id').split('/').at(-1) ?? ''}`,
        ),
      ),
    ]
      .filter((row) => !row.startsWith('WebhookDelivery'))
      .sort();
  const idOf = (iri: string) => iri.split('/').at(-1) ?? '';
  await until(() => streams.merchant.events.length >= 3, 'the merchant was not told');

  const staff = [
    `Driver ${other}`,
    `Driver ${own}`,
    `Shipment ${merchants.id}`,
    `Shipment ${shops.id}`,
    `Task ${idOf(merchants.delivery)}`,
    `Task ${idOf(shops.delivery)}`,
  ].sort();
  t.deepEqual(rows('admin'), staff);
  t.deepEqual(rows('dispatcher'), staff);
  t.deepEqual(rows('merchant'), [`Shipment ${merchants.id}`]);
  t.deepEqual(rows('driver'), [`Driver ${own}`, `Task ${idOf(merchants.delivery)}`]);
  t.deepEqual(rows('stranger'), []);
  const hasWebhooks = (name: keyof typeof streams) =>
    streams[name].events.some(({ type }) => type === 'WebhookDelivery');
  t.deepEqual((['admin', 'dispatcher', 'merchant', 'driver'] as const).map(hasWebhooks), [
    true,
    false,
    false,
    false,
  ]);
  const allowed = (name: 'dispatcher' | 'driver') =>
    streams[name].events.findLast(rowOf(merchants.delivery))?.data['allowedTransitions'];
  t.true(JSON.stringify(allowed('dispatcher')).includes('cancel'));
  t.false(JSON.stringify(allowed('driver')).includes('cancel'));
});
