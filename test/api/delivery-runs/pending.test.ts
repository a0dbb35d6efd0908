import test from 'ava';
import { makeTeamWithDriver } from '../../harness/make.ts';
import { expectStatus, makeShipment } from '../../harness/moves.ts';
import { at, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false, settings: { COMMAND_WAIT_MS: '50' } });

test('201 without workers every assignment is promised with its command, and kept when they come', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const tasks: string[] = [];
  // More than are assigned at a time.
  for (let made = 0; made < 18; made += 1) tasks.push((await makeShipment(service, token)).delivery);

  const answer = await send(service, 'POST', '/delivery-runs', { token, body: { driver, tasks } });
  t.is(answer.status, 201);
  const promises = tasks.map((_, index) => ({
    task: textAt(answer.body, `assignments.${index}.task`),
    status: at(answer.body, `assignments.${index}.status`),
    command: /\/api\/v1\/commands\/[0-9a-f-]{36}/.exec(textAt(answer.body, `assignments.${index}.message`)),
  }));
  t.deepEqual(
    promises.map(({ task }) => task),
    tasks,
  );
  t.true(promises.every(({ status }) => status === 'pending'));

  const decided = promises.map(({ command }) =>
    service.dependencies.outcomes.decided(command?.[0].split('/').at(-1) ?? '', 90_000),
  );
  await service.startWorkers();
  t.true((await Promise.all(decided)).every(Boolean));
  const run = expectStatus(await send(service, 'GET', textAt(answer.body, '@id'), { token }), 200);
  t.deepEqual(
    tasks.map((_, index) => at(run.body, `tasks.${index}.driver`)),
    tasks.map(() => `/api/v1/drivers/${driver}`),
  );
});
