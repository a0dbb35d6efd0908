/** A typing slip is at most this far away; beyond it a suggestion would mislead. */
const MAXIMUM_DISTANCE = 3;

/** The known name that a mistyped one most likely meant; undefined when none is near. */
export function suggestName(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  let nearest: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    const reach = Math.min(MAXIMUM_DISTANCE, Math.floor(candidate.length / 2));
    if (Math.abs(candidate.length - name.length) > reach) continue;
    const distance = editDistance(lower, candidate.toLowerCase());
    if (distance <= reach && distance < (nearest?.distance ?? Infinity)) nearest = { candidate, distance };
  }
  return nearest?.candidate;
}

/** Levenshtein's distance, over names short enough for the plain table. */
function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 0; row < left.length; row += 1) {
    const current = [row + 1];
    for (let column = 0; column < right.length; column += 1) {
      const substitution = (previous[column] ?? 0) + (left[row] === right[column] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
