/** Reads the value at a path of an unknown document, `member.0.@id`; undefined where it is missing. */
export function at(document: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null) return undefined;
    return new Map<string, unknown>(Object.entries(value)).get(name);
  }, document);
}

/** As `at`, for a text; empty where it is missing. */
export function textAt(document: unknown, path: string): string {
  const value = at(document, path);
  return typeof value === 'string' ? value : '';
}

/** As `at`, for a list; empty where it is missing. */
export function listAt(document: unknown, path: string): readonly unknown[] {
  const value = at(document, path);
  return Array.isArray(value) ? value : [];
}
