import type { RouteDefinition } from '../http/route.ts';
import type { JsonSchema } from '../schema/schema.ts';
import { propertiesOf, requiredNames, withoutNull } from '../schema/json-schema.ts';
import { exampleOf } from './examples.ts';

/** The request headers that several operations take. */
export const HEADER_PARAMETERS: Readonly<Record<string, JsonSchema>> = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The ETag that you read. An edit or a deletion is rejected with 412 if something that can be edited has changed since, a transition if anything that is shown has changed (RFC 9110).',
    // An example would appear in the page's form, and be sent.
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag that you have: 304 without a body if it is still the current one (RFC 9110).',
    schema: { type: 'string' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'An id of your choice for this request, 16 to 64 letters, digits, - and _: it is written to the log next to the id that the response has.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A key of your choice for this request, for example a UUID: the same request, repeated with it within 24 hours, gets the first response and takes effect only once. The same key with another body is rejected with 422.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
};

/** Whether a read carries an entity tag, so that `If-None-Match` can answer 304. */
export function isCacheable({ method, answers }: Pick<RouteDefinition, 'method' | 'answers'>): boolean {
  return method === 'GET' && answers[200]?.headers?.includes('ETag') === true;
}

/** The names in braces of a path. */
export function pathNames(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}

/** Every parameter of an operation: in its path, its query and its headers. */
export function parametersOf(row: RouteDefinition, refer: (schema: JsonSchema) => JsonSchema): JsonSchema[] {
  const inPath = pathNames(row.path).map((name) => {
    const schema = row.pathJson?.[name] ?? { type: 'string', format: 'uuid' };
    return { name, in: 'path', required: true, schema, example: exampleOf(schema, 'request', name) };
  });
  const required = requiredNames(row.queryJson);
  const inQuery = Object.entries(propertiesOf(row.queryJson)).map(([name, json]) => {
    const { description, ...schema } = withoutNull(json);
    return {
      name,
      in: 'query',
      ...(description === undefined ? {} : { description }),
      ...(required.includes(name) ? { required: true } : {}),
      schema: refer(schema),
    };
  });
  const headers = [
    'RequestId',
    ...(row.isConditional === true ? ['IfMatch'] : []),
    ...(isCacheable(row) ? ['IfNoneMatch'] : []),
    ...(row.isIdempotent === true ? ['IdempotencyKey'] : []),
  ];
  return [...inPath, ...inQuery, ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` }))];
}
