import { booleanText, COLLECTION_QUERY, direction, nameSearch, PAGE_QUERY } from '../http/pagination.ts';
import type { Infer } from '../schema/schema.ts';
import { named } from '../schema/schema.ts';
import { dateTime, dateTimeText } from '../schema/schema-moments.ts';
import {
  defaulted,
  list,
  object,
  optional,
  required,
  requiredIf,
  UNLESS_NULL,
} from '../schema/schema-objects.ts';
import { LATITUDE, LONGITUDE, MEASURED } from './fields.ts';

/** Most positions of one request (interpretation 30). */
export const MAXIMUM_POSITIONS = 100;

/** Query of the list (interpretation 27). */
export const driverListQuery = object(
  {
    ...COLLECTION_QUERY,
    ...nameSearch('first name, last name or phone number'),
    isAvailable: optional(booleanText()),
  },
  { strict: true },
);

export const RECORDED_AT = dateTime(
  'When the position was measured, not in the future; the time of arrival by default.',
);
const DETAILS = { ...MEASURED, recordedAt: optional(RECORDED_AT) };

/** Body of `POST /drivers/{id}/location` (interpretation 30). */
export const locationBody = named(
  'LocationRequest',
  object(
    {
      latitude: requiredIf(LATITUDE, ['positions', null]),
      longitude: requiredIf(LONGITUDE, ['positions', null]),
      ...DETAILS,
      positions: optional(
        list(
          named(
            'Position',
            object({ latitude: required(LATITUDE), longitude: required(LONGITUDE), ...DETAILS }),
          ),
          { min: 1, max: MAXIMUM_POSITIONS, description: 'In any order.' },
        ),
      ),
    },
    {
      rules: {
        description: 'Send either latitude and longitude, or positions.',
        add: (location) => location.without('positions', ['latitude', 'longitude'], UNLESS_NULL),
      },
    },
  ),
);
export type LocationBody = Infer<typeof locationBody>;

/** Query of a driver's history. */
export const positionListQuery = object(
  {
    ...PAGE_QUERY,
    'order[recordedAt]': defaulted(direction(), 'desc'),
    'order[id]': optional(direction('The same as order[recordedAt]; takes precedence over it.')),
    'recordedAt[after]': optional(dateTimeText('Inclusive.')),
    'recordedAt[before]': optional(dateTimeText('Inclusive.')),
  },
  { strict: true },
);
