import test from 'ava';
import { makeMerchant, makeTeamWithDriver } from '../../harness/make.ts';
import { expectStatus, makeShipment } from '../../harness/moves.ts';
import { at, fieldsOf, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

const address = { street: '1 rue de Rivoli', city: 'Paris' };
const ring = [
  [2, 48],
  [3, 48],
  [3, 49],
  [2, 48],
];

/** A record of every kind that can be edited, each with a change of one of its fields. */
async function records(): Promise<{
  readonly token: string;
  readonly edits: readonly (readonly [string, object])[];
}> {
  const { organization, token, driver } = await makeTeamWithDriver(service, 'ROLE_ORG_ADMIN');
  const make = async (path: string, body: object): Promise<string> =>
    textAt(expectStatus(await send(service, 'POST', path, { token, body }), 201).body, '@id');
  const merchant = `/api/v1/merchants/${await makeMerchant(service, organization)}`;
  const { iri, delivery } = await makeShipment(service, token, {
    fields: { merchant, items: [{ name: 'Book' }] },
  });
  const position = { latitude: 48.85, longitude: 2.35 };
  expectStatus(await send(service, 'POST', `/drivers/${driver}/location`, { token, body: position }), 200);
  const edits = [
    [iri, { notes: 'Ring twice.' }],
    [delivery, { notes: 'Second floor.' }],
    [`/drivers/${driver}`, { vehicleType: 'van' }],
    [merchant, { name: 'Another shop' }],
    [await make('/pickup-points', { name: 'Depot', address, merchant }), { code: 'D1' }],
    [
      await make('/zones', { name: 'Z', baseFee: '7.00', polygon: { type: 'Polygon', coordinates: [ring] } }),
      { baseFee: '8.00' },
    ],
    [await make('/delivery-runs', { name: 'Tour', tasks: [delivery] }), { name: 'Another tour' }],
    [textAt((await send(service, 'GET', '/users/me', { token })).body, '@id'), { lastName: 'Changed' }],
    [`/organizations/${organization.id}`, { name: 'Another name' }],
  ] as const;
  return { token, edits };
}

test('200 an edit may send back all that was read, with the IRI or the UUID as id', async (t) => {
  const { token, edits } = await records();
  for (const [path, change] of edits) {
    const read = expectStatus(await send(service, 'GET', path, { token }), 200);
    const record = fieldsOf(read.body);
    // As react-admin has it: the IRI in `id`, the UUID beside it.
    const shown = { ...record, id: record['@id'], originId: record['id'] };
    const same = expectStatus(await send(service, 'PATCH', path, { token, body: shown }), 200);
    t.deepEqual(same.body, read.body, path);
    t.is(same.headers.get('etag'), read.headers.get('etag'), path);
    const body = { ...shown, ...change };
    const changed = expectStatus(await send(service, 'PATCH', path, { token, body }), 200);
    t.like(changed.body, change, path);
    const withUuid = { ...fieldsOf(changed.body), id: record['id'] };
    t.is((await send(service, 'PATCH', path, { token, body: withUuid })).status, 200, path);
  }
});

test('422 an edit whose id names another record', async (t) => {
  const { token, edits } = await records();
  const [[first], [second]] = [edits[0] ?? ['', {}], edits[1] ?? ['', {}]];
  const answer = await send(service, 'PATCH', first, { token, body: { id: second } });
  t.is(answer.status, 422);
  t.is(at(answer.body, 'violations.0.propertyPath'), 'id');
});
