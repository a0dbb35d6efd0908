import test from 'ava';
import { command } from '../../ops/dead-letters.ts';
import { runCommand } from '../../ops/command-line.ts';
import { command as organizationCommand } from '../../ops/organization.ts';
import { execute, select } from '../../store/connection.ts';
import { openDeadLetters } from '../../store/webhooks/dead-letters.ts';
import { makeDriver, makeTeam } from '../harness/make.ts';
import { makeShipment, move } from '../harness/moves.ts';
import type { Receiver } from '../harness/receiver.ts';
import { startReceiver } from '../harness/receiver.ts';
import { until } from '../harness/until.ts';
import { useService } from '../harness/use-service.ts';
import { reconcileOnce } from '../../worker/reconciler.ts';
import { runAsOperator } from './run-as-operator.ts';

const service = useService();
const reconcile = () =>
  reconcileOnce({ database: service.database, workflows: service.dependencies.workflows });
const run = (...argv: string[]) => runAsOperator(service, command, argv);

/** An organization with events that its receiver rejected. */
async function rejected(receiver: Receiver, count: number) {
  const { organization, token } = await makeTeam(service, 'ROLE_DISPATCHER', { webhookUrl: receiver.url });
  const driver = await makeDriver(service, organization);
  for (let made = 0; made < count; made += 1) {
    const { delivery } = await makeShipment(service, token);
    await move(service, token, delivery, 'assign', { driver: `/api/v1/drivers/${driver}` });
  }
  const statuses = async () => {
    const rows = await select<{ status: string; round: number }>(
      service.database,
      'select status, round from webhook_events where organization_id = $1 order by created_at',
      [organization.id],
    );
    return rows.map(({ status, round }) => `${status} ${round}`);
  };
  await until(
    async () => (await statuses()).filter((status) => status === 'rejected 0').length === count,
    'the events are not rejected',
  );
  return { organization, statuses };
}

test.serial(
  'what failed is listed by organization and host, and replayed for all organizations',
  async (t) => {
    const receiver = await startReceiver({ answers: [410] });
    t.teardown(receiver.close);
    const [first, second] = [await rejected(receiver, 2), await rejected(receiver, 1)];
    const listed = await run('list', '--host', 'LOCALHOST');
    t.is(listed.code, 0);
    t.regex(listed.printed, new RegExp(`^2  localhost  ${first.organization.id} .*HTTP 410$`, 'm'));
    t.regex(listed.printed, new RegExp(`^1  localhost  ${second.organization.id} `, 'm'));
    for (const narrow of [
      ['--host', 'example.com'],
      ['--from', '2100-01-01T00:00:00Z'],
      ['--to', '2020-01-01T00:00:00Z'],
      ['--status', 'dead,skipped'],
      ['--organization', '00000000-0000-4000-8000-000000000000'],
    ]) {
      t.is((await run('list', ...narrow)).printed, 'There is no such event.', narrow.join(' '));
    }

    receiver.respondWith([200]);
    const replayed = await run('replay', '--per-second', '40');
    t.regex(
      replayed.printed,
      /3 events\. To go on after a stop: --not-replayed-since .*\n[\s\S]*Done: 3 events/,
    );
    await reconcile();
    await until(async () => (await first.statuses()).every((status) => status === 'delivered 1'), 'not sent');
    await until(
      async () => (await second.statuses()).every((status) => status === 'delivered 1'),
      'not sent',
    );
    t.is((await run('replay')).printed, 'There is no such event.');
    const recorded = await select<{ count: number }>(
      service.database,
      `select count from audit_events where kind = 'webhooks.replayed' and organization_id = $1`,
      [first.organization.id],
    );
    t.deepEqual(recorded, [{ count: 2 }]);
  },
);

test.serial('a replay that goes on takes no event twice, though it failed again', async (t) => {
  const receiver = await startReceiver({ answers: [410] });
  t.teardown(receiver.close);
  const { organization, statuses } = await rejected(receiver, 2);
  const own = ['--organization', organization.id, '--per-second', '40'];
  const { printed } = await run('replay', ...own);
  const since = /--not-replayed-since (\S+)/.exec(printed)?.[1] ?? '';
  await reconcile();
  await until(
    async () => (await statuses()).every((status) => status === 'rejected 1'),
    'not rejected again',
  );
  t.is((await run('replay', ...own, '--not-replayed-since', since)).printed, 'There is no such event.');
  t.deepEqual(await statuses(), ['rejected 1', 'rejected 1']);
});

test.serial(
  'an organization with live events waits, and one that is suspended is left out with the reason',
  async (t) => {
    const receiver = await startReceiver({ answers: [410] });
    t.teardown(receiver.close);
    const { organization, statuses } = await rejected(receiver, 2);
    const own = ['--organization', organization.id, '--per-second', '40'];
    await runAsOperator(service, organizationCommand, ['suspend', organization.id, 'unpaid']);
    const left = await run('replay', ...own);
    t.regex(left.printed, /Left out: .*suspended\nDone: 0 events/);
    await runAsOperator(service, organizationCommand, ['resume', organization.id]);

    // A live event that no workflow settles for now.
    const setLive = (status: string, waits: string) =>
      execute(
        service.database,
        `update webhook_events set status = $2, reconcile_after = clock_timestamp() + $3::interval
       where id = (select id from webhook_events where organization_id = $1 order by created_at limit 1)`,
        [organization.id, status, waits],
      );
    await setLive('pending', '1 hour');
    const anyTime = { from: null, to: null, notReplayedSince: null };
    const filter = { statuses: ['rejected'], organizationId: null, host: null, ...anyTime } as const;
    const turn = (ignoresLive = false) =>
      openDeadLetters(service.database, organization.id, filter, 5, ignoresLive);
    t.deepEqual(await turn(), { kind: 'waits', for: 'live' });
    t.deepEqual(await statuses(), ['pending 0', 'rejected 0']);
    const printed: string[] = [];
    const replaying = runCommand(command, {
      arguments: ['replay', ...own],
      environment: { DATABASE_URL: service.databaseUrl },
      projectFolder: '/nowhere',
      print: (line) => printed.push(line),
      printError: (line) => printed.push(line),
    });
    await until(
      () =>
        printed.some((line) => line.startsWith(`Waits up to 60 s for its live events: ${organization.id}`)),
      'it says nothing of who waits',
    );
    t.deepEqual(await turn(true), { kind: 'opened', count: 1, hasLive: true });
    await setLive('delivered', '0 seconds');
    t.is(await replaying, 0);
    t.regex(printed.at(-1) ?? '', /^Done: /);
  },
);

test.serial('faulty options are all named', async (t) => {
  const { code, printedErrors } = await run(
    ...[
      'replay',
      '--from',
      'yesterday',
      '--status',
      'pending',
      '--per-second',
      '400',
      '--organization',
      'atlas',
    ],
  );
  t.is(code, 1);
  t.regex(printedErrors, /--organization[\s\S]*--status[\s\S]*--per-second[\s\S]*--from[\s\S]*Usage/);
  t.regex((await run()).printedErrors, /Usage: npm run dead-letters/);
});
