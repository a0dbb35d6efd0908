import { randomUUID } from 'node:crypto';
import test from 'ava';
import { makeDriver, makeTeam } from '../../harness/make.ts';
import { makeShipment } from '../../harness/moves.ts';
import { send } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';
import { expand, HYDRA, nodesOf, propertiesIn } from './expand.ts';

const service = useService({ withWorkers: false });

/** The addresses of all properties that the documentation describes. */
async function documentedProperties(): Promise<ReadonlySet<string>> {
  const answer = await send(service, 'GET', '/docs.jsonld');
  const [documentation] = await expand(service, answer, '/api/v1/docs.jsonld');
  const properties = nodesOf(documentation, `${HYDRA}supportedClass`)
    .flatMap((node) => nodesOf(node, `${HYDRA}supportedProperty`))
    .flatMap((node) => nodesOf(node, `${HYDRA}property`));
  return new Set(properties.map((node) => String(node['@id'])));
}

test('200, 401, 404 and 422 every property of records and problems is in the documentation', async (t) => {
  const { organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const { iri, delivery } = await makeShipment(service, token);
  const driver = `/drivers/${await makeDriver(service, organization)}`;
  const described = await documentedProperties();
  const vocabulary = `${service.config.publicUrl}/api/v1/docs.jsonld#`;
  const answers = [
    await send(service, 'GET', iri, { token }),
    await send(service, 'GET', delivery, { token }),
    await send(service, 'GET', driver, { token }),
    await send(service, 'GET', '/users/me', { token }),
    await send(service, 'GET', '/users/me'),
    await send(service, 'GET', `/shipments/${randomUUID()}`, { token }),
    await send(service, 'POST', '/shipments', { token, body: {} }),
  ];
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 401, 404, 422],
  );
  for (const answer of answers) {
    const names = propertiesIn(await expand(service, answer, '/api/v1'));
    // An object inside a record, `Shipment/recipient/address`, is described by its record's property.
    const own = names.filter(
      (name) => name.startsWith(vocabulary) && name.slice(vocabulary.length).split('/').length <= 2,
    );
    t.true(own.length > 0);
    t.deepEqual(
      own.filter((name) => !described.has(name)),
      [],
    );
  }
});
