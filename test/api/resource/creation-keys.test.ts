import { createHash, randomUUID } from 'node:crypto';
import test from 'ava';
import { execute, select } from '../../../store/connection.ts';
import { makeTeam } from '../../harness/make.ts';
import type { Team } from '../../harness/make.ts';
import { expectStatus } from '../../harness/moves.ts';
import { at, listAt, send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

const address = { street: '1 rue', city: 'Oran' };
const corners = [
  [2, 48],
  [3, 48],
  [3, 49],
  [2, 48],
];
const password = 'a long enough 7 secret';

/** What is created by the same routes (api/resource/record-routes.ts): its path, and a body. */
const CREATIONS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '/drivers': { firstName: 'Ada', lastName: 'L', phoneNumber: '+33612345678' },
  '/merchants': { name: 'Shop' },
  '/pickup-points': { name: 'Hub', code: 'HUB', address },
  '/zones': { name: 'Centre', baseFee: '5.00', polygon: { type: 'Polygon', coordinates: [corners] } },
  '/users': {
    email: `${randomUUID()}@example.com`,
    firstName: 'Ada',
    lastName: 'L',
    role: 'ROLE_DISPATCHER',
    password,
  },
};

function creating({ token }: Pick<Team, 'token'>, path: string, key: string, fields: object = {}) {
  const headers = { 'idempotency-key': key };
  return send(service, 'POST', path, { token, headers, body: { ...CREATIONS[path], ...fields } });
}

/** As a process leaves its keys that died between its commit and its answer. */
function loseAnswers({ organization }: Pick<Team, 'organization'>): Promise<void> {
  return execute(
    service.database,
    `update idempotency_keys set response_status = null, response_headers = null, response_body = null,
       claimed_until = clock_timestamp() - interval '1 second' where organization_id = $1`,
    [organization.id],
  );
}

async function namesIn({ token }: Pick<Team, 'token'>, path: string): Promise<readonly string[]> {
  const { body } = await send(service, 'GET', path, { token });
  return listAt(body, 'member').map((member) => textAt(member, '@id'));
}

test('201 a creation that is repeated with its key creates nothing new, also when its answer was lost', async (t) => {
  const team = await makeTeam(service, 'ROLE_ORG_ADMIN');
  for (const path of Object.keys(CREATIONS)) {
    const before = await namesIn(team, path);
    const key = randomUUID();
    const [first, second] = await Promise.all([creating(team, path, key), creating(team, path, key)]);
    t.is(first.status, 201, path);
    t.deepEqual(second.body, first.body, path);
    await loseAnswers(team);
    const again = await creating(team, path, key);
    t.is(again.status, 201, path);
    t.deepEqual(again.body, first.body, path);
    t.is(again.headers.get('location'), textAt(first.body, '@id'));
    t.is(again.headers.get('etag'), first.headers.get('etag'));
    const added = (await namesIn(team, path)).filter((name) => !before.includes(name));
    t.deepEqual(added, [textAt(first.body, '@id')], path);
    const other = await creating(team, path, key, { name: 'Other', firstName: 'Other' });
    t.deepEqual(violationPaths(other.body), ['Idempotency-Key'], path);
  }
});

test('409 what a lost creation made and somebody deleted is not made again', async (t) => {
  const team = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const key = randomUUID();
  const { body } = await creating(team, '/merchants', key);
  expectStatus(await send(service, 'DELETE', textAt(body, '@id'), { token: team.token }), 204);
  await loseAnswers(team);
  const again = await creating(team, '/merchants', key);
  t.is(again.status, 409);
  t.is(at(again.body, 'messageKey'), 'deleted_since');
  t.deepEqual(await namesIn(team, '/merchants'), []);
});

test('201 nothing that is kept with a key is a digest to guess a password by', async (t) => {
  const team = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const email = `${randomUUID()}@example.com`;
  const keep = (path: string, fields: object) => creating(team, path, randomUUID(), fields);
  expectStatus(await keep('/users', { email }), 201);
  expectStatus(await keep('/merchants', {}), 201);
  const kept = await select<{ path: string; fingerprint: Buffer }>(
    service.database,
    'select path, fingerprint from idempotency_keys where organization_id = $1 order by path',
    [team.organization.id],
  );
  const digestOf = (body: object) =>
    createHash('sha256')
      .update(`\n${JSON.stringify(body)}`)
      .digest('hex');
  const known = new Set([digestOf({ ...CREATIONS['/users'], email }), digestOf({ name: 'Shop' })]);
  t.deepEqual(
    kept.map(({ path, fingerprint }) => [path, known.has(fingerprint.toString('hex'))]),
    [
      ['/api/v1/merchants', true],
      ['/api/v1/users', false],
    ],
    'the digest of the other one is known, so the comparison can fail',
  );
});
