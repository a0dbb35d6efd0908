import { randomBytes } from 'node:crypto';
import { TRACKING_SUFFIX_LENGTH, trackingNumber } from '../../domain/tracking-number.ts';
import type { Executor } from '../connection.ts';
import { select } from '../connection.ts';
import { prepared } from '../prepared.ts';

/** The parts of a tracking number that are not random. */
export interface TrackingSeries {
  readonly prefix: string;
  /** `YYYY-MM-DD` in the organization's timezone, by the database's clock. */
  readonly localDate: string;
}

/** The series of a row of organizations. */
export const TRACKING_SERIES_COLUMNS = `tracking_prefix as prefix,
  to_char(clock_timestamp() at time zone timezone, 'YYYY-MM-DD') as "localDate"`;

/** After so many numbers that chance has made before, something else is wrong. */
export const MAX_COLLISIONS = 20;

/** Makes a number of a series by chance; it may have been made before. */
export function generateTrackingNumber({ prefix, localDate }: TrackingSeries): string {
  return trackingNumber(prefix, localDate, randomBytes(TRACKING_SUFFIX_LENGTH));
}

/**
 * Mints and reserves unique tracking numbers inside the caller's transaction (interpretation 24). Numbers that
 * chance has made before are made again; throws only when chance fails twenty times in a row.
 */
export async function reserveTrackingNumbers(
  transaction: Executor,
  series: TrackingSeries,
  count: number,
): Promise<string[]> {
  const reserved: string[] = [];
  for (let round = 0; reserved.length < count; round += 1) {
    if (round === MAX_COLLISIONS) throw new Error('no free tracking numbers were found');
    const candidates = Array.from({ length: count - reserved.length }, () => generateTrackingNumber(series));
    const rows = await select<{ number: string }>(
      transaction,
      prepared(`insert into tracking_numbers (tracking_number)
       select distinct unnest($1::text[]) on conflict do nothing returning tracking_number as number`),
      [candidates],
    );
    reserved.push(...rows.map(({ number }) => number));
  }
  return reserved;
}
