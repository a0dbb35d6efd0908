import { randomBytes } from 'node:crypto';
import test from 'ava';
import { SaxesParser } from 'saxes';
import { renderPage } from '../../../api/tracking/page.ts';
import { trackingUrl } from '../../../api/tracking/tracking-token.ts';
import type { PageState } from '../../../api/tracking/words.ts';
import { PAGE_WORDS } from '../../../api/tracking/words.ts';
import { LANGUAGES, SHIPMENT_STATUSES } from '../../../domain/enumerations.ts';
import { toId } from '../../../domain/ids.ts';
import { execute } from '../../../store/connection.ts';
import { newId } from '../../../store/new-id.ts';
import { makePickupPoint, makeTeam } from '../../harness/make.ts';
import { makeShipment } from '../../harness/moves.ts';
import { send, textAt } from '../../harness/request.ts';
import { startService } from '../../harness/service.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false, settings: { TRACKING_REQUESTS_PER_MINUTE: '1000' } });

/** What a parser finds in a page, which is well-formed XML: the attributes of each element, by name, and all text but the style. */
function parsed(html: string) {
  const parser = new SaxesParser();
  const elements = new Map<string, readonly Readonly<Record<string, unknown>>[]>();
  let text = '';
  let isStyle = false;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    isStyle = name === 'style';
    elements.set(name, [...(elements.get(name) ?? []), attributes]);
  });
  parser.on('closetag', () => {
    isStyle = false;
  });
  parser.on('text', (part) => {
    if (!isStyle) text += part;
  });
  parser.write(html).close();
  return { text, of: (name: string) => elements.get(name) ?? [] };
}

async function open(url: string, language = 'en', base = service.baseUrl) {
  const address = new URL(new URL(url, service.baseUrl).pathname, base);
  const answer = await fetch(address, { headers: { 'accept-language': language } });
  return { status: answer.status, headers: answer.headers, ...parsed(await answer.text()) };
}

async function shipmentWithLink(fields: Readonly<Record<string, unknown>> = {}) {
  const { organization, token } = await makeTeam(service);
  const shipment = await makeShipment(service, token, { fields });
  const { body } = await send(service, 'GET', `${shipment.iri}/label-assets`, { token });
  return { ...shipment, organization, token, url: textAt(body, 'trackingUrl') };
}

function become(id: string, change: string): Promise<void> {
  return execute(service.database, `update shipments set ${change} where id = $1`, [id]);
}

test('every state has words in every language, on a page that a parser takes', (t) => {
  const states: readonly PageState[] = [
    ...SHIPMENT_STATUSES,
    'processing',
    'missing',
    'expired',
    'limited',
    'unavailable',
  ];
  for (const language of LANGUAGES) {
    for (const state of states) {
      const page = parsed(renderPage(language, state, 'TST-20300101-ABC123'));
      t.deepEqual(page.of('html'), [{ lang: language, dir: language === 'ar' ? 'rtl' : 'ltr' }]);
      for (const words of PAGE_WORDS[language].states[state]) t.true(page.text.includes(words), state);
      t.is(page.of('h1').length, 1);
      t.is(
        page.of('script').length + page.of('img').length + page.of('a').length + page.of('link').length,
        0,
      );
      t.deepEqual(page.of('bdi'), [{ dir: 'ltr' }]);
    }
  }
});

test('200 the link opens without signing in, in the language of the recipient', async (t) => {
  const { id, trackingNumber, url } = await shipmentWithLink();
  t.regex(url, /^http:\/\/127\.0\.0\.1:\d+\/t\/[\w-]{22}$/);
  await become(id, "status = 'in_transit'");
  for (const [accepted, language] of [
    ['fr-FR,fr;q=0.9', 'fr'],
    ['ar-DZ', 'ar'],
    ['en', 'en'],
    ['de, ar;q=0.5, fr;q=0.4', 'ar'],
    ['de', 'en'],
    ['*', 'fr'],
  ] as const) {
    const page = await open(url, accepted);
    t.is(page.status, 200);
    t.deepEqual([page.of('html')[0]?.['lang'], page.headers.get('content-language')], [language, language]);
    for (const words of PAGE_WORDS[language].states.in_transit) t.true(page.text.includes(words), words);
    t.true(page.text.includes(trackingNumber));
  }
  const head = await fetch(new URL(new URL(url).pathname, service.baseUrl), { method: 'HEAD' });
  t.deepEqual([head.status, await head.text()], [200, '']);
});

test('200 the page is kept out of caches, indexes and frames, and loads nothing', async (t) => {
  const { url } = await shipmentWithLink();
  const { headers, of } = await open(url);
  const expected = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex, nofollow, noarchive',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    vary: 'Accept-Language',
  };
  for (const [name, value] of Object.entries(expected)) t.is(headers.get(name), value, name);
  const policy = headers.get('content-security-policy') ?? '';
  t.regex(policy, /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; /);
  t.notRegex(policy, /unsafe|https?:|\*/);
  t.is(headers.get('link'), null);
  t.deepEqual(
    of('meta').filter(({ name }) => name === 'robots' || name === 'referrer'),
    [
      { name: 'robots', content: 'noindex, nofollow, noarchive' },
      { name: 'referrer', content: 'no-referrer' },
    ],
  );
});

test('200 the page says nothing personal', async (t) => {
  const personal = {
    firstName: 'Zoubida',
    lastName: 'Benkhellaf',
    phoneNumber: '+213551234567',
    email: 'zoubida@example.com',
    address: { street: '17 rue Didouche', city: 'Sétif', postalCode: '19000', landmark: 'Aïn Fouara' },
  };
  const { id, url, organization, token } = await shipmentWithLink({
    recipient: personal,
    codAmount: '4321.50',
    notes: 'Third bell',
    externalReference: 'order-77',
    items: [{ name: 'Lamp', unitPrice: '98.76' }],
    merchant: null,
  });
  await makePickupPoint(service, organization);
  const { body } = await send(service, 'GET', `/shipments/${id}`, { token });
  const { text } = await open(url);
  const { address, ...others } = personal;
  const known = [
    ...Object.values(others),
    ...Object.values(address),
    '4321',
    'bell',
    'order-77',
    'Lamp',
    '98.76',
  ];
  for (const value of [...known, id, organization.id, 'Organization', textAt(body, 'deliveryFee')]) {
    t.false(text.includes(value), value);
  }
});

test('200 a request that is still being processed, a cancelled and a deleted shipment say so', async (t) => {
  const { organization } = await makeTeam(service);
  const accepted = await send(service, 'POST', '/external/shipments', {
    key: organization.apiKey,
    body: {
      recipient: {
        firstName: 'Ada',
        phoneNumber: '+33612345678',
        address: { street: '1 rue', city: 'Paris' },
      },
    },
  });
  const id = toId<'shipment'>(textAt(accepted.body, 'id'));
  const processing = await open(trackingUrl(service.config, { id, trackingNumber: '' }));
  t.true(processing.text.includes(PAGE_WORDS.en.states.processing[0]));
  for (const change of ["status = 'cancelled'", "status = 'cancelled', deleted_at = now()"]) {
    const shipment = await shipmentWithLink();
    await become(shipment.id, change);
    const page = await open(shipment.url);
    t.is(page.status, 200);
    t.true(page.text.includes('Cancelled'));
  }
});

test('410 from 30 days after the end of a shipment, not before, and never while it is open', async (t) => {
  const { id, url, trackingNumber } = await shipmentWithLink();
  for (const [status, days, expected] of [
    ['delivered', 29, 200],
    ['delivered', 31, 410],
    ['returned', 31, 410],
    ['cancelled', 31, 410],
    ['in_transit', 400, 200],
  ] as const) {
    await become(id, `status = '${status}', last_event_at = now() - interval '${days} days'`);
    const page = await open(url);
    t.is(page.status, expected, `${status} ${days}`);
    t.is(page.text.includes(trackingNumber), expected === 200);
  }
});

test('404 a wrong token, whatever its form, is answered with the same page', async (t) => {
  const { id, trackingNumber, url } = await shipmentWithLink();
  const token = url.split('/').at(-1) ?? '';
  const wrong = [
    randomBytes(16).toString('base64url'),
    token.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
    token.slice(1),
    `${token}/`,
    `${token}x`,
    id,
    trackingNumber,
    newId<'shipment'>(),
    '',
    '%00',
    '%zz',
    'x'.repeat(3_000),
  ];
  for (const text of wrong) {
    const page = await open(`/t/${text}`);
    t.is(page.status, 404, text);
    t.true(page.text.includes(PAGE_WORDS.en.states.missing[0]));
    t.is(page.headers.get('x-robots-tag'), 'noindex, nofollow, noarchive');
    t.false(page.text.includes(text === '' ? trackingNumber : text));
  }
});

test('405 the page is only read', async (t) => {
  const { url } = await shipmentWithLink();
  const answer = await fetch(new URL(new URL(url).pathname, service.baseUrl), { method: 'POST' });
  t.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD']);
});

test('429 requests of an address past the limit, for right and wrong tokens alike', async (t) => {
  const settings = { TRACKING_REQUESTS_PER_MINUTE: '2', TRUSTED_PROXY_HOPS: '1' };
  const limited = await startService({ besides: service, withWorkers: false, settings });
  t.teardown(limited.stop);
  const { url } = await shipmentWithLink();
  const from = async (address: string, path: string) => {
    const headers = { 'x-forwarded-for': address, 'accept-language': 'fr' };
    return fetch(new URL(path, limited.baseUrl), { headers });
  };
  const { pathname } = new URL(url);
  t.is((await from('192.0.2.1', '/t/wrong')).status, 404);
  t.is((await from('192.0.2.1', pathname)).status, 200);
  const refused = await from('192.0.2.1', pathname);
  t.is(refused.status, 429);
  t.regex(refused.headers.get('retry-after') ?? '', /^[1-9]\d?$/);
  t.is(refused.headers.get('ratelimit-policy'), '"tracking";q=2;w=60');
  t.true(parsed(await refused.text()).text.includes(PAGE_WORDS.fr.states.limited[0]));
  t.is((await from('192.0.2.2', pathname)).status, 200);
});
