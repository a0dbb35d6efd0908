import { randomBytes, randomUUID } from 'node:crypto';
import test from 'ava';
import type { OrganizationId, ZoneId } from '../../domain/ids.ts';
import { createOrganization } from '../../store/accounts/organizations.ts';
import { connectDatabase, inTransaction, violatedUniqueIndex } from '../../store/connection.ts';
import { pickupPoints } from '../../store/fleet/pickup-points.ts';
import { zones } from '../../store/fleet/zones.ts';
import { newId } from '../../store/new-id.ts';
import type { Lookup, Page } from '../../store/tenant.ts';
import { tenant } from '../../store/tenant.ts';
import { makeTestDatabase } from '../harness/database.ts';

const testDatabase = await makeTestDatabase();
const database = connectDatabase(testDatabase.url, { poolSize: 3, applicationName: 'test' });
test.after.always(async () => {
  await database.close();
  await testDatabase.drop();
});

const NEWEST = { by: 'created_at', direction: 'desc' } as const;
const FIRST_PAGE: Page = { page: 1, itemsPerPage: 10, asOf: null };
const FIELDS = {
  name: 'Paris',
  polygon: {
    type: 'Polygon',
    coordinates: [
      [
        [2, 48],
        [3, 48],
        [3, 49],
        [2, 48],
      ],
    ],
  },
  baseFeeCents: 650,
  isActive: true,
} as const;

async function organization() {
  const { id } = await createOrganization(database, {
    name: `Organization ${randomUUID()}`,
    plan: 'pro',
    trackingPrefix: 'TST',
    currency: 'EUR',
    timezone: 'UTC',
    apiKeyHash: randomBytes(32),
    apiKeyPrefix: 'key',
  });
  return tenant(database, id);
}

async function withZone() {
  const own = await organization();
  const id = newId<'zone'>();
  await zones.insert(own, id, FIELDS);
  return { own, other: await organization(), id };
}

function rowOf<Row>(found: Lookup<Row>): Row {
  if (found.kind !== 'found') throw new Error(`the row is ${found.kind}`);
  return found.row;
}

async function idsOf(organizationId: OrganizationId, where = {}): Promise<ZoneId[]> {
  const { rows } = await zones.findPage(tenant(database, organizationId), where, NEWEST, FIRST_PAGE);
  return rows.map(({ id }) => id);
}

test('a row comes back with its fields, version 1 and the moment of its creation', async (t) => {
  const { own, id } = await withZone();
  const { name, polygon, baseFeeCents, isActive, version, createdAt, organizationId } = rowOf(
    await zones.find(own, id),
  );
  t.deepEqual({ name, polygon, baseFeeCents, isActive }, FIELDS);
  t.is(version, 1);
  t.is(organizationId, own.organizationId);
  t.true(createdAt instanceof Date);
});

test('another tenant can neither read, list, change nor delete a row', async (t) => {
  const { own, other, id } = await withZone();
  t.is((await zones.find(other, id)).kind, 'foreign');
  t.deepEqual(await idsOf(other.organizationId), []);
  t.false(await zones.update(other, id, 1, { name: 'taken' }));
  t.false(await zones.remove(other, id, null));
  const row = rowOf(await zones.find(own, id));
  t.deepEqual([row.name, row.version], ['Paris', 1]);
});

test('a condition that names another organization finds none of its rows', async (t) => {
  const { own, other, id } = await withZone();
  t.deepEqual(await idsOf(own.organizationId, { organizationId: own.organizationId }), [id]);
  t.deepEqual(await idsOf(other.organizationId, { organizationId: own.organizationId }), []);
});

test('a change over an older version writes nothing', async (t) => {
  const { own, id } = await withZone();
  t.true(await zones.update(own, id, 1, { name: 'second', isActive: false }));
  t.false(await zones.update(own, id, 1, { name: 'late' }));
  t.false(await zones.remove(own, id, 1));
  const row = rowOf(await zones.find(own, id));
  t.deepEqual([row.name, row.isActive, row.version], ['second', false, 2]);
  t.true(row.updatedAt >= row.createdAt);
});

test('a deleted row is missing, and is neither changed nor deleted again', async (t) => {
  const { own, id } = await withZone();
  t.true(await zones.remove(own, id, 1));
  t.is((await zones.find(own, id)).kind, 'missing');
  t.deepEqual(await idsOf(own.organizationId), []);
  t.false(await zones.update(own, id, 1, { name: 'late' }));
  t.false(await zones.remove(own, id, null));
});

test('a later page leaves out what was added after its moment', async (t) => {
  const { own, id } = await withZone();
  const { asOf, totalItems } = await zones.findPage(own, {}, NEWEST, FIRST_PAGE);
  t.is(totalItems, 1);
  const { createdAt } = rowOf(await zones.find(own, id));
  t.deepEqual(asOf, createdAt);
  const before = new Date(createdAt.getTime() - 1);
  const earlier = await zones.findPage(own, {}, NEWEST, { ...FIRST_PAGE, asOf: before });
  t.deepEqual([earlier.rows, earlier.totalItems, earlier.asOf], [[], 0, before]);
});

test('writes inside a transaction are lost with it', async (t) => {
  const { own, id } = await withZone();
  await t.throwsAsync(
    inTransaction(database, async (transaction) => {
      const scope = tenant(transaction, own.organizationId);
      t.true(await zones.update(scope, id, 1, { name: 'lost' }));
      t.is(rowOf(await zones.find(scope, id)).name, 'lost');
      throw new Error('no');
    }),
    { message: 'no' },
  );
  t.is(rowOf(await zones.find(own, id)).name, 'Paris');
});

test('a violated unique index is named, and the error shows no value beside its key', async (t) => {
  const own = await organization();
  const point = {
    name: 'Entrepôt 4711',
    code: 'same',
    address: {
      street: '1 rue',
      city: 'Paris',
      postalCode: '75011',
      latitude: null,
      longitude: null,
      landmark: null,
    },
  };
  await pickupPoints.insert(own, newId(), point);
  const error = await t.throwsAsync(pickupPoints.insert(own, newId(), point));
  t.is(violatedUniqueIndex(error), 'pickup_points_code');
  t.false(JSON.stringify(error).includes('4711'));
});
