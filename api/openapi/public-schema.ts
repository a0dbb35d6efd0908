import { mapSchema, propertiesOf, requiredNames } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/schema.ts';

/**
 * An answer's schema as clients see it. It says that it is open, since within v1 fields may be added: some generators write
 * clients that reject unknown fields where it does not. And a JSON-LD keyword whose
 * plain namesake is there too (`@id` next to `id`, `@type` next to `type`) is only described in words: generators make one
 * name of both, and what they write does not compile.
 */
export function publicSchema(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (part) => withoutTwins(opened(part)));
}

function opened(part: JsonSchema): JsonSchema {
  return part['additionalProperties'] === false ? { ...part, additionalProperties: true } : part;
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

/**
 * A request's schema as clients see it. A field's default is said in words: generators take a field with a `default` for
 * one that is always there, and then ask their users for it.
 */
export function requestSchema(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (part) => {
    const properties = Object.entries(propertiesOf(part));
    if (properties.every(([, { default: value }]) => value === undefined)) return part;
    return {
      ...part,
      properties: Object.fromEntries(properties.map(([name, json]) => [name, withoutDefault(json)])),
    };
  });
}

function withoutDefault({ default: value, ...json }: JsonSchema): JsonSchema {
  if (value === undefined) return json;
  const { description } = json;
  const words = `Default: ${typeof value === 'string' ? value : JSON.stringify(value)}.`;
  return { ...json, description: typeof description === 'string' ? `${description} ${words}` : words };
}
