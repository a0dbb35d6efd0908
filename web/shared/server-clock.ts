/** How far the service's clock is ahead of this computer's, in milliseconds; learned from the Date header of its answers. */
let aheadMs = 0;

/** Learns the service's time from an answer. A Date header has whole seconds: only a larger difference counts. */
export function learnServerTime(response: Response): void {
  const date = Date.parse(response.headers.get('date') ?? '');
  if (Number.isNaN(date)) return;
  const differenceMs = date + 500 - Date.now();
  if (Math.abs(differenceMs - aheadMs) > 1_500) aheadMs = differenceMs;
}

/** The service's time: a computer's clock may be wrong by a day. Milliseconds since 1970. */
export function serverNowMs(): number {
  return Date.now() + aheadMs;
}

export function serverNow(): Date {
  return new Date(serverNowMs());
}

/** A moment of this computer's clock, as the service's clock has it. Milliseconds since 1970. */
export function toServerMs(ownMs: number): number {
  return ownMs + aheadMs;
}
