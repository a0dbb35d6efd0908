import { say } from '../../domain/messages.ts';
import Joi from 'joi';
import type { Schema } from './schema.ts';
import { described, schemaOf, violation } from './schema.ts';
import { isJsonObject } from './json-schema.ts';
import { writeMoment } from './write-moment.ts';

/** Day, hours and minutes; seconds with their decimals; then Z, or an offset's sign and hours, and its minutes. */
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:Z|([+-]\d{2})(?::?(\d{2}))?)$/i;

/** Deadlines are counted from moments, and must still be moments that ISO 8601 writes with four digits. */
const LAST_YEAR = 9998;
const FORMS = 'Seconds may be left out. The offset is Z, +01:00, +0100 or +01.';

/**
 * A moment in ISO 8601 with offset, as people write it too: without seconds, with `+0100` (decision 0024). Days and hours that do
 * not exist are rejected, and what is not after the moment in the field `after` of the same object.
 */
export function dateTime(description?: string, options: { readonly after?: string } = {}): Schema<Date> {
  return momentSchema(readMoment, description, options.after);
}

/** The same in a query string, where a `+` that is not escaped arrives as a space. */
export function dateTimeText(description?: string): Schema<Date> {
  return momentSchema((text) => readMoment(text.replace(/ (?=[\d:]+$)/, '+')), description);
}

function momentSchema(
  read: (text: string) => Date | undefined,
  description?: string,
  after?: string,
): Schema<Date> {
  const joi = Joi.string<Date>().custom((value: string, helpers) => {
    const moment = read(value);
    if (moment === undefined) {
      return violation(helpers, 'format', say('date_time'));
    }
    const earlier = after === undefined ? undefined : siblingOf(helpers, after);
    return earlier instanceof Date && moment <= earlier
      ? violation(helpers, 'range', say('after', { field: after ?? '' }))
      : moment;
  });
  return schemaOf(
    joi,
    { type: 'string', format: 'date-time', ...described(description) },
    described(description, `Years 1 to ${LAST_YEAR}. ${FORMS}`),
    writeMoment,
  );
}

/** A field of the object that a value is in, as it was parsed before. */
function siblingOf({ state }: Joi.CustomHelpers, name: string): unknown {
  const ancestors: unknown = state.ancestors;
  const objects: readonly unknown[] = Array.isArray(ancestors) ? ancestors : [];
  return isJsonObject(objects[0]) ? objects[0][name] : undefined;
}

/** Reads a moment as `dateTime` says; undefined when its form is another or it does not exist. */
export function readMoment(text: string): Date | undefined {
  const match = DATE_TIME.exec(text);
  if (match === null) return undefined;
  const [, day = '', time = '', second = '00', fraction = '0', hours, minutes = '00'] = match;
  if (!isDay(day)) return undefined;
  const offset = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  const moment = new Date(`${day}T${time}:${second}.${fraction}${offset}`);
  const year = moment.getUTCFullYear();
  return Number.isNaN(moment.getTime()) || year < 1 || year > LAST_YEAR ? undefined : moment;
}

/** A calendar day, `YYYY-MM-DD`. */
export function date(description?: string): Schema<string> {
  const joi = Joi.string<string>().custom((value: string, helpers) =>
    /^\d{4}-\d{2}-\d{2}$/.test(value) && isDay(value) && !value.startsWith('0000')
      ? value
      : violation(helpers, 'format', say('date')),
  );
  return schemaOf(joi, { type: 'string', format: 'date', ...described(description) });
}

function isDay(text: string): boolean {
  const moment = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}
