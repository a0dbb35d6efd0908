import { fromWallClock } from '../../shared/zoned-time.ts';

const DAY_MS = 86_400_000;

/** The moments at which a day begins and ends in a zone; undefined for a day that is not said. Both inclusive, ISO 8601. */
export function dayRange(
  from: string,
  to: string,
  timeZone: string,
): { readonly from: string | undefined; readonly to: string | undefined } {
  const dayAfterMs = Date.parse(`${to}T00:00:00Z`) + DAY_MS;
  const dayAfter = Number.isNaN(dayAfterMs) ? '' : new Date(dayAfterMs).toISOString().slice(0, 10);
  const end = fromWallClock(`${dayAfter}T00:00`, timeZone);
  return {
    from: fromWallClock(`${from}T00:00`, timeZone),
    to: end === undefined ? undefined : new Date(Date.parse(end) - 1).toISOString(),
  };
}
