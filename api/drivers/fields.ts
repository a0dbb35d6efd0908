import { VEHICLE_TYPES } from '../../domain/enumerations.ts';
import type { DriverRow } from '../../store/models/models.ts';
import type { PositionRow } from '../../store/fleet/driver-positions.ts';
import { DATES, recordType } from '../hydra/record-type.ts';
import { fieldsOf, view } from '../schema/fields.ts';
import { shownAsIs } from '../schema/schema.ts';
import { dateTime } from '../schema/schema-moments.ts';
import { defaulted, optional, required } from '../schema/schema-objects.ts';
import { boolean, choice, decimal, phoneNumber, reference, text } from '../schema/schema-values.ts';
import { collectionShape } from '../schema/shapes.ts';

/** Beyond this a speed or an accuracy is a fault of the device. */
const MAXIMUM_SPEED = 1_000;
const MAXIMUM_ACCURACY = 1_000_000;

export const LATITUDE = decimal({ min: -90, max: 90, description: 'Degrees, WGS 84.' });
export const LONGITUDE = decimal({ min: -180, max: 180, description: 'Degrees, WGS 84.' });
/** What a device measures in addition. */
export const MEASURED = {
  accuracy: optional(decimal({ min: 0, max: MAXIMUM_ACCURACY, description: 'Metres.' })),
  heading: optional(decimal({ min: 0, max: 360, description: 'Degrees from north, clockwise.' })),
  speed: optional(decimal({ min: 0, max: MAXIMUM_SPEED, description: 'Metres per second.' })),
};

const position = fieldsOf<PositionRow>();
const POSITION = {
  latitude: position.field(required(LATITUDE), (row) => row.latitude),
  longitude: position.field(required(LONGITUDE), (row) => row.longitude),
  accuracy: position.field(MEASURED.accuracy, (row) => row.accuracy),
  heading: position.field(MEASURED.heading, (row) => row.heading),
  speed: position.field(MEASURED.speed, (row) => row.speed),
  recordedAt: position.shown(dateTime(), (row) => row.recordedAt),
};

/** A position of a driver's history. It has no address of its own. */
export const driverPosition = view(
  {
    '@type': position.shown(shownAsIs<string>({ const: 'DriverPosition' }), () => 'DriverPosition'),
    ...POSITION,
  },
  { title: 'DriverPosition' },
);
export const positionCollectionJson = collectionShape('DriverPositionCollection', driverPosition.shown);

const { field, shownIfSet } = fieldsOf<DriverRow>();

/** A driver (interpretation 6). */
export const driver = recordType(
  'driver',
  'Driver',
  {
    firstName: field(required(text()), (row) => row.firstName),
    lastName: field(required(text()), (row) => row.lastName),
    phoneNumber: field(required(phoneNumber()), (row) => row.phoneNumber),
    vehicleType: field(optional(choice(VEHICLE_TYPES)), (row) => row.vehicleType),
    isAvailable: field(defaulted(boolean('Whether tasks may be assigned.'), true), (row) => row.isAvailable),
    user: field(
      optional(
        reference('user', {
          description: 'The user who signs in as this driver; must be active and have ROLE_DRIVER.',
        }),
      ),
      (row) => row.userId,
    ),
    lastPosition: shownIfSet(view(POSITION), ({ lastPosition, lastPositionAt: recordedAt }) =>
      lastPosition === null || recordedAt === null ? null : { ...lastPosition, recordedAt },
    ),
    ...DATES,
  },
  {},
);
