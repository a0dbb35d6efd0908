/** Returns all texts in a document's data, however deep they stand. */
export function textsOf(data: unknown): string[] {
  if (typeof data === 'string') return [data];
  if (typeof data !== 'object' || data === null) return [];
  return Object.values(data).flatMap(textsOf);
}
