import { say } from '../../domain/messages.ts';
import Joi from 'joi';
import type { Polygon } from '../../platform/geometry.ts';
import { polygonFault } from '../../platform/polygon-faults.ts';
import type { Infer, Schema } from '../schema/schema.ts';
import { named, violation } from '../schema/schema.ts';
import { checkedFirst, list, object, required } from '../schema/schema-objects.ts';
import { choice } from '../schema/schema-values.ts';

/** Limits of a zone's polygon: corners that a price needs, at a cost that no request notices. */
export const MAXIMUM_POSITIONS = 1_000;
const MAXIMUM_RINGS = 100;
const MINIMUM_RING = 4;

const LONGITUDE = { type: 'number', minimum: -180, maximum: 180 };
const LATITUDE = { type: 'number', minimum: -90, maximum: 90 };

/** A GeoJSON position (RFC 7946 section 3.1.1); an altitude is read and dropped. */
const position: Schema<readonly [number, number]> = {
  joi: Joi.array<readonly [number, number]>().custom((value: readonly unknown[], helpers) => {
    const [longitude, latitude, ...rest] = value;
    if (!isNumber(longitude) || !isNumber(latitude) || rest.length > 1 || !rest.every(isNumber)) {
      return violation(helpers, 'type', say('position'));
    }
    if (Math.abs(longitude) > LONGITUDE.maximum || Math.abs(latitude) > LATITUDE.maximum) {
      return violation(helpers, 'range', say('position_range'));
    }
    return [longitude, latitude];
  }),
  json: {
    type: 'array',
    description: '[longitude, latitude]; an altitude is dropped.',
    prefixItems: [LONGITUDE, LATITUDE],
    items: { type: 'number' },
    minItems: 2,
    maxItems: 3,
  },
  shown: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
  show: (value) => value,
};

const rings = list(list(position, { min: MINIMUM_RING, max: MAXIMUM_POSITIONS }), {
  min: 1,
  max: MAXIMUM_RINGS,
});

/** Positions are counted before any is looked at. */
const counted = Joi.array<Infer<typeof rings>>().custom((value: readonly unknown[], helpers) => {
  const count = value.reduce<number>((sum, ring) => sum + (Array.isArray(ring) ? ring.length : 0), 0);
  if (count <= MAXIMUM_POSITIONS) return value;
  return violation(helpers, 'too_many', say('too_many_positions', { limit: MAXIMUM_POSITIONS, count }));
});

/**
 * A GeoJSON Polygon (RFC 7946 section 3.1.6, interpretation 6). Members other than type and coordinates are dropped.
 */
export const polygonSchema = named(
  'Polygon',
  object(
    {
      type: required(choice(['Polygon'] as const)),
      coordinates: required({ ...rings, joi: checkedFirst(counted, rings.joi) }),
    },
    {
      rules: {
        description: `The first ring is the border, the others are holes in it. Rings must be closed, must not cross or touch themselves or each other, and have at most ${MAXIMUM_POSITIONS} positions in total.`,
        add: (polygon) =>
          polygon.custom((value: Polygon, helpers) => {
            const fault = polygonFault(value);
            if (fault === undefined) return value;
            return violation(helpers, 'rule', say(`ring_${fault.kind}`), ['coordinates', fault.ring]);
          }),
      },
    },
  ),
);

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
