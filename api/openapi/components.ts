import { isDeepStrictEqual } from 'node:util';
import { mapSchema } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/schema.ts';

/** The titled schemas of a document, each kept once under its title. */
export interface Components {
  /** The schema with every titled part replaced by a reference to its component. */
  readonly refer: (schema: JsonSchema) => JsonSchema;
  readonly schemas: () => Readonly<Record<string, JsonSchema>>;
  /** Titles that different shapes share; the later ones were numbered. A test wants none. */
  readonly conflicts: () => readonly string[];
}

/** Collects components while a document is made. */
export function createComponents(): Components {
  const kept = new Map<string, JsonSchema>();
  const conflicts: string[] = [];

  function nameOf(title: string, schema: JsonSchema): string {
    for (let copy = 1; ; copy += 1) {
      const name = copy === 1 ? title : `${title}${copy}`;
      const known = kept.get(name);
      if (known === undefined) {
        kept.set(name, schema);
        return name;
      }
      if (isDeepStrictEqual(known, schema)) return name;
      if (copy === 1) conflicts.push(title);
    }
  }

  return {
    refer: (schema) =>
      mapSchema(schema, (part) => {
        const { title } = part;
        return typeof title === 'string' ? { $ref: `#/components/schemas/${nameOf(title, part)}` } : part;
      }),
    schemas: () => Object.fromEntries([...kept].sort(([left], [right]) => left.localeCompare(right))),
    conflicts: () => conflicts,
  };
}
