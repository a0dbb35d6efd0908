import { booleanPointInPolygon } from '@turf/boolean-point-in-polygon';

/** A GeoJSON Polygon: rings of [longitude, latitude], the first the outer one (RFC 7946 section 3.1.6). */
export interface Polygon {
  readonly type: 'Polygon';
  readonly coordinates: readonly (readonly (readonly [number, number])[])[];
}

/** Whether a point lies in a polygon and in none of its holes; a point on the border is inside. */
export function polygonContains(polygon: Polygon, point: { latitude: number; longitude: number }): boolean {
  return booleanPointInPolygon([point.longitude, point.latitude], {
    type: 'Polygon',
    coordinates: polygon.coordinates.map((ring) =>
      ring.map(([longitude, latitude]) => [longitude, latitude]),
    ),
  });
}
