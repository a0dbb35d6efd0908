import test from 'ava';
import { makeTeam } from '../../harness/make.ts';
import { expectStatus, makeShipment } from '../../harness/moves.ts';
import { at, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false, settings: { COMMAND_WAIT_MS: '50' } });

test('202 without workers the task is promised, and made when they come', async (t) => {
  const { token } = await makeTeam(service);
  const shipment = await makeShipment(service, token);
  const answer = await send(service, 'POST', '/tasks', {
    token,
    body: {
      shipment: shipment.iri,
      type: 'transfer',
      address: { street: '8 quai de la Gare', city: 'Paris' },
    },
  });
  t.is(answer.status, 202);
  const location = answer.headers.get('location') ?? '';
  t.is(at(answer.body, '@id'), location);

  const decided = service.dependencies.outcomes.decided(textAt(answer.body, 'id'), 60_000);
  await service.startWorkers();
  t.is(await decided, 'applied');
  const command = expectStatus(await send(service, 'GET', location, { token }), 200);
  t.is(at(command.body, 'status'), 'applied');
  const task = expectStatus(await send(service, 'GET', textAt(command.body, 'task'), { token }), 200);
  t.is(at(task.body, 'type'), 'transfer');
});
