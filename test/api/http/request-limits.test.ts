import test from 'ava';
import { exampleOf } from '../../../api/openapi/examples.ts';
import { propertiesOf } from '../../../api/schema/json-schema.ts';
import { run as runType } from '../../../api/delivery-runs/fields.ts';
import { REQUEST_LIMITS } from '../../../domain/request-limits.ts';
import { makeOrganization, makeUser, shipmentBodyWith } from '../../harness/make.ts';
import { sendRaw } from '../../harness/raw-request.ts';
import { at, fieldsOf, listAt, send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

/** What one request may hold (domain/request-limits.ts), seen from outside. How long a refusal takes is measured, not tested. */

const service = useService({ withWorkers: false });

let token: string;
let key: string;
test.before(async () => {
  const organization = await makeOrganization(service);
  key = organization.apiKey;
  token = (await makeUser(service, organization, 'ROLE_ORG_ADMIN')).token;
});

const { reportedViolations, queryParameters, queryCharacters, boundaryCharacters } = REQUEST_LIMITS;
const many = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_none, index) => make(index));
const unknownFields = (count: number) => Object.fromEntries(many(count, (index) => [`field${index}`, index]));

test('422 of 5,000 unknown fields a hundred are listed and 4,900 counted', async (t) => {
  const body = { ...shipmentBodyWith(), ...unknownFields(5_000) };
  const answer = await send(service, 'POST', '/external/shipments', { key, body });
  t.is(answer.status, 422);
  t.is(listAt(answer.body, 'violations').length, reportedViolations);
  t.is(at(answer.body, 'furtherViolations'), 4_900);
  t.true(textAt(answer.body, 'detail').endsWith('\nFurther violations: 4900.'));
});

test('422 faults of every kind and depth count together', async (t) => {
  const items = many(200, () => ({ quantity: 0, ...unknownFields(3) }));
  const body = { ...shipmentBodyWith({ codAmount: 1, items }), ...unknownFields(10) };
  const answer = await send(service, 'POST', '/external/shipments', { key, body });
  // Each item: no name, quantity out of range, three unknown fields. Beside them codAmount and ten unknown fields.
  t.is(answer.status, 422);
  t.is(Number(at(answer.body, 'furtherViolations')), 200 * 5 + 1 + 10 - reportedViolations);
});

test('422 furtherViolations is absent when all violations are listed', async (t) => {
  const body = { ...shipmentBodyWith(), ...unknownFields(reportedViolations) };
  const answer = await send(service, 'POST', '/external/shipments', { key, body });
  t.is(listAt(answer.body, 'violations').length, reportedViolations);
  t.is(at(answer.body, 'furtherViolations'), undefined);
});

test('422 a name of a client’s own making is cut in the violation’s path', async (t) => {
  const body = { ...shipmentBodyWith(), ['x'.repeat(50_000)]: 1 };
  const answer = await send(service, 'POST', '/external/shipments', { key, body });
  t.is(textAt(answer.body, 'violations.0.propertyPath').length, REQUEST_LIMITS.propertyPathCharacters);
  t.true(answer.bytes.length < 5_000);
});

test('413 bulk approval of 200,000 numbers is rejected', async (t) => {
  const body = { shipmentIds: many(200_000, (index) => index % 10) };
  const answer = await send(service, 'POST', '/shipments/bulk-approve', { token, body });
  t.is(answer.status, 413);
  t.regex(textAt(answer.body, 'detail'), /more than 15000 values/);
});

const TOO_LONG: readonly (readonly [string, string, string, unknown])[] = [
  ['shipmentIds', 'POST', '/shipments/bulk-approve', { shipmentIds: many(10_000, (index) => index) }],
  ['items', 'POST', '/shipments', shipmentBodyWith({ items: many(7_000, () => ({})) })],
  ['handlingOptions', 'POST', '/shipments', shipmentBodyWith({ handlingOptions: many(7_000, () => ({})) })],
  ['tasks', 'POST', '/delivery-runs', { tasks: many(7_000, () => ({})) }],
];
for (const [path, method, address, body] of TOO_LONG) {
  test(`422 ${address}: ${path} with thousands of bad entries is one violation, too many`, async (t) => {
    const answer = await send(service, method, address, { token, body });
    t.is(answer.status, 422);
    t.deepEqual(violationPaths(answer.body), [path]);
    t.regex(textAt(answer.body, 'violations.0.message'), /^Must have at most \d+ entries\.$/);
  });
}

test('422 a zone’s positions are counted before any is looked at', async (t) => {
  const rings = many(14, () => many(1_000, () => 'nowhere'));
  const body = { name: 'Z', baseFee: '1.00', polygon: { type: 'Polygon', coordinates: rings } };
  const answer = await send(service, 'POST', '/zones', { token, body });
  t.is(answer.status, 422);
  t.deepEqual(violationPaths(answer.body), ['polygon.coordinates']);
  t.regex(textAt(answer.body, 'violations.0.message'), /it has 14000\./);
});

test('422 the largest document of the service may be sent back whole: a run of 500 tasks', async (t) => {
  const run = await send(service, 'POST', '/delivery-runs', { token, body: {} });
  const { tasks } = propertiesOf(runType.shapes.record);
  const [task] = listAt({ tasks: exampleOf(tasks ?? {}, 'answer', 'tasks') }, 'tasks');
  const document = { ...fieldsOf(run.body), tasks: many(500, () => task) };
  const answer = await send(service, 'PATCH', textAt(run.body, '@id'), { token, body: document });
  t.is(answer.status, 422);
  t.true(violationPaths(answer.body).every((path) => path.startsWith('tasks')));
});

test('400 a query string with too many parameters is rejected on every surface', async (t) => {
  const query = (count: number) => many(count, (index) => `p${index}=1`).join('&');
  const asked: readonly (readonly [string, string, object])[] = [
    ['POST', '/login_check', { body: {} }],
    ['GET', '/shipments', { token }],
    ['GET', '/external/shipments/9f0f5d8e-0000-4000-8000-000000000000', { key }],
    ['GET', '/', {}],
  ];
  for (const [method, path, request] of asked) {
    const refused = await send(service, method, `${path}?${query(queryParameters + 1)}`, request);
    t.is(refused.status, 400, path);
    t.regex(textAt(refused.body, 'detail'), /more than 50 parameters/, path);
    const named = await send(service, method, `${path}?${query(queryParameters)}`, request);
    t.is(named.status, 400, path);
    t.regex(textAt(named.body, 'detail'), /p49: Unknown field/, path);
  }
});

test('400 a query string with too many characters; 200 with the maximum', async (t) => {
  const path = `/api/v1/shipments?search=`;
  const headers = { authorization: `Bearer ${token}` };
  const room = queryCharacters - 'search='.length;
  const long = await sendRaw(service, 'GET', path + 'x'.repeat(room + 1), { headers });
  t.is(long.status, 400);
  t.regex(long.text, /more than 8192 characters/);
  const read = await sendRaw(service, 'GET', path + 'x'.repeat(room), { headers });
  t.is(read.status, 400);
  t.regex(read.text, /search: Must have at most 100 characters/);
});

/** Posts a form with the boundary, as it is or cut off. */
function postForm(boundary: string, body: string) {
  return sendRaw(service, 'POST', '/api/v1/shipments/import', {
    body,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
  });
}

const part = (boundary: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.xlsx"\r\n\r\nno workbook`;

test('400 a multipart boundary of more than 70 characters; 200 up to 70', async (t) => {
  for (const length of [boundaryCharacters + 1, 300, 4_000]) {
    const boundary = 'b'.repeat(length);
    const answer = await postForm(boundary, `${part(boundary)}\r\n--${boundary}--\r\n`);
    t.is(answer.status, 400, String(length));
    t.regex(answer.text, /boundary of the multipart form has more than 70 characters/);
  }
  const longest = 'b'.repeat(boundaryCharacters);
  t.is((await postForm(longest, `${part(longest)}\r\n--${longest}--\r\n`)).status, 422);
});

test('400 a form that ends inside its file is rejected, and the service continues', async (t) => {
  t.is((await postForm('b', part('b'))).status, 400);
  t.is((await postForm('b', `${part('b')}\r\n--`)).status, 400);
  t.is((await postForm('"; x="', '')).status, 400);
  t.is((await send(service, 'GET', '/shipments', { token })).status, 200);
});

test('404 a request target that is not an address', async (t) => {
  for (const target of ['foo://', 'http://[', 'http://a:b:c/', '*']) {
    t.is((await sendRaw(service, 'GET', target)).status, 404, target);
  }
  t.is((await sendRaw(service, 'GET', 'http://elsewhere.example/api/v1')).status, 200);
});
