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
    description: 'Identifies this request in the log. Each request has one of its own.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
    example: SAMPLE_ID,
  },
  Location: {
    description: 'Where to read what was created or accepted.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example: `${API_PREFIX}/shipments/${SAMPLE_ID}`,
  },
  ETag: {
    description:
      'The state of the record as it is shown to you, for If-Match and If-None-Match. It changes with everything that the answer shows.',
    required: true,
    schema: text,
    example: '"5r0p2vYt1c9Xw3qLz7NfGA.Jk2hT8sBd0eUo4mIy6aRlQ"',
  },
  'Retry-After': {
    description: 'Whole seconds to wait before the next attempt, which is then accepted.',
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
    description: 'The types that PATCH accepts here (RFC 5789).',
    schema: text,
    example: 'application/merge-patch+json',
  },
  'Accept-Post': {
    description: 'The types that POST accepts here.',
    schema: text,
    example: 'application/ld+json, application/json',
  },
  'Idempotency-Replayed': {
    description: 'true when this is the stored response to an earlier, identical request.',
    schema: { const: 'true' },
    example: 'true',
  },
  RateLimit: {
    description:
      'r: requests left; t: seconds until more are available. On the dashboard API a list: the budget of the user and that of the organization.',
    schema: text,
    example: '"external";r=57;t=12',
  },
  'RateLimit-Policy': {
    description:
      '`external`, or a request class of the dashboard API with the owner of the budget, for example `list-user`; q: requests per window; w: the window in seconds.',
    schema: text,
    example: '"external";q=100;w=60',
  },
  'X-RateLimit-Limit': { description: 'Requests allowed per window.', schema: count, example: 100 },
  'X-RateLimit-Remaining': { description: 'Requests left in the window.', schema: count, example: 57 },
  'X-RateLimit-Reset': { description: 'Seconds until more are available.', schema: count, example: 12 },
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
