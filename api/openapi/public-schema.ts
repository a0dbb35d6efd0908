import { mapSchema, propertiesOf, requiredNames } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/schema.ts';

/**
 * An answer's schema as clients see it. It is open, since within v1 fields may be added. And a JSON-LD keyword whose
 * plain namesake is there too (`@id` beside `id`, `@type` beside `type`) is only described in words: generators make one
 * name of both, and what they write does not compile.
 */
export function publicSchema(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (part) => withoutTwins(opened(part)));
}

function opened(part: JsonSchema): JsonSchema {
  const { additionalProperties, ...rest } = part;
  return additionalProperties === false ? rest : part;
}

function withoutTwins(part: JsonSchema): JsonSchema {
  const properties = propertiesOf(part);
  const twins = Object.keys(properties).filter((name) => name.startsWith('@') && name.slice(1) in properties);
  if (twins.length === 0) return part;
  const { description } = part;
  const note = `As JSON-LD it also has ${twins.join(' and ')}.`;
  return {
    ...part,
    description: typeof description === 'string' ? `${description} ${note}` : note,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !twins.includes(name))),
    required: requiredNames(part).filter((name) => !twins.includes(name)),
  };
}
