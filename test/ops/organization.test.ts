import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import test from 'ava';
import { runCommand } from '../../ops/command-line.ts';
import { command as createCommand } from '../../ops/organization-create.ts';
import { command as planCommand } from '../../ops/organization-plan.ts';
import { at, send, textAt } from '../harness/request.ts';
import { useService } from '../harness/use-service.ts';

const service = useService({ withWorkers: false });

type Command = 'create' | 'plan';

async function run(command: Command, argv: readonly string[], settings?: NodeJS.ProcessEnv) {
  const printed: string[] = [];
  const printedErrors: string[] = [];
  const code = await runCommand(command === 'create' ? createCommand : planCommand, {
    arguments: argv,
    environment: settings ?? { DATABASE_URL: service.databaseUrl },
    projectFolder: '/nowhere',
    print: (text: string) => printed.push(text),
    printError: (text: string) => printedErrors.push(text),
  });
  return { code, printed: printed.join('\n'), printedErrors: printedErrors.join('\n') };
}

function createArguments(email = `${randomUUID()}@example.com`): string[] {
  return ['--name', 'Atlas Livraison', '--prefix', 'ATL', '--admin-email', email];
}

function shown(printed: string, name: string): string {
  return new RegExp(`^ +${name} +(\\S+)$`, 'm').exec(printed)?.[1] ?? '';
}

async function signIn(printed: string) {
  const body = { email: shown(printed, 'admin'), password: shown(printed, 'password') };
  return send(service, 'POST', '/login_check', { body, contentType: 'application/json' });
}

test('an organization is made whose printed password, key and secret are its own', async (t) => {
  const { code, printed } = await run('create', [
    ...createArguments(),
    '--plan',
    'business',
    '--timezone',
    'Europe/Paris',
  ]);
  t.is(code, 0);
  const login = await signIn(printed);
  t.is(login.status, 200);
  const token = textAt(login.body, 'token');
  const read = await send(service, 'GET', `/organizations/${shown(printed, 'id')}`, { token });
  t.like(read.body, {
    name: 'Atlas Livraison',
    plan: 'business',
    hasWebhooks: true,
    trackingPrefix: 'ATL',
    currency: 'EUR',
    timezone: 'Europe/Paris',
    webhookSecret: shown(printed, 'webhook secret'),
  });
  const path = `/external/shipments/${randomUUID()}`;
  t.is((await send(service, 'GET', path, { key: shown(printed, 'API key') })).status, 404);
});

test('a plan is changed, and the webhooks with it', async (t) => {
  const { printed } = await run('create', createArguments());
  const id = shown(printed, 'id');
  const moved = await run('plan', [id, 'pro']);
  t.is(moved.code, 0);
  t.regex(moved.printed, /from decouverte to pro\. Webhooks are included/);
  const token = textAt((await signIn(printed)).body, 'token');
  const read = await send(service, 'GET', `/organizations/${id}`, { token });
  t.is(at(read.body, 'hasWebhooks'), true);
  t.regex((await run('plan', [id, 'pro'])).printed, /already has the plan pro/);
});

test('without arguments each command prints its usage and every fault', async (t) => {
  const create = await run('create', []);
  t.is(create.code, 1);
  t.regex(
    create.printedErrors,
    /--name[\s\S]*--prefix[\s\S]*--admin-email[\s\S]*Usage: npm run organization:create/,
  );
  const plan = await run('plan', []);
  t.is(plan.code, 1);
  t.regex(plan.printedErrors, /id\.\n.*decouverte, pro[\s\S]*Usage: npm run organization:plan/);
});

const FAULTY: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['an unknown option', ['--planet', 'mars'], /planet[\s\S]*Usage/],
  ['an unknown plan', [...createArguments(), '--plan', 'gold'], /--plan must be one of: decouverte, pro/],
  ['a prefix in small letters', [...createArguments(), '--prefix', 'atl'], /--prefix must be/],
  ['a currency that is none', [...createArguments(), '--currency', 'ZZZ'], /--currency must be/],
  ['a time zone that is none', [...createArguments(), '--timezone', 'Mars/Base'], /--timezone must be/],
  ['an address that is none', createArguments('nobody'), /--admin-email must be/],
];
for (const [what, argv, message] of FAULTY) {
  test(`${what} is rejected with what to do`, async (t) => {
    const { code, printed, printedErrors } = await run('create', argv);
    t.deepEqual([code, printed], [1, '']);
    t.regex(printedErrors, message);
  });
}

test('an address that has a user already makes no organization', async (t) => {
  const argv = createArguments();
  t.is((await run('create', argv)).code, 0);
  const again = await run('create', argv);
  t.is(again.code, 1);
  t.regex(again.printedErrors, /already belongs to a user/);
});

test('a plan for an unknown organization is rejected', async (t) => {
  const { code, printedErrors } = await run('plan', [randomUUID(), 'pro']);
  t.is(code, 1);
  t.regex(printedErrors, /There is no organization/);
});

test('without DATABASE_URL the database is the one that npm start wrote down', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'organization-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const settings = { DATA_DIR: folder };
  const lost = await run('create', createArguments(), settings);
  t.is(lost.code, 1);
  t.regex(lost.printedErrors, /Set DATABASE_URL .*npm start/);
  await writeFile(join(folder, 'addresses.json'), JSON.stringify({ databaseUrl: service.databaseUrl }));
  t.is((await run('create', createArguments(), settings)).code, 0);
});

test('a database that does not answer is named as the cause', async (t) => {
  const settings = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
  const { code, printedErrors } = await run('plan', [randomUUID(), 'pro'], settings);
  t.is(code, 1);
  t.regex(printedErrors, /The database is unreachable/);
});
