import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import test from 'ava';
import { makeOrganization, readOrder } from '../../../ops/organization/create.ts';
import { changePlan, readPlanOrder } from '../../../ops/organization/plan.ts';
import { runCommand } from '../../../ops/organization/run-command.ts';
import { at, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

type Command = 'create' | 'plan';

async function run(command: Command, words: readonly string[], settings?: NodeJS.ProcessEnv) {
  const said: string[] = [];
  const complained: string[] = [];
  const line = {
    arguments: words,
    environment: settings ?? { DATABASE_URL: service.databaseUrl },
    projectFolder: '/nowhere',
    say: (text: string) => said.push(text),
    complain: (text: string) => complained.push(text),
  };
  const code =
    command === 'create'
      ? await runCommand(line, readOrder, makeOrganization)
      : await runCommand(line, readPlanOrder, changePlan);
  return { code, said: said.join('\n'), complained: complained.join('\n') };
}

function orderWords(email = `${randomUUID()}@example.com`): string[] {
  return ['--name', 'Atlas Livraison', '--prefix', 'ATL', '--admin-email', email];
}

function shown(said: string, name: string): string {
  return new RegExp(`^ +${name} +(\\S+)$`, 'm').exec(said)?.[1] ?? '';
}

async function signIn(said: string) {
  const body = { email: shown(said, 'admin'), password: shown(said, 'password') };
  return send(service, 'POST', '/login_check', { body, contentType: 'application/json' });
}

test('an organization is made whose printed password, key and secret are its own', async (t) => {
  const { code, said } = await run('create', [
    ...orderWords(),
    '--plan',
    'business',
    '--timezone',
    'Europe/Paris',
  ]);
  t.is(code, 0);
  const login = await signIn(said);
  t.is(login.status, 200);
  const token = textAt(login.body, 'token');
  const read = await send(service, 'GET', `/organizations/${shown(said, 'id')}`, { token });
  t.like(read.body, {
    name: 'Atlas Livraison',
    plan: 'business',
    hasWebhooks: true,
    trackingPrefix: 'ATL',
    currency: 'EUR',
    timezone: 'Europe/Paris',
    webhookSecret: shown(said, 'webhook secret'),
  });
  const path = `/external/shipments/${randomUUID()}`;
  t.is((await send(service, 'GET', path, { key: shown(said, 'API key') })).status, 404);
});

test('a plan is changed, and the webhooks with it', async (t) => {
  const { said } = await run('create', orderWords());
  const id = shown(said, 'id');
  const moved = await run('plan', [id, 'pro']);
  t.is(moved.code, 0);
  t.regex(moved.said, /from decouverte to pro\. Webhooks are included/);
  const token = textAt((await signIn(said)).body, 'token');
  const read = await send(service, 'GET', `/organizations/${id}`, { token });
  t.is(at(read.body, 'hasWebhooks'), true);
  t.regex((await run('plan', [id, 'pro'])).said, /on the plan pro already/);
});

test('without arguments each command says how it is used, and every fault at once', async (t) => {
  const create = await run('create', []);
  t.is(create.code, 1);
  t.regex(
    create.complained,
    /--name[\s\S]*--prefix[\s\S]*--admin-email[\s\S]*Usage: npm run organization:create/,
  );
  const plan = await run('plan', []);
  t.is(plan.code, 1);
  t.regex(plan.complained, /id\.\n.*decouverte, pro[\s\S]*Usage: npm run organization:plan/);
});

const FAULTY: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['an unknown option', ['--planet', 'mars'], /planet[\s\S]*Usage/],
  ['an unknown plan', [...orderWords(), '--plan', 'gold'], /--plan must be one of: decouverte, pro/],
  ['a prefix in small letters', [...orderWords(), '--prefix', 'atl'], /--prefix must be/],
  ['a currency that is none', [...orderWords(), '--currency', 'ZZZ'], /--currency must be/],
  ['a time zone that is none', [...orderWords(), '--timezone', 'Mars/Base'], /--timezone must be/],
  ['an address that is none', orderWords('nobody'), /--admin-email must be/],
];
for (const [what, words, message] of FAULTY) {
  test(`${what} is refused with what to do`, async (t) => {
    const { code, said, complained } = await run('create', words);
    t.deepEqual([code, said], [1, '']);
    t.regex(complained, message);
  });
}

test('an address that has a user already makes no organization', async (t) => {
  const words = orderWords();
  t.is((await run('create', words)).code, 0);
  const again = await run('create', words);
  t.is(again.code, 1);
  t.regex(again.complained, /is a user's address already/);
});

test('a plan for an unknown organization is refused', async (t) => {
  const { code, complained } = await run('plan', [randomUUID(), 'pro']);
  t.is(code, 1);
  t.regex(complained, /There is no organization/);
});

test('without DATABASE_URL the database is the one that npm start wrote down', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'organization-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const settings = { DATA_DIR: folder };
  const lost = await run('create', orderWords(), settings);
  t.is(lost.code, 1);
  t.regex(lost.complained, /Set DATABASE_URL .*npm start/);
  await writeFile(join(folder, 'addresses.json'), JSON.stringify({ databaseUrl: service.databaseUrl }));
  t.is((await run('create', orderWords(), settings)).code, 0);
});

test('a database that does not answer is named as the cause', async (t) => {
  const settings = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
  const { code, complained } = await run('plan', [randomUUID(), 'pro'], settings);
  t.is(code, 1);
  t.regex(complained, /The database does not answer/);
});
