import { useEffect, useState } from 'react';

/** This computer's time, renewed each `everyMs`; for ages on the screen. Milliseconds since 1970. */
export function useNow(everyMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}
