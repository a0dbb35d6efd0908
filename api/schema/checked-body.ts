import { say } from '../../domain/messages.ts';
import type { Violation } from '../../domain/problem.ts';
import { ProblemError } from '../../domain/problem.ts';
import type { Parsed } from './validate.ts';

/** Finds what is wrong with the valid fields of a body and no schema sees, such as unknown references. */
type Check<Body> = (valid: Partial<Body>) => readonly Violation[] | Promise<readonly Violation[]>;

/**
 * The value of a parsed body. Throws one ProblemError with all violations: the schema's first, then those of `check`, which
 * sees the fields that are valid (decision 0006).
 */
export async function checkedBody<Body>(parsed: Parsed<Body>, check: Check<Body>): Promise<Body> {
  if (parsed.kind === 'valid') {
    throwIfInvalid(await check(parsed.value));
    return parsed.value;
  }
  const { violations, furtherViolations = 0, valid } = parsed;
  throw new ProblemError({
    kind: 'invalid',
    violations: [...violations, ...(await check(valid))],
    furtherViolations,
  });
}

/** The violation of a field that names no record of the caller's organization; it does not say what exists elsewhere. */
export function unknownReference(propertyPath: string, what: string): Violation {
  return { propertyPath, ...say('unknown_reference', { record: what }), code: 'reference' };
}

/** Throws a ProblemError with these violations, if there are any. */
export function throwIfInvalid(violations: readonly Violation[]): void {
  if (violations.length > 0) throw new ProblemError({ kind: 'invalid', violations });
}
