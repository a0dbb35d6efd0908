import { VEHICLE_TYPES } from '../../domain/enumerations.ts';
import { recordShapes } from '../resource/record-shapes.ts';
import { collectionShape, iri, moment, oneOf, shape, string } from '../schema/shapes.ts';

/** The shapes of what the driver endpoints answer. */

const number = { type: 'number' };
const POSITION = {
  latitude: number,
  longitude: number,
  accuracy: { ...number, description: 'Metres.' },
  heading: { ...number, description: 'Degrees from north, clockwise.' },
  speed: { ...number, description: 'Metres per second.' },
  recordedAt: moment,
};
const POSITION_REQUIRED = ['latitude', 'longitude', 'recordedAt'];

export const driverShapes = recordShapes(
  'Driver',
  {
    firstName: string,
    lastName: string,
    phoneNumber: string,
    vehicleType: oneOf(VEHICLE_TYPES),
    isAvailable: { type: 'boolean' },
    user: iri,
    lastPosition: shape(POSITION, POSITION_REQUIRED),
  },
  ['firstName', 'lastName', 'phoneNumber', 'isAvailable'],
);

export const positionCollectionJson = collectionShape('DriverPositionCollection', {
  title: 'DriverPosition',
  ...shape({ '@type': { const: 'DriverPosition' }, ...POSITION }, ['@type', ...POSITION_REQUIRED]),
});
