/** A typing slip is at most this far away; beyond it a suggestion would mislead. */
const MAXIMUM_DISTANCE = 3;

/** The known name that a mistyped one most likely meant; undefined when none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const scored = known
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(
      ({ distance, candidate }) => distance <= Math.min(MAXIMUM_DISTANCE, Math.floor(candidate.length / 2)),
    )
    .sort((left, right) => left.distance - right.distance);
  return scored[0]?.candidate;
}

/** Levenshtein's distance, over names short enough for the plain table. */
function editDistance(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > MAXIMUM_DISTANCE) return Number.POSITIVE_INFINITY;
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [row, character] of Array.from(left).entries()) {
    const current = [row + 1];
    for (const [column, other] of Array.from(right).entries()) {
      const substitution = (previous[column] ?? 0) + (character === other ? 0 : 1);
      current.push(Math.min(substitution, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
