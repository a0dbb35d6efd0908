import test from 'ava';
import { makeDriver, makeTeamWithDriver, makeUser } from '../../harness/make.ts';
import { at, send } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

const PARIS = { latitude: 48.8566, longitude: 2.3522 };
const LYON = { latitude: 45.764, longitude: 4.8357 };

async function driverAndToken() {
  const { organization, token, driver } = await makeTeamWithDriver(service);
  return { organization, token, path: `/drivers/${driver}` };
}

test('200 a position becomes the driver’s last and enters its history', async (t) => {
  const { token, path } = await driverAndToken();
  const recordedAt = '2026-03-01T09:30:00.000Z';
  const body = { ...PARIS, accuracy: 12.5, heading: 270, speed: 8.3, recordedAt };
  const answer = await send(service, 'POST', `${path}/location`, { token, body });
  t.is(answer.status, 200);
  t.is(at(answer.body, '@type'), 'Driver');
  t.deepEqual(at(answer.body, 'lastPosition'), body);
  const history = await send(service, 'GET', `${path}/positions`, { token });
  t.is(history.status, 200);
  t.deepEqual(at(history.body, 'member'), [{ '@type': 'DriverPosition', ...body }]);
});

test('200 without recordedAt a position counts from when it arrives', async (t) => {
  const { token, path } = await driverAndToken();
  const answer = await send(service, 'POST', `${path}/location`, { token, body: PARIS });
  t.is(answer.status, 200);
  const recordedAt = Date.parse(String(at(answer.body, 'lastPosition.recordedAt')));
  t.true(Math.abs(Date.now() - recordedAt) < 60_000);
});

test('200 an older point never overwrites a newer one, whatever the order of arrival', async (t) => {
  const { token, path } = await driverAndToken();
  const newer = { ...LYON, recordedAt: '2026-03-01T10:00:00.000Z' };
  const older = { ...PARIS, recordedAt: '2026-03-01T09:00:00.000Z' };
  await send(service, 'POST', `${path}/location`, { token, body: newer });
  const late = await send(service, 'POST', `${path}/location`, { token, body: older });
  t.is(late.status, 200);
  t.deepEqual(at(late.body, 'lastPosition'), newer);
  const history = await send(service, 'GET', `${path}/positions`, { token });
  t.deepEqual(at(history.body, 'totalItems'), 2);
});

test('200 the newest of positions sent at the same moment is kept', async (t) => {
  const { token, path } = await driverAndToken();
  const moments = Array.from({ length: 8 }, (_, index) => `2026-03-01T09:0${index}:00.000Z`);
  await Promise.all(
    moments.map((recordedAt) =>
      send(service, 'POST', `${path}/location`, { token, body: { ...PARIS, recordedAt } }),
    ),
  );
  const read = await send(service, 'GET', path, { token });
  t.is(at(read.body, 'lastPosition.recordedAt'), moments.at(-1));
});

test('200 a hundred positions come in one request, in any order', async (t) => {
  const { token, path } = await driverAndToken();
  const positions = Array.from({ length: 100 }, (_, index) => ({
    latitude: 48 + index / 1_000,
    longitude: 2,
    recordedAt: new Date(Date.UTC(2026, 2, 1, 9, 0, (index * 37) % 100)).toISOString(),
  }));
  const answer = await send(service, 'POST', `${path}/location`, { token, body: { positions } });
  t.is(answer.status, 200);
  t.is(at(answer.body, 'lastPosition.recordedAt'), '2026-03-01T09:01:39.000Z');
  const history = await send(service, 'GET', `${path}/positions?itemsPerPage=60&page=2`, { token });
  t.is(at(history.body, 'totalItems'), 100);
  t.is(at(history.body, 'member.40'), undefined);
  t.is(at(history.body, 'member.39.recordedAt'), '2026-03-01T09:00:00.000Z');
});

test('200 the history is narrowed by recordedAt, both ends inclusive', async (t) => {
  const { token, path } = await driverAndToken();
  const moments = ['2026-03-01T09:00:00.000Z', '2026-03-01T10:00:00.000Z', '2026-03-01T11:00:00.000Z'];
  const written = ['2026-03-01T09:00Z', '2026-03-01T11:00+01:00', '2026-03-01T12:00:00+0100'];
  const positions = written.map((recordedAt) => ({ ...PARIS, recordedAt }));
  await send(service, 'POST', `${path}/location`, { token, body: { positions } });
  const query = `recordedAt[after]=${moments[0]}&recordedAt[before]=${moments[1]}&order[recordedAt]=asc`;
  const history = await send(service, 'GET', `${path}/positions?${query}`, { token });
  t.is(at(history.body, 'totalItems'), 2);
  t.is(at(history.body, 'member.0.recordedAt'), moments[0]);
  t.is(at(history.body, 'member.1.recordedAt'), moments[1]);
});

test('200 the entity tag changes with the position, but an edit made before it is still taken', async (t) => {
  const { token, path } = await driverAndToken();
  const etag = (await send(service, 'GET', path, { token })).headers.get('etag') ?? '';
  await send(service, 'POST', `${path}/location`, { token, body: PARIS });
  const again = await send(service, 'GET', path, { token, headers: { 'if-none-match': etag } });
  t.is(again.status, 200);
  const edited = await send(service, 'PATCH', path, {
    token,
    body: { firstName: 'Ada' },
    headers: { 'if-match': etag },
  });
  t.is(edited.status, 200);
});

test('200 a driver moves itself; 403 it moves no other', async (t) => {
  const { organization, path } = await driverAndToken();
  const user = await makeUser(service, organization, 'ROLE_DRIVER');
  const own = await makeDriver(service, organization, { userId: user.id });
  const { token } = user;
  t.is((await send(service, 'POST', `/drivers/${own}/location`, { token, body: PARIS })).status, 200);
  t.is((await send(service, 'GET', `/drivers/${own}/positions`, { token })).status, 200);
  t.is((await send(service, 'POST', `${path}/location`, { token, body: PARIS })).status, 403);
  t.is((await send(service, 'GET', `${path}/positions`, { token })).status, 403);
});

const REFUSED: readonly (readonly [string, unknown, string])[] = [
  ['a latitude beyond the pole', { latitude: 90.1, longitude: 0 }, 'latitude'],
  ['a longitude beyond the globe', { latitude: 0, longitude: -180.1 }, 'longitude'],
  ['a missing longitude', { latitude: 1 }, 'longitude'],
  ['nothing at all', {}, 'latitude'],
  ['both forms at once', { ...PARIS, positions: [PARIS] }, 'positions'],
  ['no positions', { positions: [] }, 'positions'],
  ['101 positions', { positions: Array.from({ length: 101 }, () => PARIS) }, 'positions'],
  ['a fault in a batch', { positions: [PARIS, { latitude: 1, longitude: 200 }] }, 'positions[1].longitude'],
  ['tomorrow', { ...PARIS, recordedAt: new Date(Date.now() + 86_400_000).toISOString() }, 'recordedAt'],
  [
    'tomorrow in a batch',
    { positions: [{ ...PARIS, recordedAt: new Date(Date.now() + 86_400_000).toISOString() }] },
    'positions[0].recordedAt',
  ],
];
for (const [what, body, propertyPath] of REFUSED) {
  test(`422 a location rejects ${what} and keeps nothing`, async (t) => {
    const { token, path } = await driverAndToken();
    const answer = await send(service, 'POST', `${path}/location`, { token, body });
    t.is(answer.status, 422);
    t.is(at(answer.body, 'violations.0.propertyPath'), propertyPath);
    t.is(at((await send(service, 'GET', `${path}/positions`, { token })).body, 'totalItems'), 0);
  });
}
