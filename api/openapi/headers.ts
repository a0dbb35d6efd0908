import { API_PREFIX } from '../../domain/iri.ts';
import { RATE_LIMIT_HEADERS } from '../http/rate-limit.ts';
import type { JsonSchema } from '../schema/schema.ts';
import type { Surface } from '../http/route.ts';
import { SAMPLE_ID } from './samples.ts';

type Header = Readonly<{ description: string; required?: boolean; schema: JsonSchema; example: unknown }>;

const text: JsonSchema = { type: 'string' };
const count: JsonSchema = { type: 'integer', minimum: 0 };

/** The headers of answers, under the names by which rows and this page ask for them. */
export const HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description: 'Names this request in the log; sent back when the request carried a UUID of its own.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
    example: SAMPLE_ID,
  },
  Location: {
    description: 'Where to read what was made or accepted.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example: `${API_PREFIX}/shipments/${SAMPLE_ID}`,
  },
  ETag: {
    description: 'The version of the record, for If-Match and If-None-Match.',
    required: true,
    schema: text,
    example: '"3"',
  },
  'Retry-After': {
    description: 'Whole seconds to wait before the next try; a client that waits so long is served.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 2,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate: `Bearer`, and on /external `ApiKey header="X-API-KEY"`.',
    required: true,
    schema: text,
    example: 'Bearer',
  },
  'Accept-Patch': {
    description: 'The types that PATCH takes here (RFC 5789).',
    schema: text,
    example: 'application/merge-patch+json',
  },
  'Accept-Post': {
    description: 'The types that POST takes here.',
    schema: text,
    example: 'application/ld+json, application/json',
  },
  'Idempotency-Replayed': {
    description: 'true where this is the first answer to the same request, sent again.',
    schema: { const: 'true' },
    example: 'true',
  },
  RateLimit: {
    description:
      'r: requests left; t: seconds until there are more. On the dashboard API a list: the user’s budget and the organization’s.',
    schema: text,
    example: '"external";r=57;t=12',
  },
  'RateLimit-Policy': {
    description:
      '`external`, or a class of the dashboard API and whose budget it is, `list-user`; q: requests that fit; w: the window in seconds.',
    schema: text,
    example: '"external";q=100;w=60',
  },
  'X-RateLimit-Limit': { description: 'Requests that fit in the window.', schema: count, example: 100 },
  'X-RateLimit-Remaining': { description: 'Requests left.', schema: count, example: 57 },
  'X-RateLimit-Reset': { description: 'Seconds until there are more.', schema: count, example: 12 },
};

const BY_STATUS: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  415: ['Accept-Patch', 'Accept-Post'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** The headers of one answer: every answer's, those of its status and surface, and those that its row names. */
export function headersOf(
  status: number,
  surface: Surface,
  named: readonly string[],
): Readonly<Record<string, JsonSchema>> {
  const isCounted = surface !== 'public' && status !== 401;
  const counted = isCounted ? RATE_LIMIT_HEADERS : [];
  const names = ['X-Request-Id', ...(BY_STATUS[status] ?? []), ...counted, ...named];
  return Object.fromEntries(
    [...new Set(names)].map((name) => [
      name,
      HEADERS[name] === undefined
        ? { description: name, schema: text }
        : { $ref: `#/components/headers/${name}` },
    ]),
  );
}
