import type { Violation } from '../../domain/problem.ts';
import { ProblemError } from '../../domain/problem.ts';
import { isJsonObject } from './json-schema.ts';
import type { Schema } from './schema.ts';
import { parseWith } from './validate.ts';

/**
 * Parses, and where the shape is broken asks for what else is wrong too, so that all violations come at once (contract
 * «Errors»). An error of another kind, and a valid value, pass unchanged.
 */
export async function withLookupViolations<Value>(
  parse: () => Value,
  lookUp: () => Promise<readonly Violation[]>,
): Promise<Value> {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.kind !== 'invalid') throw error;
    const violations = [...error.problem.violations, ...(await lookUp())];
    throw new ProblemError({ ...error.problem, violations });
  }
}

/** The part at a path of a body, which may be invalid elsewhere; null when it is absent, null or invalid. */
export function validPart<Output>(
  schema: Schema<Output>,
  body: unknown,
  ...path: readonly string[]
): Output | null {
  const parsed = parseWith(schema, path.reduce(propertyOf, body));
  return parsed.kind === 'valid' ? parsed.value : null;
}

function propertyOf(value: unknown, name: string): unknown {
  if (!isJsonObject(value)) return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Throws a ProblemError with these violations, if there are any. */
export function throwIfInvalid(violations: readonly Violation[]): void {
  if (violations.length > 0) throw new ProblemError({ kind: 'invalid', violations });
}
