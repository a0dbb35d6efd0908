/** Thrown when the story cannot go on; its message says why and what to do. */
export class StoryStopped extends Error {
  override readonly name = 'StoryStopped';
}

/** Reads a value out of an unknown document by its path, `recipient.address.city` or `member.0.@id`; undefined where there is none. */
export function valueAt(document: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null) return undefined;
    return new Map<string, unknown>(Object.entries(value)).get(name);
  }, document);
}

/** As `valueAt`, for a text; empty where there is none. */
export function textAt(document: unknown, path: string): string {
  const value = valueAt(document, path);
  return typeof value === 'string' ? value : '';
}

/** As `valueAt`, for a text that the story cannot do without. Throws StoryStopped where it is missing. */
export function neededText(document: unknown, path: string): string {
  const text = textAt(document, path);
  if (text !== '') return text;
  throw new StoryStopped(`An answer lacks ${path}: ${shown(document)}`);
}

/** As `valueAt`, for a list; empty where there is none. */
export function listAt(document: unknown, path: string): readonly unknown[] {
  const value = valueAt(document, path);
  return Array.isArray(value) ? value : [];
}

/** The id at the end of an IRI. */
export function idOf(iri: string): string {
  return iri.slice(iri.lastIndexOf('/') + 1);
}

const SHOWN_CHARACTERS = 300;

/** A value as a person may read it in a message, cut where it is long. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
