import { randomUUID } from 'node:crypto';
import test from 'ava';
import { execute } from '../../../store/connection.ts';
import { makeTeam, makeUser, shipmentBodyWith } from '../../harness/make.ts';
import type { Team } from '../../harness/make.ts';
import { makeShipment } from '../../harness/moves.ts';
import { at, fieldsOf, send, textAt } from '../../harness/request.ts';
import type { HttpAnswer } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';
import { makeWorkbook } from '../../../bench/workbook.ts';
import { expand } from '../hydra/expand.ts';

const service = useService({ withWorkers: false, settings: { COMMAND_WAIT_MS: '10' } });

const LD_JSON = 'application/ld+json';
const JSON_TYPE = 'application/json';

type SentHeaders = Readonly<Record<string, string>>;
/** Sends a request whose answer is no record. */
type Call = (team: Team, headers: SentHeaders) => Promise<HttpAnswer>;

const signIn: Call = ({ user: { email, password } }, headers) =>
  send(service, 'POST', '/login_check', { body: { email, password }, contentType: LD_JSON, headers });

/** By their `@type`; `usual` is what a client gets that does not say what it prefers. */
const PLAIN: Readonly<Record<string, { readonly usual: string; readonly call: Call }>> = {
  Tokens: { usual: JSON_TYPE, call: signIn },
  ExternalShipmentAccepted: {
    usual: JSON_TYPE,
    call: ({ organization }, headers) =>
      send(service, 'POST', '/external/shipments', {
        key: organization.apiKey,
        body: shipmentBodyWith(),
        contentType: LD_JSON,
        headers,
      }),
  },
  ExternalShipment: {
    usual: JSON_TYPE,
    call: async ({ organization, token }, headers) => {
      const { id } = await makeShipment(service, token);
      return send(service, 'GET', `/external/shipments/${id}`, { key: organization.apiKey, headers });
    },
  },
  ApiKey: {
    usual: JSON_TYPE,
    call: ({ organization, token }, headers) =>
      send(service, 'POST', `/organizations/${organization.id}/api-key`, { token, body: {}, headers }),
  },
  BulkApproveResult: {
    usual: LD_JSON,
    call: ({ token }, headers) =>
      send(service, 'POST', '/shipments/bulk-approve', { token, body: { shipmentIds: ['x'] }, headers }),
  },
  TransitionResults: {
    usual: LD_JSON,
    call: async ({ token }, headers) => {
      const { delivery } = await makeShipment(service, token);
      const items = [{ task: delivery, transition: 'deliver', idempotencyKey: randomUUID() }];
      return send(service, 'POST', '/tasks/transitions', { token, body: { items }, headers });
    },
  },
  WebhookReplay: {
    usual: LD_JSON,
    call: async ({ organization, token }, headers) => {
      const webhookUrl = 'https://example.com/hook';
      const sql = 'update organizations set webhook_url = $2, is_webhook_enabled = true where id = $1';
      await execute(service.database, sql, [organization.id, webhookUrl]);
      return send(service, 'POST', '/webhook-deliveries/replay', { token, body: {}, headers });
    },
  },
  ImportResult: {
    usual: LD_JSON,
    call: async ({ token }, headers) =>
      send(service, 'POST', '/shipments/import', { token, ...(await makeWorkbook(2)).request, headers }),
  },
  LabelAssets: {
    usual: LD_JSON,
    call: async ({ token }, headers) => {
      const { id } = await makeShipment(service, token);
      return send(service, 'GET', `/shipments/${id}/label-assets`, { token, headers });
    },
  },
};

const isKeyword = (name: string) => name.startsWith('@');

for (const [type, { usual, call }] of Object.entries(PLAIN)) {
  test(`200 ${type} is JSON-LD with a context or plain JSON, and labelled as what it is`, async (t) => {
    const team = await makeTeam(service, 'ROLE_ORG_ADMIN');
    for (const [headers, expected] of [
      [{}, usual],
      [{ accept: '*/*' }, usual],
      [{ accept: LD_JSON }, LD_JSON],
      [{ accept: JSON_TYPE }, JSON_TYPE],
      [{ accept: `${JSON_TYPE}, */*;q=0.5` }, JSON_TYPE],
    ] as const) {
      const answer = await call(team, headers);
      t.true([200, 202].includes(answer.status));
      t.is(answer.headers.get('content-type'), `${expected}; charset=utf-8`);
      const keywords = Object.keys(fieldsOf(answer.body)).filter(isKeyword);
      t.deepEqual(keywords, expected === LD_JSON ? ['@context', '@type'] : []);
      if (expected !== LD_JSON) continue;
      t.is(at(answer.body, '@context'), `/api/v1/contexts/${type}`);
      const [node] = await expand(service, answer, '/api/v1');
      t.deepEqual(node?.['@type'], [`${service.config.publicUrl}/api/v1/docs.jsonld#${type}`]);
    }
  });
}

test('200 a refresh is sent and answered as JSON-LD', async (t) => {
  const team = await makeTeam(service);
  const { body } = await signIn(team, { accept: LD_JSON });
  const refreshed = await send(service, 'POST', '/token/refresh', {
    body: {
      '@context': 'https://example.com',
      '@type': 'Refresh',
      refresh_token: textAt(body, 'refresh_token'),
    },
    contentType: LD_JSON,
    headers: { accept: LD_JSON },
  });
  t.is(refreshed.status, 200);
  t.is(refreshed.headers.get('content-type'), `${LD_JSON}; charset=utf-8`);
  t.is(at(refreshed.body, '@type'), 'Tokens');
});

test('202 and 422 the external API knows the keywords of JSON-LD in JSON-LD alone', async (t) => {
  const { organization } = await makeTeam(service);
  const { recipient, ...fields } = shipmentBodyWith();
  const body = JSON.stringify({
    '@context': { '@vocab': 'https://example.com/' },
    '@id': '/orders/7',
    '@type': 'Order',
    ...fields,
    recipient: { '@type': 'Recipient', ...fieldsOf(recipient) },
  });
  const post = (contentType: string) =>
    send(service, 'POST', '/external/shipments', { key: organization.apiKey, body, contentType });
  t.is((await post(LD_JSON)).status, 202);
  t.is((await post(JSON_TYPE)).status, 422);
});

test('200 the repeat of an import gets the first result, in the type that it prefers', async (t) => {
  const { organization } = await makeTeam(service);
  const { token } = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const { request } = await makeWorkbook(1);
  const key = { 'idempotency-key': randomUUID() };
  const importAs = (accept: string) =>
    send(service, 'POST', '/shipments/import', { token, ...request, headers: { ...key, accept } });
  const first = await importAs(JSON_TYPE);
  const repeat = await importAs(LD_JSON);
  t.is(repeat.headers.get('content-type'), `${LD_JSON}; charset=utf-8`);
  t.deepEqual(repeat.body, {
    '@context': '/api/v1/contexts/ImportResult',
    '@type': 'ImportResult',
    ...fieldsOf(first.body),
  });
});
