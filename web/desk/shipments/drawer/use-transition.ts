import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Transition } from '../../../../domain/enumerations.ts';
import type { Schemas } from '../../../shared/client.ts';
import { answer, api } from '../../../shared/client.ts';
import { UnansweredRequest } from '../../../shared/problem.ts';
import type { ActionState } from '../../parts/use-action.ts';
import { useAction } from '../../parts/use-action.ts';
import { useRequestKey } from '../../parts/use-request-key.ts';
import { isCommand, openCommandOf, outcomeOfTask } from './command-outcome.ts';

export type TransitionRequest = Schemas['TransitionRequest'];

export interface TransitionState extends ActionState<TransitionRequest> {
  /** Whether the service has accepted it and not decided yet. */
  readonly isAccepted: boolean;
  /** The transition that was sent last. */
  readonly last: Transition | undefined;
  /** What was sent and got no answer; sent again it has the same key and is never applied twice. */
  readonly lost: TransitionRequest | undefined;
}

/** Applies transitions of a task, one at a time. */
export function useTransition(taskId: string): TransitionState {
  const queries = useQueryClient();
  const withKey = useRequestKey();
  const [isAccepted, setIsAccepted] = useState(false);
  const [last, setLast] = useState<TransitionRequest>();
  const send = async (body: TransitionRequest) => {
    setLast(body);
    const params = { path: { id: taskId } };
    return withKey((key) =>
      answer(
        api.POST('/tasks/{id}/transition', {
          params: { ...params, header: { 'Idempotency-Key': key } },
          body,
        }),
      ),
    );
  };
  const action = useAction(async (asked: TransitionRequest | Schemas['Command']) => {
    try {
      const result = isCommand(asked) ? asked : await send(asked);
      if (!isCommand(result)) return;
      setIsAccepted(true);
      await outcomeOfTask(taskId, result);
    } finally {
      setIsAccepted(false);
      // After a rejection too: what the screen showed was old.
      await queries.invalidateQueries({ queryKey: ['shipments'] });
    }
  });
  const goOn = useEffectEvent(() => {
    const command = openCommandOf(taskId);
    if (command !== undefined) void action.run(command);
  });
  useEffect(() => goOn(), [taskId]);
  return {
    ...action,
    isAccepted,
    last: last?.transition,
    lost: action.error instanceof UnansweredRequest ? last : undefined,
  };
}
