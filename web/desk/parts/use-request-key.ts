import { useRef } from 'react';
import { RejectedRequest } from '../../shared/problem.ts';

/**
 * Sends with an `Idempotency-Key` that stays the same until the answer is known: a repeat after a lost answer gets the first
 * outcome and creates nothing twice.
 */
export function useRequestKey(): <Answer>(send: (key: string) => Promise<Answer>) => Promise<Answer> {
  const key = useRef<string | undefined>(undefined);
  return async (send) => {
    key.current ??= crypto.randomUUID();
    try {
      const answer = await send(key.current);
      key.current = undefined;
      return answer;
    } catch (error) {
      if (error instanceof RejectedRequest && !isUnknown(error)) key.current = undefined;
      throw error;
    }
  };
}

/** Whether the outcome is still open: the service failed, or an earlier request with the key is under way (409 without a status). */
function isUnknown({ status, problem }: RejectedRequest): boolean {
  return status >= 500 || (status === 409 && problem.currentStatus === undefined);
}
