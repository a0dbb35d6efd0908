import type { Context } from 'koa';
import { describeViolations, ProblemError } from '../../domain/problem.ts';
import { REQUEST_LIMITS } from '../../domain/request-limits.ts';
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

/** Parses parameters. All faults are one 400: a mistyped parameter must not widen a result (interpretation 27). */
export function parseQuery<Query>(schema: Schema<Query>, query: Readonly<Record<string, unknown>>): Query {
  // A checker that copies the parameters would lose this one, and with it an error.
  if (Object.hasOwn(query, '__proto__')) {
    throw malformed('Query parameters: __proto__: Unknown field; remove it.');
  }
  const parsed = parseWith(schema, query);
  if (parsed.kind === 'valid') return parsed.value;
  throw malformed(`Query parameters: ${describeViolations(parsed).replaceAll('\n', ' ')}`);
}

function malformed(detail: string): ProblemError {
  return new ProblemError({ kind: 'malformed', detail });
}
