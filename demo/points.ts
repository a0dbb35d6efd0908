/** A point on the map. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** How far two points are apart, in kilometres: flat, which is enough inside a town. */
export function distance(from: Point, to: Point): number {
  const kilometresPerDegree = 111.2;
  const north = (to.latitude - from.latitude) * kilometresPerDegree;
  const east =
    (to.longitude - from.longitude) * kilometresPerDegree * Math.cos((from.latitude * Math.PI) / 180);
  return Math.hypot(north, east);
}
