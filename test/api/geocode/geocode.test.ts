import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { makeTeam } from '../../harness/make.ts';
import { at, send } from '../../harness/request.ts';
import { startService } from '../../harness/service.ts';
import type { TestService } from '../../harness/service.ts';

const PLACE = { label: '1 Rue Didouche Mourad, 16000 Alger, Algérie', latitude: 36.7729, longitude: 3.0589 };

const PHOTON = {
  type: 'FeatureCollection',
  features: [
    {
      geometry: { type: 'Point', coordinates: [PLACE.longitude, PLACE.latitude] },
      properties: {
        housenumber: '1',
        street: 'Rue Didouche Mourad',
        postcode: '16000',
        city: 'Alger',
        country: 'Algérie',
      },
    },
    // No map shows these.
    { geometry: { coordinates: [200, 91] }, properties: { name: 'Nowhere' } },
    { geometry: null, properties: { name: 'Nothing' } },
  ],
};
const NOMINATIM = { lat: '36.7729', lon: '3.0589', display_name: PLACE.label };

/** A geocoder on this machine that answers as told, and what it was asked. */
async function startGeocoder(
  t: ExecutionContext,
  answer: (response: ServerResponse, request: IncomingMessage) => void,
): Promise<{ readonly url: string; readonly asked: readonly IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(response, request);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the geocoder has no port');
  return { url: `http://127.0.0.1:${address.port}`, asked };
}

const withJson = (body: unknown) => (response: ServerResponse) => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
};

async function startWith(
  t: ExecutionContext,
  geocoderUrl: string,
): Promise<{ service: TestService; token: string }> {
  const settings = geocoderUrl === '' ? {} : { GEOCODER_URL: geocoderUrl };
  const service = await startService({ withWorkers: false, settings });
  t.teardown(service.stop);
  return { service, token: (await makeTeam(service)).user.token };
}

const SEARCH = '/geocode?q=1%20rue%20Didouche%20%26%20Mourad';
const REVERSE = '/geocode/reverse?latitude=36.7729&longitude=3.0589';

test('200 a Photon is asked in its form; what it found is shown', async (t) => {
  const { url, asked } = await startGeocoder(t, withJson(PHOTON));
  const { service, token } = await startWith(t, `${url}/photon/api?countrycode=DZ`);
  for (const path of [SEARCH, REVERSE]) {
    const headers = { 'accept-language': 'ar-DZ,fr;q=0.8' };
    const { status, body } = await send(service, 'GET', path, { token, headers });
    t.is(status, 200);
    t.deepEqual(at(body, 'results'), [PLACE]);
  }
  t.deepEqual(
    asked.map((request) => request.url),
    [
      '/photon/api?countrycode=DZ&q=1+rue+Didouche+%26+Mourad&limit=5',
      '/photon/reverse?countrycode=DZ&lat=36.7729&lon=3.0589',
    ],
  );
  t.is(asked[0]?.headers['accept-language'], 'ar-DZ,fr;q=0.8');
  t.is(asked[0]?.headers.authorization, undefined);
});

test('200 a Nominatim is asked in its form; a place that it does not know is no result', async (t) => {
  const answers = [
    [NOMINATIM, { lat: 'x', lon: '1', display_name: 'x' }],
    NOMINATIM,
    { error: 'Unable to geocode' },
  ];
  const { url, asked } = await startGeocoder(t, (response) => withJson(answers[asked.length - 1])(response));
  const { service, token } = await startWith(t, `${url}/search`);
  const results: unknown[] = [];
  for (const path of [SEARCH, REVERSE, REVERSE]) {
    results.push(at((await send(service, 'GET', path, { token })).body, 'results'));
  }
  t.deepEqual(results, [[PLACE], [PLACE], []]);
  t.deepEqual(
    asked.map((request) => request.url),
    [
      '/search?q=1+rue+Didouche+%26+Mourad&limit=5&format=jsonv2',
      '/reverse?lat=36.7729&lon=3.0589&format=jsonv2',
      '/reverse?lat=36.7729&lon=3.0589&format=jsonv2',
    ],
  );
});

test('503 with Retry-After for each answer of the geocoder that cannot be used', async (t) => {
  const other = await startGeocoder(t, withJson(PHOTON));
  const answers: readonly ((response: ServerResponse) => void)[] = [
    (response) => response.writeHead(302, { location: `${other.url}/api` }).end(),
    (response) => response.writeHead(500).end('broken'),
    (response) => response.writeHead(429, { 'retry-after': '77' }).end(),
    (response) => response.end('<html>'),
    withJson({ type: 'Other' }),
    withJson({ ...PHOTON, padding: 'x'.repeat(300_000) }),
    (response) => response.destroy(),
  ];
  const { url, asked } = await startGeocoder(t, (response) => answers[asked.length - 1]?.(response));
  const { service, token } = await startWith(t, `${url}/api`);
  const waits: (string | null)[] = [];
  for (const [index] of answers.entries()) {
    const { status, body, headers } = await send(service, 'GET', SEARCH, { token });
    t.is(status, 503, `answer ${index}`);
    t.is(at(body, 'detail'), 'The geocoder is unavailable. Retry in a moment.');
    waits.push(headers.get('retry-after'));
  }
  t.deepEqual(waits, ['10', '10', '77', '10', '10', '10', '10']);
  t.is(other.asked.length, 0, 'a redirect was followed');
});

test('503 says that no geocoder is set; 400 rejects what none could be asked', async (t) => {
  const { service, token } = await startWith(t, '');
  const none = await send(service, 'GET', SEARCH, { token });
  t.is(none.status, 503);
  t.regex(String(at(none.body, 'detail')), /^No geocoder is set\./);
  for (const path of [
    '/geocode',
    '/geocode?q=',
    `/geocode?q=${'x'.repeat(256)}`,
    '/geocode?q=a&limit=100',
    '/geocode/reverse?latitude=91&longitude=0',
    '/geocode/reverse?latitude=1e1&longitude=0',
    '/geocode/reverse?latitude=1',
  ]) {
    t.is((await send(service, 'GET', path, { token })).status, 400, path);
  }
});
