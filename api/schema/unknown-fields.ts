import leven from 'leven';
import { isJsonObject, propertiesOf, withoutNull } from './json-schema.ts';
import type { JsonSchema } from './schema.ts';

/** A field that its object must not have. */
export interface UnknownField {
  readonly path: readonly (string | number)[];
  /** The names that its object knows. */
  readonly known: readonly string[];
}

/** What may be inside a value: the fields of an object that forbids others, the entries of an array. */
interface Outline {
  readonly fields: Readonly<Record<string, JsonSchema>> | undefined;
  readonly items: JsonSchema | undefined;
}

const outlines = new WeakMap<JsonSchema, Outline>();

function outlineOf(json: JsonSchema): Outline {
  const known = outlines.get(json);
  if (known !== undefined) return known;
  const plain = withoutNull(json);
  const { items, additionalProperties } = plain;
  const outline = {
    fields: additionalProperties === false ? propertiesOf(plain) : undefined,
    items: isJsonObject(items) ? items : undefined,
  };
  outlines.set(json, outline);
  return outline;
}

/**
 * Returns the value without the fields that its schema forbids, at any depth, and adds them to `found`. joi would make an
 * error object of each: of a body with thousands, longer than a request may take (interpretation 36).
 */
export function withoutUnknown(
  json: JsonSchema,
  value: unknown,
  found: UnknownField[],
  path: UnknownField['path'] = [],
): unknown {
  const { fields, items } = outlineOf(json);
  if (Array.isArray(value) && items !== undefined) {
    return value.map((entry, index) => withoutUnknown(items, entry, found, [...path, index]));
  }
  if (fields === undefined || !isJsonObject(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(fields)) {
    if (Object.hasOwn(value, name)) kept[name] = withoutUnknown(part, value[name], found, [...path, name]);
  }
  const known = Object.keys(fields);
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(fields, name)) found.push({ path: [...path, name], known });
  }
  return kept;
}

/** A typing slip is at most this far away; beyond it a suggestion would mislead. */
const MAXIMUM_DISTANCE = 3;

/** The known name that a mistyped one most likely meant; undefined when none is near. */
export function suggestName(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  const near = known
    .map((candidate) => {
      // Counting ends one past the maximum: a name of a client's own may be very long.
      const distance = leven(lower, candidate.toLowerCase(), { maxDistance: MAXIMUM_DISTANCE + 1 });
      return { candidate, distance };
    })
    .filter(({ candidate, distance }) => distance <= Math.min(MAXIMUM_DISTANCE, candidate.length / 2));
  return near.sort((left, right) => left.distance - right.distance)[0]?.candidate;
}
