import { isJsonObject, mapSchema, propertiesOf, withoutNull } from '../schema/json-schema.ts';
import type { RouteDefinition } from '../http/route.ts';
import type { JsonSchema } from '../schema/schema.ts';
import { PROBLEM_SHAPES } from '../http/problem-shapes.ts';

export const HYDRA = 'http://www.w3.org/ns/hydra/core#';

/** Types of Hydra itself; every other `@type` that an answer has is a class of ours. */
const HYDRA_TYPES = ['Collection', 'PartialCollectionView', 'IriTemplate', 'IriTemplateMapping'] as const;

/** A class of ours: what its documents can say, wherever one is shown. */
export interface VocabularyClass {
  readonly name: string;
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

/** Every class whose documents the rows answer with, and those of the problem documents, by name. */
export function classesOf(rows: readonly RouteDefinition[]): ReadonlyMap<string, VocabularyClass> {
  const classes = new Map<string, VocabularyClass>();
  for (const schema of [...answerSchemas(rows), ...PROBLEM_SHAPES]) {
    mapSchema(schema, (part) => {
      const name = classNameOf(part);
      if (name !== undefined && !HYDRA_TYPES.some((type) => type === name)) {
        classes.set(name, merged(name, classes.get(name), part));
      }
      return part;
    });
  }
  return classes;
}

/** The `@type` that an object schema fixes; undefined where it fixes none. */
export function typeOf(schema: JsonSchema): string | undefined {
  const type = propertiesOf(schema)['@type']?.['const'];
  return typeof type === 'string' ? type : undefined;
}

/** The entries of `violations`: the one class whose documents carry no `@type`. */
export const VIOLATION = 'Violation';

/** The class of an object schema's documents; undefined where they are of none. */
export function classNameOf(schema: JsonSchema): string | undefined {
  return typeOf(schema) ?? (schema['title'] === VIOLATION ? VIOLATION : undefined);
}

/** The one thing that a property holds: without null, and of an array its items. */
export function heldBy(schema: JsonSchema): JsonSchema {
  const plain = withoutNull(schema);
  return isJsonObject(plain['items']) ? heldBy(plain['items']) : plain;
}

/** A property's last word on a class: the fullest shape wins over one that shows less. */
function merged(name: string, known: VocabularyClass | undefined, part: JsonSchema): VocabularyClass {
  const own = Object.entries(propertiesOf(part)).filter(([property]) => !property.startsWith('@'));
  const properties = new Map(Object.entries(known?.properties ?? {}));
  for (const [property, schema] of own) {
    const before = properties.get(property);
    if (before === undefined || breadth(schema) > breadth(before)) properties.set(property, schema);
  }
  return { name, properties: Object.fromEntries(properties) };
}

function breadth(schema: JsonSchema): number {
  return Object.keys(propertiesOf(heldBy(schema))).length;
}

function answerSchemas(rows: readonly RouteDefinition[]): readonly JsonSchema[] {
  return rows.flatMap(({ answers }) =>
    Object.values(answers).flatMap(({ schema }) => (schema === undefined ? [] : [schema])),
  );
}
