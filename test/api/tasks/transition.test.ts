import test from 'ava';
import { makeDriver, makeOrganization, makeUser, shipmentBodyWith } from '../../harness/make.ts';
import { at, send, textAt } from '../../harness/request.ts';
import { startService } from '../../harness/service.ts';
import type { TestService } from '../../harness/service.ts';

let service: TestService;
test.before(async () => {
  service = await startService();
});
test.after.always(() => service.stop());

test('200 assign moves a delivery to assigned and answers the task as it now is', async (t) => {
  const organization = await makeOrganization(service);
  const { token } = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const driver = await makeDriver(service, organization);
  const created = await send(service, 'POST', '/shipments', { token, body: shipmentBodyWith() });
  t.is(created.status, 201);
  const task = textAt(created.body, 'tasks.0.@id');
  const answer = await send(service, 'POST', `${task}/transition`, {
    token,
    body: { transition: 'assign', driver },
  });
  t.is(answer.status, 200);
  t.is(at(answer.body, 'status'), 'assigned');
  t.is(at(answer.body, 'driver'), `/api/v1/drivers/${driver}`);
});
