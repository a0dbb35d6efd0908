import { useEffect, useState } from 'react';
import { serverNowMs } from '../shared/server-clock.ts';

/** The service's time, renewed each `everyMs`; for ages on the screen. Milliseconds since 1970. */
export function useNow(everyMs: number): number {
  const [nowMs, setNowMs] = useState(serverNowMs);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serverNowMs()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}
