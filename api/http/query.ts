import type { Context } from 'koa';
import type { Violation } from '../../domain/problem.ts';
import { describeViolations, ProblemError } from '../../domain/problem.ts';
import { REQUEST_LIMITS } from '../../domain/request-limits.ts';
import { propertiesOf } from '../schema/json-schema.ts';
import type { Schema } from '../schema/schema.ts';
import { parseWith } from '../schema/validate.ts';

/**
 * The parameters of a request's query string; one that is given several times is a list. They are counted before they are
 * parsed. Throws a 400 ProblemError where they are too many or too long.
 */
export function readQuery(context: Context): Readonly<Record<string, unknown>> {
  const { querystring } = context;
  const { queryCharacters, queryParameters } = REQUEST_LIMITS;
  if (querystring.length > queryCharacters) {
    throw malformed(`The query string has more than ${queryCharacters} characters.`);
  }
  if (querystring.split('&').length > queryParameters) {
    throw malformed(`The query string has more than ${queryParameters} parameters.`);
  }
  return { ...context.query };
}

/**
 * Parses parameters. All faults are one 400: a mistyped parameter must not widen a result (interpretation 27), and neither must an
 * empty one, which in a body counts as absent.
 */
export function parseQuery<Query>(schema: Schema<Query>, query: Readonly<Record<string, unknown>>): Query {
  // A checker that copies the parameters would lose this one, and with it an error.
  if (Object.hasOwn(query, '__proto__')) {
    throw malformed('Query parameters: __proto__: Unknown field; remove it.');
  }
  const empty = emptyParameters(schema, query);
  const parsed = parseWith(schema, empty.length === 0 ? query : without(query, empty));
  if (parsed.kind === 'valid' && empty.length === 0) return parsed.value;
  const found = parsed.kind === 'valid' ? { violations: [] } : parsed;
  const violations = [...empty.map(emptyViolation), ...found.violations];
  throw malformed(`Query parameters: ${describeViolations({ ...found, violations }).replaceAll('\n', ' ')}`);
}

/** The known parameters that are given without a value. */
function emptyParameters(
  schema: Schema<unknown>,
  query: Readonly<Record<string, unknown>>,
): readonly string[] {
  const names = Object.keys(query).filter((name) => query[name] === '');
  return names.length === 0 ? [] : names.filter((name) => Object.hasOwn(propertiesOf(schema.json), name));
}

function without(
  query: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name)));
}

function emptyViolation(propertyPath: string): Violation {
  return { propertyPath, message: 'Must not be empty; leave it out.', code: 'blank' };
}

function malformed(detail: string): ProblemError {
  return new ProblemError({ kind: 'malformed', detail });
}
