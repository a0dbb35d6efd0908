import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import test from 'ava';
import { pino } from 'pino';
import { webhookActivities } from '../../activities/webhooks.ts';
import { command as organizationCommand } from '../../ops/organization.ts';
import { command } from '../../ops/webhook-secrets.ts';
import { systemClock } from '../../platform/clock.ts';
import { createOutboundClient } from '../../platform/outbound-client.ts';
import { createSealing, parseSealingKeys } from '../../platform/sealing.ts';
import { reportMissingKeys } from '../../store/accounts/report-missing-keys.ts';
import { findSecondFactor, sealedFactorsOf } from '../../store/accounts/second-factors.ts';
import { execute, select } from '../../store/connection.ts';
import { deleteExpired } from '../../store/expiry.ts';
import { newId } from '../../store/new-id.ts';
import { makeFactor } from '../harness/factor.ts';
import { makeTeam, makeUser } from '../harness/make.ts';
import { expectStatus } from '../harness/moves.ts';
import type { ReceivedRequest } from '../harness/receiver.ts';
import { startReceiver } from '../harness/receiver.ts';
import { at, send } from '../harness/request.ts';
import { useService } from '../harness/use-service.ts';
import { runAsOperator } from './run-as-operator.ts';

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const KEYS = newKey('k1');
const service = useService({ settings: { ENCRYPTION_KEYS: KEYS } });
const run = (argv: readonly string[], keys = KEYS) =>
  runAsOperator(service, command, argv, { ENCRYPTION_KEYS: keys });

async function storedOf(id: string) {
  const [row] = await select<{ secret: string; next: string | null }>(
    service.database,
    'select webhook_secret as secret, next_webhook_secret as next from organizations where id = $1',
    [id],
  );
  return row ?? { secret: '', next: null };
}

/** An admin whose receiver gets a test event at each call. */
async function scene(receiverUrl: string) {
  const { organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN', { webhookUrl: receiverUrl });
  const path = `/organizations/${organization.id}`;
  return {
    organization,
    shown: async () => at((await send(service, 'GET', path, { token })).body, 'webhookSecret'),
    test: async () => expectStatus(await send(service, 'POST', `${path}/webhook-test`, { token }), 202),
  };
}

/** Which of the secrets a request was signed with, by its two headers. */
function signersOf({ body, headers }: ReceivedRequest, secrets: Readonly<Record<string, string>>) {
  const [time = '', ...signatures] = String(headers['x-service-timestamped-signature']).split(',');
  const namesOf = (isSigned: (secret: string) => boolean) =>
    Object.keys(secrets).filter((name) => isSigned(secrets[name] ?? ''));
  const hmac = (secret: string, prefix: string) =>
    createHmac('sha256', secret).update(prefix).update(body).digest('hex');
  return {
    plain: namesOf((secret) => headers['x-service-signature'] === `sha256=${hmac(secret, '')}`),
    timestamped: namesOf((secret) => signatures.includes(`v1=${hmac(secret, `${time.slice(2)}.`)}`)),
    count: signatures.length,
  };
}

test.serial(
  'a secret is sealed as it is stored, shown to the admin, and replaced with an overlap',
  async (t) => {
    const receiver = await startReceiver();
    t.teardown(receiver.close);
    const { organization, shown, test: sendTest } = await scene(receiver.url);
    t.regex((await storedOf(organization.id)).secret, /^sealed:k1:/);
    t.is(await shown(), organization.webhookSecret);

    const rotated = await run(['rotate', organization.id]);
    t.is(rotated.code, 0);
    const secrets = {
      old: organization.webhookSecret,
      new: /webhook secret +(whsec_[0-9a-f]{40})$/m.exec(rotated.printed)?.[1] ?? '',
    };
    t.regex((await run(['rotate', organization.id])).printedErrors, /A rotation is under way/);
    await sendTest();
    const [during] = await receiver.waitForRequests(1);
    t.deepEqual(during && signersOf(during, secrets), {
      plain: ['old'],
      timestamped: ['old', 'new'],
      count: 2,
    });
    t.is(await shown(), secrets.old);

    const endOverlap = `update organizations set webhook_secret_changes_at = clock_timestamp() where id = $1`;
    await execute(service.database, endOverlap, [organization.id]);
    const onlyNew = { plain: ['new'], timestamped: ['new'], count: 1 };
    await sendTest();
    const after = (await receiver.waitForRequests(2))[1];
    t.deepEqual(after && signersOf(after, secrets), onlyNew);
    await deleteExpired(service.database);
    t.is((await storedOf(organization.id)).next, null, 'the old secret is forgotten');
    await sendTest();
    const later = (await receiver.waitForRequests(3))[2];
    t.deepEqual(later && signersOf(later, secrets), onlyNew);
    t.is(await shown(), secrets.new);
  },
);

test.serial(
  'every secret is encrypted with the first key, those that were stored as they are too',
  async (t) => {
    const { organization, shown } = await scene('https://example.com/hook');
    const user = await makeUser(service, organization, 'ROLE_DISPATCHER');
    const factor = await makeFactor(service, organization, user);
    await run(['rotate', organization.id]);
    const plain = `whsec_${'0'.repeat(40)}`;
    const makePlain = 'update organizations set webhook_secret = $2 where id = $1';
    await execute(service.database, makePlain, [organization.id, plain]);
    t.is(await shown(), plain);
    const keys = `${newKey('k2')},${KEYS}`;
    const resealed = await run(['reseal'], keys);
    t.regex(
      resealed.printed,
      /^Encrypted the secrets of \d+ organizations again\.\n\d+ secrets .* the key k2\.$/,
    );
    const { secret, next } = await storedOf(organization.id);
    t.regex(`${secret} ${next ?? ''}`, /^sealed:k2:\S+ sealed:k2:\S+$/);
    const [row] = await sealedFactorsOf(service.database, organization.id);
    t.regex(row?.secret ?? '', /^sealed:k2:/);
    t.regex((await run(['reseal'], keys)).printed, /^Encrypted the secrets of 0 organizations/);
    t.is((await run(['reseal'], `${KEYS},${keys.split(',')[0] ?? ''}`)).code, 0);
    t.is(await shown(), plain, 'the service has the first key again');
    t.is((await findSecondFactor(service.database, user.id))?.secret, factor.secret);
  },
);

test.serial('a command without a key stores no secret as it is where others are encrypted', async (t) => {
  const { organization, shown } = await scene('https://example.com/hook');
  const create = [
    'create',
    '--name',
    'Atlas',
    '--prefix',
    'ATL',
    '--admin-email',
    `${randomUUID()}@example.com`,
  ];
  for (const { code, printedErrors } of [
    await run(['rotate', organization.id], ''),
    await runAsOperator(service, organizationCommand, create, { ENCRYPTION_KEYS: '' }),
  ]) {
    t.is(code, 1);
    t.regex(printedErrors, /^Stored secrets are encrypted with the key .*Set ENCRYPTION_KEYS/);
  }
  t.is(await shown(), organization.webhookSecret);
  t.is((await storedOf(organization.id)).next, null);
});

test.serial(
  'without the key of a secret all goes on that needs no secret, and the log names the key',
  async (t) => {
    const { organization } = await scene('https://example.com/hook');
    const dispatcher = await makeUser(service, organization, 'ROLE_DISPATCHER');
    const lost = createSealing(parseSealingKeys(newKey('lost')) ?? []);
    const store = 'update organizations set webhook_secret = $2, is_webhook_enabled = $3 where id = $1';
    const secret = lost.seal(organization.webhookSecret, organization.id);
    await execute(service.database, store, [organization.id, secret, false]);
    t.teardown(() => execute(service.database, store, [organization.id, organization.webhookSecret, false]));

    const path = `/organizations/${organization.id}`;
    t.is((await send(service, 'GET', path, { token: dispatcher.token })).status, 200);
    const eventId = newId<'webhook_event'>();
    await execute(
      service.database,
      `insert into webhook_events (id, organization_id, kind, body, event_updated_at, reconcile_after)
     values ($1, $2, 'shipment.status_changed', convert_to('{}', 'UTF8'), '2030-01-01T00:00:00.000000+00:00', now() + interval '1 hour')`,
      [eventId, organization.id],
    );
    const outbound = createOutboundClient({ allowPrivate: true, extraCaFile: null });
    t.teardown(() => outbound.close());
    const { database } = service;
    t.is(
      await webhookActivities({ database, outbound, clock: systemClock }).sendWebhook(eventId, 1),
      'skipped',
    );

    const lines: string[] = [];
    await reportMissingKeys(database, pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }));
    t.is(lines.length, 1);
    t.like(JSON.parse(lines[0] ?? ''), { level: 50, keyId: 'lost', count: 1 });

    const recorded = async () =>
      (await select(database, `select id from audit_events where kind = 'webhook_secrets.resealed'`)).length;
    const before = await recorded();
    const failed = await run(['reseal'], `${newKey('k4')},${KEYS}`);
    t.is(failed.code, 1);
    const [, done] =
      /^The secrets of (\d+) organizations were encrypted again, then it failed: .* needs the key lost/.exec(
        failed.printedErrors,
      ) ?? [];
    t.true(Number(done) > 0);
    t.is((await recorded()) - before, Number(done));
  },
);

test.serial('faulty arguments change nothing and say what to do', async (t) => {
  for (const [argv, message] of [
    [[], /Usage: npm run webhook-secrets/],
    [['rotate', 'atlas'], /Usage/],
    [['rotate', randomUUID(), '721'], /Usage/],
    [['rotate', randomUUID()], /There is no organization/],
  ] as const) {
    const { code, printedErrors } = await run(argv);
    t.is(code, 1);
    t.regex(printedErrors, message);
  }
  t.regex((await run(['reseal'], '')).printedErrors, /ENCRYPTION_KEYS is not set/);
  t.regex((await run(['show'], 'k1')).printedErrors, /ENCRYPTION_KEYS must be/);
});
