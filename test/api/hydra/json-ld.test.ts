import test from 'ava';
import { makeDriver, makeOrganization, makeUser, shipmentBodyWith } from '../../harness/make.ts';
import { at, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';
import { expand, HYDRA, nodesOf, propertiesIn, valueOf } from './expand.ts';

const service = useService({ withWorkers: false });

let token: string;
let vocabulary: string;
test.before(async () => {
  const organization = await makeOrganization(service);
  ({ token } = await makeUser(service, organization, 'ROLE_ORG_ADMIN'));
  vocabulary = `${service.config.publicUrl}/api/v1/docs.jsonld#`;
  await makeDriver(service, organization);
  for (const firstName of ['Amina', 'Bilal', 'Chloé']) {
    const { recipient } = shipmentBodyWith();
    const body = shipmentBodyWith({
      recipient: { ...Object(recipient), firstName },
      codAmount: '10.00',
      items: [{ name: 'Book', quantity: 1 }],
    });
    await send(service, 'POST', '/shipments', { token, body });
  }
});

test('200 a collection expands to hydra:member, totalItems, view and next', async (t) => {
  const path = '/api/v1/shipments?itemsPerPage=1&page=2';
  const [page] = await expand(service, await send(service, 'GET', path, { token }), path);
  t.deepEqual(page?.['@type'], [`${HYDRA}Collection`]);
  t.is(valueOf(page, `${HYDRA}totalItems`), 3);
  t.is(nodesOf(page, `${HYDRA}member`).length, 1);
  const [view] = nodesOf(page, `${HYDRA}view`);
  t.deepEqual(view?.['@type'], [`${HYDRA}PartialCollectionView`]);
  const link = (number: number) =>
    `${service.config.publicUrl}/api/v1/shipments?itemsPerPage=1&page=${number}`;
  t.is(valueOf(view, `${HYDRA}first`), link(1));
  t.is(valueOf(view, `${HYDRA}previous`), link(1));
  t.is(valueOf(view, `${HYDRA}next`), link(3));
  t.is(valueOf(view, `${HYDRA}last`), link(3));
});

test('200 a collection says in Hydra’s words how it can be searched', async (t) => {
  const path = '/api/v1/tasks';
  const [page] = await expand(service, await send(service, 'GET', path, { token }), path);
  const [search] = nodesOf(page, `${HYDRA}search`);
  t.deepEqual(search?.['@type'], [`${HYDRA}IriTemplate`]);
  t.is(
    valueOf(search, `${HYDRA}template`),
    '/api/v1/tasks{?order[createdAt],order[updatedAt],order[id],status,type,driver,shipment,deliveryRun}',
  );
  t.is(valueOf(search, `${HYDRA}variableRepresentation`), `${HYDRA}BasicRepresentation`);
  const mapped = nodesOf(search, `${HYDRA}mapping`).map((mapping) => [
    valueOf(mapping, `${HYDRA}variable`),
    valueOf(mapping, `${HYDRA}property`),
  ]);
  t.deepEqual(mapped.slice(0, 4), [
    ['order[createdAt]', `${vocabulary}Task/createdAt`],
    ['order[updatedAt]', `${vocabulary}Task/updatedAt`],
    ['order[id]', `${vocabulary}Task/id`],
    ['status', `${vocabulary}Task/status`],
  ]);
});

test('200 a shipment’s terms are of its own class, those of its tasks of theirs', async (t) => {
  const list = await send(service, 'GET', '/shipments', { token });
  const path = textAt(list.body, 'member.0.@id');
  const [shipment] = await expand(service, await send(service, 'GET', path, { token }), path);
  t.deepEqual(shipment?.['@type'], [`${vocabulary}Shipment`]);
  t.is(valueOf(shipment, `${vocabulary}Shipment/status`), 'pending');
  const [recipient] = nodesOf(shipment, `${vocabulary}Shipment/recipient`);
  const [address] = nodesOf(recipient, `${vocabulary}Shipment/recipient/address`);
  t.is(valueOf(address, `${vocabulary}Shipment/recipient/address/city`), 'Paris');
  const [task] = nodesOf(shipment, `${vocabulary}Shipment/tasks`);
  t.deepEqual(task?.['@type'], [`${vocabulary}Task`]);
  t.is(valueOf(task, `${vocabulary}Task/type`), 'delivery');
  t.deepEqual(
    propertiesIn(shipment).filter(
      (name) => name.startsWith(vocabulary) && !name.includes('/', vocabulary.length),
    ),
    [],
    'terms without a class',
  );
});

test('200 a link expands to an address, not to a text', async (t) => {
  const list = await send(service, 'GET', '/tasks', { token });
  const path = textAt(list.body, 'member.0.@id');
  const answer = await send(service, 'GET', path, { token });
  const [task] = await expand(service, answer, path);
  const shipment = `${service.config.publicUrl}${textAt(answer.body, 'shipment')}`;
  t.deepEqual(nodesOf(task, `${vocabulary}Task/shipment`), [{ '@id': shipment }]);
});

test('200 the positions of a driver, which have no IRI, have a class with a context', async (t) => {
  const drivers = await send(service, 'GET', '/drivers', { token });
  const driver = textAt(drivers.body, 'member.0.@id');
  const body = { latitude: 48.8566, longitude: 2.3522 };
  t.is((await send(service, 'POST', `${driver}/location`, { token, body })).status, 200);
  const path = `${driver}/positions`;
  const [page] = await expand(service, await send(service, 'GET', path, { token }), path);
  const [position] = nodesOf(page, `${HYDRA}member`);
  t.deepEqual(position?.['@type'], [`${vocabulary}DriverPosition`]);
  t.is(valueOf(position, `${vocabulary}DriverPosition/latitude`), 48.8566);
});

test('404 and 422 expand to Hydra’s words for errors', async (t) => {
  const path = '/api/v1/shipments/00000000-0000-4000-8000-000000000000';
  const [missing] = await expand(service, await send(service, 'GET', path, { token }), path);
  t.deepEqual(missing?.['@type'], [`${HYDRA}Error`]);
  t.is(valueOf(missing, `${HYDRA}statusCode`), 404);
  t.is(valueOf(missing, `${HYDRA}title`), 'Not found');
  t.is(valueOf(missing, `${HYDRA}description`), 'There is no such shipment.');
  const answer = await send(service, 'POST', '/shipments', { token, body: {} });
  const [invalid] = await expand(service, answer, '/api/v1/shipments');
  t.deepEqual(invalid?.['@type'], [`${vocabulary}ConstraintViolation`]);
  const [violation] = nodesOf(invalid, `${vocabulary}violations`);
  t.is(valueOf(violation, `${vocabulary}propertyPath`), 'recipient');
  t.is(valueOf(violation, `${vocabulary}message`), 'This field is required.');
});

test('200 the entrypoint leads to every collection, and its pages add up to totalItems', async (t) => {
  const entrypoint = await send(service, 'GET', '/api/v1');
  const [node] = await expand(service, entrypoint, '/api/v1');
  t.deepEqual(node?.['@type'], [`${vocabulary}Entrypoint`]);
  const addresses = Object.entries(node ?? {}).flatMap(([name, values]) =>
    name.startsWith(`${vocabulary}Entrypoint/`) ? [String(valueOf({ values }, 'values'))] : [],
  );
  t.true(addresses.length >= 2);
  for (const address of addresses) {
    const { members, totalItems } = await walk(address.slice(service.config.publicUrl.length));
    t.is(members, totalItems, address);
  }
});

test('200 the entrypoint is the same with a slash at its end', async (t) => {
  const [bare, slash] = await Promise.all([send(service, 'GET', '/api/v1'), send(service, 'GET', '/')]);
  t.is(bare.status, 200);
  t.deepEqual(slash.body, bare.body);
});

test('200 the documentation expands, with every operation and property under Hydra’s terms', async (t) => {
  const [documentation] = await expand(
    service,
    await send(service, 'GET', '/docs.jsonld'),
    '/api/v1/docs.jsonld',
  );
  t.deepEqual(documentation?.['@type'], [`${HYDRA}ApiDocumentation`]);
  t.is(valueOf(documentation, `${HYDRA}entrypoint`), `${service.config.publicUrl}/api/v1`);
  const classes = nodesOf(documentation, `${HYDRA}supportedClass`);
  const shipment = classes.find((node) => node['@id'] === `${vocabulary}Shipment`);
  const methods = nodesOf(shipment, `${HYDRA}supportedOperation`).map((node) =>
    valueOf(node, `${HYDRA}method`),
  );
  t.deepEqual(methods, ['GET', 'PATCH', 'DELETE']);
  const [, , deletion] = nodesOf(shipment, `${HYDRA}supportedOperation`);
  t.regex(String(valueOf(deletion, `${HYDRA}description`)), / Roles: ROLE_ORG_ADMIN\.$/);
  const status = nodesOf(shipment, `${HYDRA}supportedProperty`).find(
    (node) => valueOf(node, `${HYDRA}property`) === `${vocabulary}Shipment/status`,
  );
  t.is(valueOf(status, `${HYDRA}writeable`), false);
  t.is(valueOf(status, `${HYDRA}readable`), true);
  t.deepEqual(
    propertiesIn(documentation).filter((name) => name.startsWith(vocabulary)),
    [],
    'terms that are not Hydra’s',
  );
});

test('200 a context may be kept: it is public, tagged and answers 304', async (t) => {
  const first = await send(service, 'GET', '/contexts/Shipment');
  t.is(first.headers.get('cache-control'), 'public, max-age=3600');
  const etag = first.headers.get('etag') ?? '';
  const second = await send(service, 'GET', '/contexts/Shipment', { headers: { 'if-none-match': etag } });
  t.is(second.status, 304);
});

test('404 a context of an unknown type', async (t) => {
  const answer = await send(service, 'GET', '/contexts/Spaceship');
  t.is(answer.status, 404);
});

test('200 the type of a problem leads to a page of its own', async (t) => {
  const missing = await send(service, 'GET', '/nowhere');
  const answer = await send(service, 'GET', textAt(missing.body, 'type'));
  t.is(answer.status, 200);
  t.is(at(answer.body, 'status'), 404);
  t.is(at(answer.body, 'title'), at(missing.body, 'title'));
});

test('200 the Link header names the documentation and the other pages', async (t) => {
  const answer = await send(service, 'GET', '/shipments?itemsPerPage=1&page=2', { token });
  const link = answer.headers.get('link') ?? '';
  const documentation = `<${service.config.publicUrl}/api/v1/docs.jsonld>; rel="${HYDRA}apiDocumentation"`;
  t.true(link.includes(documentation));
  t.true(link.includes('</api/v1/shipments?itemsPerPage=1&page=1>; rel="prev"'));
  t.true(link.includes('</api/v1/shipments?itemsPerPage=1&page=3>; rel="next"'));
  t.true(link.includes('</api/v1/shipments?itemsPerPage=1&page=1>; rel="first"'));
  t.true(link.includes('</api/v1/shipments?itemsPerPage=1&page=3>; rel="last"'));
});

/** Follows hydra:next from a collection's address to its end, in small pages. */
async function walk(address: string): Promise<{ members: number; totalItems: number }> {
  let next: string | undefined = `${address}?itemsPerPage=2`;
  let members = 0;
  let totalItems = Number.NaN;
  while (next !== undefined) {
    const [page] = await expand(service, await send(service, 'GET', next, { token }), next);
    members += nodesOf(page, `${HYDRA}member`).length;
    totalItems = Number(valueOf(page, `${HYDRA}totalItems`));
    const [view] = nodesOf(page, `${HYDRA}view`);
    const following = valueOf(view, `${HYDRA}next`);
    next = typeof following === 'string' ? following.slice(service.config.publicUrl.length) : undefined;
  }
  return { members, totalItems };
}
