import type { JsonSchema } from './schema.ts';

/** Keywords of JSON Schema 2020-12 whose value is a map of schemas, a list of schemas, or one schema. */
const MAPS: readonly string[] = ['properties', 'patternProperties', '$defs', 'dependentSchemas'];
const LISTS: readonly string[] = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const SINGLES: readonly string[] = ['items', 'additionalProperties', 'not', 'contains', 'if', 'then', 'else'];

/** Whether a value is a JSON object: no null, no array. */
export function isJsonObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Rebuilds a schema from the inside out: each schema in it is changed after those that it holds. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const inside = (value: unknown): unknown => (isJsonObject(value) ? mapSchema(value, change) : value);
  const rebuilt = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (SINGLES.includes(keyword)) return [keyword, inside(value)];
    if (LISTS.includes(keyword) && Array.isArray(value)) return [keyword, value.map(inside)];
    if (!MAPS.includes(keyword) || !isJsonObject(value)) return [keyword, value];
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inside(part)]))];
  });
  return change(Object.fromEntries(rebuilt));
}

/** The properties that a schema names itself, in order. */
export function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const { properties } = schema;
  if (!isJsonObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, part]) => (isJsonObject(part) ? [[name, part]] : [])),
  );
}

/** The names of those properties. */
export function propertyNames(schema: JsonSchema): readonly string[] {
  return Object.keys(propertiesOf(schema));
}

/** The properties that must be there. */
export function requiredNames(schema: JsonSchema): readonly string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

const [OR_EMPTY_START, OR_EMPTY_END] = ['^(?:', ')?$'];

/** An anchored pattern that the empty text fits too. */
export function orEmpty(pattern: string): string {
  return `${OR_EMPTY_START}${pattern.slice(1, -1)}${OR_EMPTY_END}`;
}

function withoutEmpty(pattern: string): string {
  const isOrEmpty = pattern.startsWith(OR_EMPTY_START) && pattern.endsWith(OR_EMPTY_END);
  return isOrEmpty ? `^${pattern.slice(OR_EMPTY_START.length, -OR_EMPTY_END.length)}$` : pattern;
}

/** The same schema without null and the empty text: query parameters cannot be null or empty, only absent. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  const { type, enum: words, anyOf, pattern, ...others } = schema;
  const rest = typeof pattern === 'string' ? { ...others, pattern: withoutEmpty(pattern) } : others;
  if (Array.isArray(anyOf)) {
    const choices = anyOf.filter(isJsonObject).filter((part) => part['type'] !== 'null');
    const [only] = choices;
    return choices.length === 1 && only !== undefined ? { ...only, ...rest } : { ...rest, anyOf: choices };
  }
  const types = Array.isArray(type) ? type.filter((word) => word !== 'null') : [];
  const kept = Array.isArray(words) ? words.filter((word) => word !== null) : undefined;
  return {
    ...(type === undefined ? {} : { type: types.length === 1 ? types[0] : type }),
    ...(kept === undefined ? {} : { enum: kept }),
    ...rest,
  };
}
