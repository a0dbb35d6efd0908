import test from 'ava';
import { makeDriver, makeMerchant, makeOrganization, makeUser } from '../../harness/make.ts';
import { expectStatus, makeShipment, move } from '../../harness/moves.ts';
import { at, fieldsOf, listAt, send } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService();

test('200 the timeline says who did what, when it happened and when it was told', async (t) => {
  const organization = await makeOrganization(service);
  const merchantId = await makeMerchant(service, organization);
  const dispatcher = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const merchant = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  const driver = await makeDriver(service, organization, { firstName: 'Lina' });
  const { iri, delivery } = await makeShipment(service, dispatcher.token, {
    fields: { merchant: `/api/v1/merchants/${merchantId}` },
  });
  await move(service, dispatcher.token, delivery, 'assign', { driver: `/api/v1/drivers/${driver}` });
  const occurredAt = new Date(Date.now() - 3_600_000).toISOString();
  const failure = { reason: 'other', comment: 'The dog was in the garden.', occurredAt };
  await move(service, dispatcher.token, delivery, 'fail', failure);

  const timelineFor = async (token: string) =>
    listAt(expectStatus(await send(service, 'GET', iri, { token }), 200).body, 'timeline').map(fieldsOf);
  const [, assigned, failed] = await timelineFor(dispatcher.token);
  t.like(assigned, { driverName: 'Lina Moreau', changedBy: { name: 'Test ROLE_DISPATCHER' } });
  t.like(failed, { comment: 'The dog was in the garden.', changedBy: { name: 'Test ROLE_DISPATCHER' } });
  t.is(Date.parse(String(at(failed, 'occurredAt'))), Date.parse(occurredAt));
  t.true(Date.parse(String(at(failed, 'recordedAt'))) > Date.parse(occurredAt));

  const [, , shown] = await timelineFor(merchant.token);
  t.is(shown?.['transition'], 'fail');
  t.is(shown?.['comment'], undefined);
  t.is(shown?.['changedBy'], undefined);
});
