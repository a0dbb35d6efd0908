import test from 'ava';
import { MAX_PLACES } from '../../../domain/remembered-place.ts';
import { execute, select } from '../../../store/connection.ts';
import { deleteExpired } from '../../../store/expiry.ts';
import { rememberPlace } from '../../../store/shipments/remembered-places.ts';
import { tenant } from '../../../store/tenant.ts';
import { makeMerchant, makePickupPoint, makeTeam, makeUser } from '../../harness/make.ts';
import { expectStatus, makeShipment } from '../../harness/moves.ts';
import { at, send, textAt } from '../../harness/request.ts';
import { until } from '../../harness/until.ts';
import { useService } from '../../harness/use-service.ts';
import { uploadTo, workbook } from './import/uploads.ts';

const service = useService();
const upload = uploadTo(service);

const STREET = '12, Rue Didouche-Mourad';
const PHONE = '+213661234567';
const PIN = { latitude: 36.7729, longitude: 3.0589 };

/** A body for a recipient; what is given replaces parts of the address. */
function parcelFor(phoneNumber: string, address: Readonly<Record<string, unknown>> = {}) {
  return {
    recipient: { firstName: 'Amina', phoneNumber, address: { street: STREET, city: 'Alger', ...address } },
  };
}

/** Where a shipment is delivered, as it was made for this recipient. */
async function pointOf(token: string, path: string): Promise<unknown> {
  const { body } = expectStatus(await send(service, 'GET', path, { token }), 200);
  return [at(body, 'recipient.address.latitude'), at(body, 'recipient.address.longitude')];
}

async function pointOfNew(token: string, fields: Readonly<Record<string, unknown>>): Promise<unknown> {
  return pointOf(token, (await makeShipment(service, token, { fields })).iri);
}

async function pinTask(token: string, task: string, pin: object): Promise<void> {
  expectStatus(await send(service, 'PATCH', task, { token, body: { address: pin } }), 200);
}

const PLACED = [PIN.latitude, PIN.longitude];
const NOWHERE = [undefined, undefined];

test('200 a pin on a delivery is given to the next shipments there, whichever way they are made', async (t) => {
  const { organization, user } = await makeTeam(service);
  const { token } = user;
  const first = await makeShipment(service, token, { fields: parcelFor(PHONE) });
  await pinTask(token, first.delivery, PIN);
  const likewise = { street: '12  rue didouche mourad', city: 'ALGER' };

  t.deepEqual(await pointOfNew(token, parcelFor(PHONE, likewise)), PLACED);
  const row = ['Amina', PHONE, likewise.street, likewise.city, '', ''];
  const imported = await upload(user, await workbook([row, row]));
  t.deepEqual(await pointOf(token, `/shipments/${textAt(imported.body, 'results.1.id')}`), PLACED);
  const accepted = await send(service, 'POST', '/external/shipments', {
    key: organization.apiKey,
    body: parcelFor(PHONE),
  });
  const path = `/shipments/${textAt(accepted.body, 'id')}`;
  await until(
    async () => (await send(service, 'GET', path, { token })).status === 200,
    'the external shipment was not created',
  );
  t.deepEqual(await pointOf(token, path), PLACED);
  const { body } = await send(service, 'GET', `/tasks?shipment=${path.split('/')[2] ?? ''}`, { token });
  t.is(at(body, 'member.0.address.latitude'), PIN.latitude, 'its task is there too');
});

test('200 a place is of one phone number, street, city and organization; given coordinates stay', async (t) => {
  const [own, foreign] = [await makeTeam(service), await makeTeam(service)];
  const { token } = own.user;
  const first = await makeShipment(service, token, { fields: parcelFor(PHONE) });
  await pinTask(token, first.delivery, PIN);
  t.deepEqual(await pointOfNew(token, parcelFor(PHONE)), PLACED);
  t.deepEqual(await pointOfNew(token, parcelFor('+213661234568')), NOWHERE);
  t.deepEqual(await pointOfNew(token, parcelFor(PHONE, { street: '14, Rue Didouche-Mourad' })), NOWHERE);
  t.deepEqual(await pointOfNew(token, parcelFor(PHONE, { city: 'Oran' })), NOWHERE);
  t.deepEqual(await pointOfNew(token, parcelFor(PHONE, { latitude: 1, longitude: 2 })), [1, 2]);
  t.deepEqual(await pointOfNew(foreign.user.token, parcelFor(PHONE)), NOWHERE);
});

test('200 a place that is taken away is forgotten; one that is set again is the newer one', async (t) => {
  const { token } = (await makeTeam(service)).user;
  const first = await makeShipment(service, token, { fields: parcelFor(PHONE) });
  await pinTask(token, first.delivery, PIN);
  await pinTask(token, first.delivery, { latitude: 36.5, longitude: 3.5 });
  t.deepEqual(await pointOfNew(token, parcelFor(PHONE)), [36.5, 3.5]);
  await pinTask(token, first.delivery, { latitude: null, longitude: null });
  t.deepEqual(await pointOfNew(token, parcelFor(PHONE)), NOWHERE);
});

test('200 coordinates in an edit of a shipment are remembered from staff, not from a merchant', async (t) => {
  const { organization, user } = await makeTeam(service);
  const merchantId = await makeMerchant(service, organization);
  const shop = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  const merchant = `/api/v1/merchants/${merchantId}`;
  const edit = { recipient: { address: PIN } };

  const ofShop = await send(service, 'POST', '/shipments', { token: shop.token, body: parcelFor(PHONE) });
  const shopPath = textAt(ofShop.body, '@id');
  expectStatus(await send(service, 'PATCH', shopPath, { token: shop.token, body: edit }), 200);
  t.deepEqual(await pointOf(shop.token, shopPath), PLACED);
  t.deepEqual(await pointOfNew(user.token, parcelFor(PHONE)), NOWHERE);

  const second = await makeShipment(service, user.token, { fields: { ...parcelFor(PHONE), merchant } });
  expectStatus(await send(service, 'PATCH', second.iri, { token: user.token, body: edit }), 200);
  t.deepEqual(await pointOfNew(user.token, parcelFor(PHONE)), PLACED);
});

test('200 a pin on a pickup is remembered for nobody, and neither is an edit without a pin', async (t) => {
  const { organization, user } = await makeTeam(service);
  const pickupPoint = await makePickupPoint(service, organization);
  const { pickup = '', delivery } = await makeShipment(service, user.token, { pickupPoint });
  await pinTask(user.token, pickup, PIN);
  await pinTask(user.token, delivery, { landmark: 'Grande Poste' });
  const kept = 'select from remembered_places where organization_id = $1';
  t.is((await select(service.database, kept, [organization.id])).length, 0);
});

test('the oldest places go where an organization has too many, and each goes after its time', async (t) => {
  const { organization } = await makeTeam(service);
  const scope = tenant(service.database, organization.id);
  await execute(
    service.database,
    `insert into remembered_places (organization_id, place_key, latitude, longitude, updated_at, expires_at)
     select $1, decode(md5(n::text), 'hex'), 1, 2, now() - make_interval(secs => n), now() + interval '1 day'
     from generate_series(1, $2::int) n`,
    [organization.id, MAX_PLACES],
  );
  await rememberPlace(scope, { phoneNumber: PHONE, street: STREET, city: 'Alger' }, PIN);
  const oldest = `decode(md5('${MAX_PLACES}'), 'hex')`;
  const counts = `select count(*) as kept, count(*) filter (where place_key = ${oldest}) as oldest
    from remembered_places where organization_id = $1`;
  t.deepEqual(await select(service.database, counts, [organization.id]), [{ kept: MAX_PLACES, oldest: 0 }]);
  await execute(
    service.database,
    'update remembered_places set expires_at = now() where organization_id = $1 and latitude = $2',
    [organization.id, PIN.latitude],
  );
  await deleteExpired(service.database);
  t.deepEqual(await select(service.database, counts, [organization.id]), [
    { kept: MAX_PLACES - 1, oldest: 0 },
  ]);
});
