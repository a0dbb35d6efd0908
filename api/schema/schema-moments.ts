import Joi from 'joi';
import type { Schema } from './schema.ts';
import { described, schemaOf, violation } from './schema.ts';
import { isJsonObject } from './json-schema.ts';

const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;

/** Deadlines are counted from moments, and must still be moments that ISO 8601 writes with four digits. */
const LAST_YEAR = 9998;

/**
 * A moment in ISO 8601 with offset (RFC 3339). Days and hours that do not exist are rejected, and what is not after the
 * moment in the field `after` of the same object.
 */
export function dateTime(description?: string, options: { readonly after?: string } = {}): Schema<Date> {
  const { after } = options;
  const joi = Joi.string<Date>().custom((value: string, helpers) => {
    const moment = parseDateTime(value);
    if (moment === undefined) {
      const message = 'Must be an existing date and time with offset, for example 2026-03-01T09:30:00+01:00.';
      return violation(helpers, 'format', message);
    }
    const earlier = after === undefined ? undefined : siblingOf(helpers, after);
    return earlier instanceof Date && moment <= earlier
      ? violation(helpers, 'range', `Must be after ${after}.`)
      : moment;
  });
  return schemaOf(
    joi,
    { type: 'string', format: 'date-time', ...described(description) },
    described(description, `Years 1 to ${LAST_YEAR}.`),
    (moment) => moment.toISOString(),
  );
}

/** A field of the object that a value is in, as it was parsed before. */
function siblingOf({ state }: Joi.CustomHelpers, name: string): unknown {
  const ancestors: unknown = state.ancestors;
  const objects: readonly unknown[] = Array.isArray(ancestors) ? ancestors : [];
  return isJsonObject(objects[0]) ? objects[0][name] : undefined;
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
  const joi = Joi.string<string>().custom((value: string, helpers) =>
    /^\d{4}-\d{2}-\d{2}$/.test(value) && isDay(value) && !value.startsWith('0000')
      ? value
      : violation(helpers, 'format', 'Must be an existing date, for example 2026-03-01.'),
  );
  return schemaOf(joi, { type: 'string', format: 'date', ...described(description) });
}

function isDay(text: string): boolean {
  const moment = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}
