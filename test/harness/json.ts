/** Reads a value out of an unknown body by its path, `recipient.address.city` or `member.0.@id`; undefined where there is none. */
export function at(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null) return undefined;
    return new Map<string, unknown>(Object.entries(value)).get(name);
  }, body);
}

/** As `at`, for a text that has to be there. */
export function textAt(body: unknown, path: string): string {
  const value = textOrNull(body, path);
  if (value !== null) return value;
  throw new Error(`no text at ${path} in ${JSON.stringify(body).slice(0, 500)}`);
}

/** As `at`, for an array that has to be there. */
export function listAt(body: unknown, path: string): readonly unknown[] {
  const value = at(body, path);
  if (Array.isArray(value)) return value;
  throw new Error(`no array at ${path} in ${JSON.stringify(body).slice(0, 500)}`);
}

/** As `at`, for a text; null where there is none. */
export function textOrNull(body: unknown, path: string): string | null {
  const value = at(body, path);
  return typeof value === 'string' ? value : null;
}

/** As `at`, for a text; empty where there is none. */
export function textOrEmpty(body: unknown, path: string): string {
  return textOrNull(body, path) ?? '';
}

/** As `at`, for an array; empty where there is none. */
export function listOrEmpty(body: unknown, path: string): readonly unknown[] {
  const value = at(body, path);
  return Array.isArray(value) ? value : [];
}

/** The fields of a body that has to be an object. */
export function fieldsOf(body: unknown): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body };
  throw new Error(`no object: ${JSON.stringify(body).slice(0, 500)}`);
}
