import test from 'ava';
import { makeMerchant, makeOrganization, makeTeamWithDriver, makeUser } from '../../harness/make.ts';
import { expectStatus, makeShipment } from '../../harness/moves.ts';
import { at, fieldsOf, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';
import { expand, HYDRA, nodesOf, valueOf } from './expand.ts';

const service = useService();

/** The operation that the documentation has for a link of a class, as a generic client reads it. */
async function operationOf(className: string, link: string) {
  const answer = await send(service, 'GET', '/docs.jsonld');
  const [documentation] = await expand(service, answer, '/api/v1/docs.jsonld');
  const vocabulary = `${service.config.publicUrl}/api/v1/docs.jsonld#`;
  const classes = nodesOf(documentation, `${HYDRA}supportedClass`);
  const properties = nodesOf(
    classes.find((node) => node['@id'] === `${vocabulary}${className}`),
    `${HYDRA}supportedProperty`,
  ).flatMap((supported) => nodesOf(supported, `${HYDRA}property`));
  const property = properties.find((node) => node['@id'] === `${vocabulary}${className}/${link}`);
  const [operation] = nodesOf(property, `${HYDRA}supportedOperation`);
  const expects = String(valueOf(operation, `${HYDRA}expects`));
  const expected = classes.find((node) => node['@id'] === expects);
  return {
    types: property?.['@type'],
    method: String(valueOf(operation, `${HYDRA}method`)),
    returns: valueOf(operation, `${HYDRA}returns`),
    fields: nodesOf(expected, `${HYDRA}supportedProperty`).map((node) => valueOf(node, `${HYDRA}title`)),
    vocabulary,
  };
}

test('200 a shipment that awaits approval links to where it is approved, and then no more', async (t) => {
  const organization = await makeOrganization(service);
  const merchantId = await makeMerchant(service, organization);
  const merchant = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  const { token } = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const made = await send(service, 'POST', '/shipments', {
    token: merchant.token,
    body: {
      recipient: {
        firstName: 'Amina',
        phoneNumber: '+33612345678',
        address: { street: '1 rue de Rivoli', city: 'Paris' },
      },
    },
  });
  const { types, method, returns, vocabulary } = await operationOf('Shipment', 'approve');
  t.deepEqual(types, [`${HYDRA}Link`]);
  t.is(returns, `${vocabulary}Shipment`);
  const link = textAt(made.body, 'approve');
  const approved = expectStatus(await send(service, method, link, { token }), 200);
  t.is(at(approved.body, 'approve'), undefined);
  const sentBack = { ...fieldsOf(approved.body), approve: link, notes: 'Ring twice.' };
  const patched = await send(service, 'PATCH', textAt(made.body, '@id'), { token, body: sentBack });
  t.is(patched.status, 200, 'a link of before may be sent back');
});

test('200 a task links to its transitions while one is allowed, and the documentation says what to send', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { delivery } = await makeShipment(service, token);
  const { types, method, fields } = await operationOf('Task', 'transition');
  t.deepEqual(types, [`${HYDRA}Link`]);
  t.deepEqual(fields, ['transition', 'driver', 'reason', 'comment', 'proof', 'occurredAt']);
  const link = textAt((await send(service, 'GET', delivery, { token })).body, 'transition');
  const body = { transition: 'assign', driver };
  expectStatus(await send(service, method, link, { token, body }), 200);
  const ended = await send(service, method, link, { token, body: { transition: 'cancel' } });
  t.is(ended.status, 200);
  t.is(at(ended.body, 'transition'), undefined);
});
