import type { Violation } from '../../domain/problem.ts';
import { Refusal } from '../../domain/problem.ts';
import { isJsonObject } from './json-schema.ts';
import type { Schema } from './schema.ts';
import { parseWith } from './validate.ts';

/**
 * Parses; where the shape is invalid it also collects the other violations, so that one response lists all of them
 * (contract «Errors»). A Refusal of another kind is thrown as it is, and a valid value is returned.
 */
export async function withOtherViolations<Value>(
  parse: () => Value,
  others: () => Promise<readonly Violation[]>,
): Promise<Value> {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem.kind !== 'invalid') throw error;
    const violations = [...error.problem.violations, ...(await others())];
    throw new Refusal({ ...error.problem, violations });
  }
}

/** The part at a path of a body that may be broken elsewhere; null where it is absent, null or broken itself. */
export function soundPart<Output>(
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

/** Refuses a request for these violations, where there are any. */
export function refuseFor(violations: readonly Violation[]): void {
  if (violations.length > 0) throw new Refusal({ kind: 'invalid', violations });
}
