import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import test from 'ava';
import { command } from '../../ops/webhook-secrets.ts';
import { execute, select } from '../../store/connection.ts';
import { deleteExpired } from '../../store/expiry.ts';
import { makeTeam } from '../harness/make.ts';
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
    t.regex((await run(['reseal'], keys)).printed, /^Encrypted the secrets of 0 organizations/);
    t.is((await run(['reseal'], `${KEYS},${keys.split(',')[0] ?? ''}`)).code, 0);
    t.is(await shown(), plain, 'the service has the first key again');
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
