import { VEHICLE_TYPES } from '../../domain/enumerations.ts';
import { booleanText, COLLECTION_QUERY, PAGE_QUERY } from '../http/pagination.ts';
import type { Infer } from '../schema/schema.ts';
import type { ObjectRule } from '../schema/schema-objects.ts';
import { named } from '../schema/schema.ts';
import { dateTime } from '../schema/schema-moments.ts';
import { defaulted, list, object, optional, required } from '../schema/schema-objects.ts';
import { boolean, choice, decimal, phoneNumber, reference, text } from '../schema/schema-values.ts';

/** Most positions of one request (interpretation 30). */
export const MAXIMUM_POSITIONS = 100;

/** Body of `POST /drivers`, and a driver after a PATCH (interpretation 6). */
export const driverBody = named(
  'DriverRequest',
  object({
    firstName: required(text()),
    lastName: required(text()),
    phoneNumber: required(phoneNumber()),
    vehicleType: optional(choice(VEHICLE_TYPES)),
    isAvailable: defaulted(boolean('Whether tasks may be assigned.'), true),
    user: optional(
      reference('user', {
        description: 'The user who signs in as this driver; must be active and have ROLE_DRIVER.',
      }),
    ),
  }),
);

/** Query of the list (interpretation 27). */
export const driverListQuery = object(
  { ...COLLECTION_QUERY, isAvailable: optional(booleanText()) },
  { strict: true },
);

/** Beyond this a speed or an accuracy is a fault of the device. */
const MAXIMUM_SPEED = 1_000;
const MAXIMUM_ACCURACY = 1_000_000;

const latitude = decimal({ min: -90, max: 90, description: 'Degrees, WGS 84.' });
const longitude = decimal({ min: -180, max: 180, description: 'Degrees, WGS 84.' });
const RECORDED_AT = dateTime(
  'When the position was measured, not in the future; the time of arrival by default.',
);
const DETAILS = {
  accuracy: optional(decimal({ min: 0, max: MAXIMUM_ACCURACY, description: 'Metres.' })),
  heading: optional(decimal({ min: 0, max: 360, description: 'Degrees from north, clockwise.' })),
  speed: optional(decimal({ min: 0, max: MAXIMUM_SPEED, description: 'Metres per second.' })),
  recordedAt: optional(RECORDED_AT),
};

const positionSchema = named(
  'Position',
  object({ latitude: required(latitude), longitude: required(longitude), ...DETAILS }),
);

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const ONE_OR_MANY: ObjectRule<unknown> = {
  description: 'Send either latitude and longitude, or positions.',
  check: (_, { latitude: sentLatitude, longitude: sentLongitude, positions }) => {
    if (isGiven(positions)) {
      if (!isGiven(sentLatitude) && !isGiven(sentLongitude)) return undefined;
      const message = 'Send either latitude and longitude or positions, not both.';
      return { path: 'positions', code: 'rule', message };
    }
    if (isGiven(sentLatitude) && isGiven(sentLongitude)) return undefined;
    const path = isGiven(sentLatitude) ? 'longitude' : 'latitude';
    return { path, code: 'required', message: 'Required: send latitude and longitude, or positions.' };
  },
};

/** Body of `POST /drivers/{id}/location` (interpretation 30). */
export const locationBody = named(
  'LocationRequest',
  object(
    {
      latitude: optional(latitude),
      longitude: optional(longitude),
      ...DETAILS,
      positions: optional(
        list(positionSchema, { min: 1, max: MAXIMUM_POSITIONS, description: 'In any order.' }),
      ),
    },
    { rules: [ONE_OR_MANY] },
  ),
);
export type LocationBody = Infer<typeof locationBody>;

/** Query of a driver's history. */
export const positionListQuery = object(
  {
    ...PAGE_QUERY,
    'order[recordedAt]': defaulted(choice(['asc', 'desc'] as const), 'desc'),
    'recordedAt[after]': optional(dateTime('Inclusive.')),
    'recordedAt[before]': optional(dateTime('Inclusive.')),
  },
  { strict: true },
);
