import type { Problem } from '../../domain/problem.ts';
import { consumedTypes } from '../http/body.ts';
import { isJsonObject } from '../schema/json-schema.ts';
import { withoutFrame } from '../http/json-ld-frame.ts';
import { LD_JSON } from '../http/media-types.ts';
import { problemResponse } from '../http/problem-response.ts';
import type { ResponseDoc, RouteDefinition } from '../http/route.ts';
import { hasContent, offersOf } from '../http/router.ts';
import type { JsonSchema } from '../schema/schema.ts';
import { exampleOf } from './examples.ts';
import { headersOf } from './headers.ts';
import { isCacheable, pathNames } from './parameters.ts';
import { problemShape } from '../http/problem-shapes.ts';
import { SAMPLE_ID } from './samples.ts';

const PROBLEM_TYPE = 'application/problem+json';

/** The errors of the frame itself, each with its meaning and an example. */
const PROBLEM_DOCS: Readonly<Record<number, readonly [description: string, example: Problem]>> = {
  400: [
    'The body is not a JSON object, is nested too deeply or has a key `__proto__`; or a query parameter is unknown or invalid, or there are too many.',
    { kind: 'malformed', detail: 'The body must be a JSON object.' },
  ],
  401: [
    'Token or key missing, invalid or expired.',
    { kind: 'unauthenticated', detail: 'JWT Token not found' },
  ],
  403: [
    'The role is not allowed to do this, or the record belongs to another organization or to another user.',
    { kind: 'forbidden', detail: 'ROLE_DRIVER may not do this.' },
  ],
  404: ['The record does not exist.', { kind: 'missing', detail: 'There is no such shipment.' }],
  406: [
    'None of the types in Accept is available.',
    { kind: 'not_acceptable', detail: 'Not acceptable. Available types: application/json.' },
  ],
  409: [
    'The current state of the record does not allow it; `detail` says why.',
    { kind: 'conflict', detail: 'The shipment is delivered.', currentStatus: 'delivered' },
  ],
  412: [
    'If-Match names a state of the record that is not the current one, or If-None-Match names the current one.',
    { kind: 'stale', detail: 'The record has changed since you read it.' },
  ],
  413: [
    'The body is too large, or has too many values.',
    { kind: 'too_large', detail: 'The body is larger than 1 MB.' },
  ],
  415: [
    'The Content-Type of the body is missing or not supported here.',
    {
      kind: 'unsupported_media_type',
      detail: 'The Content-Type header is missing; send application/json.',
    },
  ],
  422: [
    'The request is not valid. All violations are reported together: at most 100 are listed, furtherViolations counts the others.',
    {
      kind: 'invalid',
      violations: [
        { propertyPath: 'recipient.phoneNumber', message: 'This field is required.', code: 'required' },
      ],
    },
  ],
  429: [
    'Too many requests under a policy of RateLimit-Policy, or too many undecided commands of the shipment; Retry-After says when to retry.',
    { kind: 'limited', detail: 'Wait for the time given in Retry-After.', retryAfterSeconds: 12 },
  ],
  503: [
    'Temporarily unavailable; nothing was changed.',
    { kind: 'unavailable', detail: 'The database is unreachable.', retryAfterSeconds: 2 },
  ],
};

/** The error statuses that an operation can answer, as the order of the checks in the router has it. */
function problemStatuses(row: RouteDefinition): readonly number[] {
  const isSecured = row.surface !== 'public';
  const isWrite = row.method !== 'GET';
  const namesRecord = pathNames(row.path).length > 0;
  const hasBody = row.bodyJson !== null;
  const derived = [
    400,
    ...(isSecured ? [401, 403, 503] : []),
    ...(namesRecord ? [404] : []),
    ...(hasContent(row) ? [406] : []),
    ...((isWrite && namesRecord) || row.isIdempotent === true ? [409] : []),
    ...(isWrite && isSecured ? [412] : []),
    ...(hasBody ? [413, 415, 422, 503] : []),
    ...(row.isIdempotent === true ? [422] : []),
    ...(isSecured ? [429] : []),
  ];
  const documented = Object.keys(row.answers).map(Number);
  return [...new Set(derived)].filter((status) => !documented.includes(status)).sort((a, b) => a - b);
}

/** Refusals differ by surface in their headers. */
const PROBLEM_PREFIX = { dashboard: '', external: 'External', public: 'Public' } as const;

/** Makes the responses of operations; equal errors are kept once, as components. */
export function createAnswers(refer: (schema: JsonSchema) => JsonSchema) {
  const shared = new Map<string, JsonSchema>();

  function problemRef(row: RouteDefinition, status: number): JsonSchema {
    const name = `${PROBLEM_PREFIX[row.surface]}Refusal${status}`;
    if (!shared.has(name)) {
      shared.set(name, problemAnswer(row, status, { description: PROBLEM_DOCS[status]?.[0] ?? '' }));
    }
    return { $ref: `#/components/responses/${name}` };
  }

  function problemAnswer(row: RouteDefinition, status: number, answer: ResponseDoc): JsonSchema {
    const [, problem] = PROBLEM_DOCS[status] ?? [];
    const example = problem === undefined ? undefined : problemResponse(problem, SAMPLE_ID).body;
    return {
      description: answer.description,
      headers: headersOf(status, row.surface, answer.headers ?? []),
      content: {
        [PROBLEM_TYPE]: {
          schema: refer(answer.schema ?? problemShape(status)),
          ...(example === undefined || answer.schema !== undefined ? {} : { example }),
        },
      },
    };
  }

  function documented(row: RouteDefinition, status: number, answer: ResponseDoc): JsonSchema {
    if (status >= 400) return problemAnswer(row, status, answer);
    const named = [...(answer.headers ?? []), ...(row.isIdempotent === true ? ['Idempotency-Replayed'] : [])];
    const content = contentOf(row, answer, refer);
    return {
      description: answer.description,
      headers: headersOf(status, row.surface, named),
      ...(content === undefined ? {} : { content }),
    };
  }

  return {
    /** Every answer of an operation, by status. */
    of(row: RouteDefinition): JsonSchema {
      const notModified = isCacheable(row)
        ? { 304: { description: 'Unchanged.', headers: headersOf(304, row.surface, ['ETag']) } }
        : {};
      return {
        ...Object.fromEntries(
          Object.entries(row.answers).map(([status, answer]) => [
            status,
            documented(row, Number(status), answer),
          ]),
        ),
        ...notModified,
        ...Object.fromEntries(problemStatuses(row).map((status) => [status, problemRef(row, status)])),
      };
    },
    shared: (): JsonSchema => Object.fromEntries(shared),
  };
}

/** A success answer's content by type; undefined where it has none. */
function contentOf(
  row: RouteDefinition,
  answer: ResponseDoc,
  refer: (schema: JsonSchema) => JsonSchema,
): JsonSchema | undefined {
  const { schema, contentType } = answer;
  if (schema === undefined && contentType === undefined && !hasRawTypes(row)) return undefined;
  const types = contentType === undefined ? offersOf(row) : [contentType];
  const entries = types.map((type) => {
    if (!isStructured(type)) return [type, { schema: textOrBytes(type) }] as const;
    if (schema === undefined) return [type, { schema: { type: 'object' } }] as const;
    const example = exampleOf(schema, 'answer');
    const hasFrame = row.isPlain !== true || type === LD_JSON;
    return [type, { schema: refer(schema), example: hasFrame ? example : withoutFrame(example) }] as const;
  });
  return Object.fromEntries(entries);
}

function hasRawTypes(row: RouteDefinition): boolean {
  return row.produces?.some((type) => !type.includes('json')) === true;
}

/** JSON and YAML are read by their schema; everything else is text or bytes. */
function isStructured(type: string): boolean {
  return /json|yaml|vnd\.(?:oai\.)?openapi/.test(type);
}

function textOrBytes(type: string): JsonSchema {
  return type.startsWith('text/') || type.includes('svg')
    ? { type: 'string' }
    : { type: 'string', format: 'binary' };
}

/** The body of a request, with examples to try; undefined where the operation takes none. */
export function requestBodyOf(
  row: RouteDefinition,
  refer: (schema: JsonSchema) => JsonSchema,
): JsonSchema | undefined {
  const { bodyJson, examples, isBodyOptional = false } = row;
  if (bodyJson === null) return undefined;
  const tried = examples === undefined ? undefined : namedExamples(examples);
  const content = consumedTypes(row).map((type) => {
    const schema = refer(bodyJson);
    if (!type.includes('json')) return [type, { schema }] as const;
    return [
      type,
      {
        schema,
        ...(tried === undefined ? { example: exampleOf(bodyJson, 'request') } : { examples: tried }),
      },
    ] as const;
  });
  return { required: !isBodyOptional, content: Object.fromEntries(content) };
}

function namedExamples(examples: Readonly<Record<string, unknown>>): JsonSchema {
  return Object.fromEntries(
    Object.entries(examples).map(([words, value]) => {
      const name = words.replace(
        /[^A-Za-z0-9]+(.)?/g,
        (_all, next: string | undefined) => next?.toUpperCase() ?? '',
      );
      return [name, { summary: words, value: isJsonObject(value) ? value : {} }];
    }),
  );
}
