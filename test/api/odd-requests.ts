import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { propertiesOf } from '../../api/schema/json-schema.ts';
import type { RouteDefinition } from '../../api/http/route.ts';
import { nearly } from './openapi/arbitrary.ts';
import { oddForm } from './odd-forms.ts';

/** A request near one that an endpoint takes: most parts fit, many are odd. */
export interface OddRequest {
  readonly method: string;
  /** The endpoint's path with its parameters in braces, or a path from the root that none has. */
  readonly path: string;
  /** What stands for each parameter instead of the id of a record. */
  readonly segment: string | null;
  /** With its question mark, or empty. */
  readonly query: string;
  /** Whose credentials it carries: the role's own ones, or an odd header instead. */
  readonly isSignedIn: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/** Odd requests: three in four to the endpoints that are `open` to the caller, since the others are soon refused. */
export function oddRequest(
  open: readonly RouteDefinition[],
  all: readonly RouteDefinition[],
): fc.Arbitrary<OddRequest> {
  return mostly(3, fc.oneof(...open.map(ofRow)), fc.oneof(...all.map(ofRow)));
}

function ofRow(row: RouteDefinition): fc.Arbitrary<OddRequest> {
  return fc
    .record({
      method: mostly(
        9,
        fc.constant(row.method),
        fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'),
      ),
      path: mostly(30, fc.constant(row.path), fc.constantFrom(...ODD_PATHS)),
      segment: mostly(8, fc.constant(null), fc.constantFrom(...ODD_SEGMENTS)),
      query: queryOf(row),
      isSignedIn: mostly(20, fc.constant(true), fc.constant(false)),
      headers: headersOf(row),
      body: bodyOf(row),
    })
    .chain(({ headers, body, ...request }) =>
      oddForm(row, body).map((form) => ({
        ...request,
        headers: { ...form.headers, ...headers },
        body: form.body,
      })),
    );
}

/** The first `weight` times as often as the second. */
function mostly<First, Second>(
  weight: number,
  first: fc.Arbitrary<First>,
  second: fc.Arbitrary<Second>,
): fc.Arbitrary<First | Second> {
  return fc.oneof({ weight, arbitrary: first }, { weight: 1, arbitrary: second });
}

const ODD_PATHS = [
  '//',
  '/%zz',
  '/%00',
  '/docs/../docs',
  '/shipments/',
  '/SHIPMENTS',
  '/x'.repeat(2_000),
  '/a'.repeat(40),
];
const ODD_SEGMENTS = [
  '%zz',
  '%00',
  '%2e%2e',
  '__proto__',
  'constructor',
  '0',
  'null',
  'x'.repeat(5_000),
  '%F0%9F%98%80',
  "';--",
  '*',
];
const ODD_QUERIES = [
  '?',
  '?&&&',
  '?=',
  '?%zz=%zz',
  '?a[b][c]=1',
  '?page[]=1',
  '?page=1&page=2',
  '?__proto__=1&constructor=2',
  `?${'&a'.repeat(3_000)}`,
  `?${'a[b]='.repeat(1_500)}`,
  `?search=${'%F0%9F%98%80'.repeat(400)}`,
  `?${'x'.repeat(12_000)}`,
  '?page=999999999999&itemsPerPage=-1',
  '?search=%00',
  '?search=%25_%5C',
];

function queryOf(row: RouteDefinition): fc.Arbitrary<string> {
  const parameters = Object.entries(propertiesOf(row.queryJson)).map(([name, schema]) =>
    mostly(
      4,
      fc.constant(null),
      fc.oneof(nearly(schema, name), fc.string({ unit: 'binary', maxLength: 5 })),
    ).map((value) =>
      value === null ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(written(value))}`],
    ),
  );
  const known = fc.tuple(...parameters).map((parts) => {
    const query = parts.flat().join('&');
    return query === '' ? '' : `?${query}`;
  });
  return mostly(6, known, fc.constantFrom(...ODD_QUERIES));
}

function written(value: unknown): string {
  return typeof value === 'string' ? Buffer.from(value).toString() : JSON.stringify(value);
}

const latin = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 30,
});

/** Headers and what they are now and then; they go before what the body needs. */
const ODD_HEADERS: Readonly<Record<string, readonly string[]>> = {
  'content-type': [
    'application/json',
    'application/json; charset=',
    'application/json;',
    ';',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'text/plain',
    'a'.repeat(9_000),
  ],
  'content-encoding': ['gzip', 'deflate', 'br', 'zstd', 'identity', 'gzip, gzip'],
  accept: [
    '*/*',
    'application/json',
    'application/pdf',
    'image/svg+xml',
    'text/csv',
    'application/ld+json;q=x',
    ',,,;;;',
    'a/b,'.repeat(2_000),
  ],
  authorization: [
    'Bearer',
    'Bearer a.b.c',
    `Bearer ${'a.'.repeat(4_000)}`,
    'Basic eDp5',
    'Bearer eyJhbGciOiJub25lIn0.e30.',
  ],
  'x-api-key': ['', 'x', 'k'.repeat(300), '\u00ff'],
  'if-match': ['*', '"1"', '"0-0"', 'W/"1"', '"'.repeat(3_000), ','],
  'if-none-match': ['*', '"1"', 'W/"1",'.repeat(1_500)],
  'idempotency-key': ['one', 'one', 'two', '"three"', '', 'k'.repeat(256), 'a b', '\u00e9'],
  'x-request-id': ['x', '3f0c2f1e-7f55-4c3e-9c39-2a0d0f6f5a11', 'y'.repeat(5_000)],
  'x-forwarded-for': ['1.2.3.4', ',,,', 'unknown', '::1'],
  host: ['', '[::1', 'a b', '%'],
  range: ['bytes=0-', 'bytes=9-1'],
  expect: ['100-continue', 'nothing'],
};

function headersOf(row: RouteDefinition): fc.Arbitrary<Readonly<Record<string, string>>> {
  const entries = Object.entries(ODD_HEADERS).map(([name, values]) =>
    mostly(40, fc.constant(null), mostly(8, fc.constantFrom(...values), latin)).map((value) =>
      value === null ? [] : [[name, value] as const],
    ),
  );
  const accepted = fc.constantFrom('*/*', ...(row.produces ?? []));
  return fc
    .tuple(accepted, ...entries)
    .map(([accept, ...odd]) => ({ accept, ...Object.fromEntries(odd.flat()) }));
}

const many = (count: number, part: string) => Array.from({ length: count }, () => part).join(',');
const ODD_BODIES: readonly (string | Uint8Array)[] = [
  '',
  ' ',
  'null',
  '[]',
  '"x"',
  '{"a":1e400}',
  '{"":""}',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{}},"toString":1,"hasOwnProperty":2}',
  `{"a":${'['.repeat(100_000)}`,
  `{"a":${'['.repeat(31)}${']'.repeat(31)}}`,
  `{"shipmentIds":[${many(200_000, '1')}],"tasks":[]}`,
  `{"tasks":[${many(6_000, '{}')}],"items":[${many(1_000, '[]')}]}`,
  `{${Array.from({ length: 9_000 }, (_none, index) => `"k${index}":${index}`).join(',')}}`,
  `{"email":"${'a'.repeat(100_000)}","password":"${'b'.repeat(100_000)}"}`,
  `{"a":"${'x'.repeat(1_100_000)}"}`,
  '{"name":"\\ud800","notes":"\\u0000"}',
  new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  gzipSync('{"a":1}'),
];

/** JSON that nearly fits the endpoint, the same as a broken text, or something that fits none. */
function bodyOf({ bodyJson }: RouteDefinition): fc.Arbitrary<string | Uint8Array | undefined> {
  const odd = fc.constantFrom(...ODD_BODIES);
  if (bodyJson === null) return mostly(6, fc.constant(undefined), odd);
  const near = nearly(bodyJson).map((value) => JSON.stringify(value));
  const broken = fc.tuple(near, fc.nat(), fc.string({ maxLength: 4 })).map(([text, place, inserted]) => {
    const cut = place % (text.length + 1);
    return text.slice(0, cut) + inserted + text.slice(cut + (place % 3));
  });
  return fc.oneof(
    { weight: 12, arbitrary: near },
    { weight: 2, arbitrary: broken },
    { weight: 1, arbitrary: odd },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}
