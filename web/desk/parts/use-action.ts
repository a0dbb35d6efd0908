import { useRef, useState } from 'react';
import type { FieldViolation } from '../../shared/problem.ts';
import { RejectedRequest } from '../../shared/problem.ts';
import { serviceText } from '../../shared/service-text.ts';

/** One thing that a person does: what is sent, whether it is under way, and why it was rejected. */
export interface ActionState<Input> {
  readonly run: (input: Input) => Promise<boolean>;
  readonly isPending: boolean;
  /** What it was rejected with last; undefined after a success. */
  readonly error: unknown;
  readonly clear: () => void;
  /** What the service says of a field, in the person's language, by its path in the body: `recipient.address.street`. */
  readonly errorOf: (propertyPath: string) => string | undefined;
  /** Violations of fields that the form does not show. */
  readonly otherViolations: (shown: readonly string[]) => readonly FieldViolation[];
}

/**
 * Sends once at a time: `run` resolves to whether it succeeded and never rejects. A form shows `error` and `errorOf` where they
 * belong, and keeps what was typed.
 */
export function useAction<Input = void>(send: (input: Input) => Promise<unknown>): ActionState<Input> {
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const isRunning = useRef(false);
  const run = async (input: Input): Promise<boolean> => {
    if (isRunning.current) return false;
    isRunning.current = true;
    setIsPending(true);
    try {
      await send(input);
      setError(undefined);
      return true;
    } catch (caught) {
      setError(caught);
      return false;
    } finally {
      isRunning.current = false;
      setIsPending(false);
    }
  };
  const violations = error instanceof RejectedRequest ? (error.problem.violations ?? []) : [];
  const errorOf = (path: string) => {
    const found = violations.find(({ propertyPath }) => propertyPath === path);
    return found && (serviceText(found.messageKey, found.parameters) ?? found.message);
  };
  return {
    run,
    isPending,
    error,
    clear: () => setError(undefined),
    errorOf,
    otherViolations: (shown) => violations.filter(({ propertyPath }) => !shown.includes(propertyPath)),
  };
}
