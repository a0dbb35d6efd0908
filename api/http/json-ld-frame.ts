import { API_PREFIX } from '../../domain/iri.ts';
import { isJsonObject, propertiesOf } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/schema.ts';
import { string } from '../schema/shapes.ts';
import { LD_JSON } from './media-types.ts';
import type { ResponseDoc, RouteInfo, RouteResponse } from './route.ts';

/**
 * Answers that are no records, such as the result of an import: plain JSON, and as JSON-LD the same with a context and a type in
 * front (interpretation 25). The type is the title of the answer's shape.
 */

/** The answers of a row, each shape with the frame that it has as JSON-LD. */
export function framedAnswers(answers: RouteInfo['answers']): Readonly<Record<number, ResponseDoc>> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, { schema, ...answer }]) => [
      status,
      schema === undefined ? answer : { ...answer, schema: framedShape(schema) },
    ]),
  );
}

function framedShape(schema: JsonSchema): JsonSchema {
  const frame = { '@context': string, '@type': { const: schema['title'] } };
  return { ...schema, properties: { ...frame, ...propertiesOf(schema) } };
}

/** The response of a row as it is sent under the negotiated type. A response with a type of its own has none of this. */
export function withFrame(
  { answers, isPlain }: Pick<RouteInfo, 'answers' | 'isPlain'>,
  response: RouteResponse,
  negotiatedType: string,
): RouteResponse {
  const { body, contentType, status } = response;
  const type = answers[status]?.schema?.['title'];
  const isFramed = isPlain === true && negotiatedType === LD_JSON && contentType === undefined;
  if (!isFramed || typeof type !== 'string' || !isJsonObject(body)) return response;
  const frame = { '@context': `${API_PREFIX}/contexts/${type}`, '@type': type };
  return { ...response, body: { ...frame, ...body } };
}

const KEYWORDS: readonly string[] = ['@context', '@id', '@type'];

/** The JSON of a JSON-LD body: its keywords name no fields, at any depth. */
export function withoutKeywords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutKeywords);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).filter(([name]) => !KEYWORDS.includes(name));
  return Object.fromEntries(fields.map(([name, part]) => [name, withoutKeywords(part)]));
}

/** An example of such an answer as plain JSON. */
export function withoutFrame(example: unknown): unknown {
  if (!isJsonObject(example)) return example;
  return Object.fromEntries(Object.entries(example).filter(([name]) => !name.startsWith('@')));
}
