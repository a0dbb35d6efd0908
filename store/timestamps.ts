import pg from 'pg';

const driverReader: unknown = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ);
/** `2026-03-01 09:30:00.123456+00`, as sessions in UTC have moments of the years 1000 to 9999. */
const USUAL_START = /^[1-9]\d{3}-/;
const MILLISECONDS_BEGIN = 20;

/**
 * Reads a moment as PostgreSQL writes it, to the millisecond, as the driver does. A board has 40,000 of them: what is read by place
 * costs a fifth of the driver's patterns.
 */
export function readTimestamp(text: string): Date {
  if (!USUAL_START.test(text) || !text.endsWith('+00')) return readByDriver(text);
  const [year, month, day] = [digits(text, 0, 4), digits(text, 5, 2), digits(text, 8, 2)];
  const [hours, minutes, seconds] = [digits(text, 11, 2), digits(text, 14, 2), digits(text, 17, 2)];
  const isWhole = text.length < MILLISECONDS_BEGIN + '1+00'.length;
  const milliseconds = isWhole ? 0 : Number(text.slice(MILLISECONDS_BEGIN, -3).slice(0, 3).padEnd(3, '0'));
  return new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds, milliseconds));
}

const ZERO = '0'.charCodeAt(0);

function digits(text: string, start: number, count: number): number {
  let value = 0;
  for (let place = start; place < start + count; place += 1)
    value = 10 * value + text.charCodeAt(place) - ZERO;
  return value;
}

/** As the driver reads it; what is no moment, as `infinity`, is an invalid one. */
function readByDriver(text: string): Date {
  if (typeof driverReader !== 'function') throw new Error('the driver reads no moments');
  const moment: unknown = Reflect.apply(driverReader, undefined, [text]);
  return moment instanceof Date ? moment : new Date(Number.NaN);
}
