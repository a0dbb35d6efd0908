import leven from 'leven';

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
