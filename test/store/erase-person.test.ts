import test from 'ava';
import type { OrganizationId, ShipmentId } from '../../domain/ids.ts';
import { connectDatabase, execute, inTransaction, selectOne } from '../../store/connection.ts';
import { erasePerson } from '../../store/people/erase-person.ts';
import { newId } from '../../store/new-id.ts';
import { findPerson } from '../../store/people/find-person.ts';
import type { PersonName } from '../../store/people/person-scope.ts';
import { reopenWebhookDelivery } from '../../store/webhooks/webhook-deliveries.ts';
import { makeTestDatabase } from '../harness/database.ts';
import { makeOrganization } from '../harness/make.ts';
import { until } from '../harness/until.ts';
import { makeStoredShipment, PERSONAL } from './shipments.ts';

const testDatabase = await makeTestDatabase();
const database = connectDatabase(testDatabase.url, { poolSize: 4, applicationName: 'test' });
test.after.always(async () => {
  await database.close();
  await testDatabase.drop();
});

/** Finds the person of the tests' shipments, who can be erased; resolves to what erases it. */
async function found(organizationId: OrganizationId, name: PersonName) {
  const person = await findPerson(database, organizationId, name);
  if (person === undefined || person.obstacles.length > 0) throw new Error('the person cannot be erased');
  return () => erasePerson(database, person, () => Promise.resolve());
}

const end = (id: ShipmentId) =>
  execute(database, `update shipments set status = 'delivered' where id = $1`, [id]);
const streetOf = async (id: ShipmentId) =>
  (
    await selectOne<{ street: string }>(
      database,
      `select address->>'street' as street from tasks where shipment_id = $1 and type = 'delivery'`,
      [id],
    )
  )?.street;

test('an order that is placed while its person is erased keeps its address', async (t) => {
  const { id: organizationId } = await makeOrganization({ database });
  const ended = await makeStoredShipment(database, organizationId);
  await end(ended);
  const erase = await found(organizationId, { by: 'phone_number', value: PERSONAL.phoneNumber });
  const open = await makeStoredShipment(database, organizationId);
  await erase();
  t.is(await streetOf(open), PERSONAL.street);
  t.is(await streetOf(ended), 'Erased');
});

test('an erasure waits for a replay that has begun, and leaves its event whole', async (t) => {
  const { id: organizationId } = await makeOrganization(
    { database },
    { webhookUrl: 'https://example.com/hook' },
  );
  const id = await makeStoredShipment(database, organizationId);
  await end(id);
  const eventId = newId<'webhook_event'>();
  await execute(
    database,
    `insert into webhook_events (id, organization_id, shipment_id, sequence, kind, body, event_updated_at, status, settled_at)
     values ($1, $2, $3, 1, 'shipment.status_changed', '{}', '', 'delivered', clock_timestamp())`,
    [eventId, organizationId, id],
  );
  const erase = await found(organizationId, { by: 'shipment', id });
  const erasure = await inTransaction(database, async (transaction) => {
    await reopenWebhookDelivery(transaction, organizationId, eventId);
    const message = erase().then(
      () => 'erased',
      (error: unknown) => String(error),
    );
    await until(
      async () => (await selectOne(database, 'select from pg_locks where not granted limit 1')) !== undefined,
      'the erasure does not wait',
    );
    return { message };
  });
  t.regex(await erasure.message, /1 webhook events are still being sent/);
});
