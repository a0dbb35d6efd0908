import { API_PREFIX } from '../../domain/iri.ts';

/** A JSON-LD document of one record. */
export type Document = Readonly<Record<string, unknown>>;

/** The address of a type's context. */
export function contextPath(type: string): string {
  return `${API_PREFIX}/contexts/${type}`;
}

/** A record as JSON-LD (interpretation 25): frame first, then the properties that are not null. */
export function resource(type: string, iri: string, properties: Document): Document {
  return { '@context': contextPath(type), ...member(type, iri, properties) };
}

/** A record inside another document: as above, without a context of its own. */
export function member(type: string, iri: string, properties: Document): Document {
  return { '@id': iri, '@type': type, ...withoutNulls(properties) };
}

/** Leaves out what is null, here and in nested objects, as this family of APIs does. A loop: lists spend their time here. */
export function withoutNulls(value: Document): Document {
  const kept: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value)) {
    if (part !== null && part !== undefined) kept[name] = shown(part);
  }
  return kept;
}

function shown(part: unknown): unknown {
  if (typeof part !== 'object') return part;
  if (Array.isArray(part)) return part.map(shown);
  return isPlainObject(part) ? withoutNulls(part) : part;
}

function isPlainObject(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
