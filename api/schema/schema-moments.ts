import Joi from 'joi';
import type { Schema } from './schema.ts';
import { described, violation } from './schema.ts';

const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;

/** Deadlines are counted from moments, and must still be moments that ISO 8601 writes with four digits. */
const LAST_YEAR = 9998;

/** A moment in ISO 8601 with offset (RFC 3339). Days and hours that do not exist are rejected. */
export function dateTime(description?: string): Schema<Date> {
  const rule = `Years 1 to ${LAST_YEAR}.`;
  return {
    joi: Joi.string<Date>().custom(
      (value: string, helpers) =>
        parseDateTime(value) ??
        violation(
          helpers,
          'format',
          'Must be an existing date and time with offset, for example 2026-03-01T09:30:00+01:00.',
        ),
    ),
    json: {
      type: 'string',
      format: 'date-time',
      description: description === undefined ? rule : `${description} ${rule}`,
    },
  };
}

/** Reads an RFC 3339 moment; undefined when its form is another or it does not exist. */
function parseDateTime(value: string): Date | undefined {
  const match = DATE_TIME.exec(value);
  if (match === null || !isDay(`${match[1]}-${match[2]}-${match[3]}`)) return undefined;
  const moment = new Date(value.toUpperCase());
  const year = moment.getUTCFullYear();
  return Number.isNaN(moment.getTime()) || year < 1 || year > LAST_YEAR ? undefined : moment;
}

/** A calendar day, `YYYY-MM-DD`. */
export function date(description?: string): Schema<string> {
  return {
    joi: Joi.string<string>().custom((value: string, helpers) =>
      /^\d{4}-\d{2}-\d{2}$/.test(value) && isDay(value) && !value.startsWith('0000')
        ? value
        : violation(helpers, 'format', 'Must be an existing date, for example 2026-03-01.'),
    ),
    json: { type: 'string', format: 'date', ...described(description) },
  };
}

function isDay(text: string): boolean {
  const moment = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}
