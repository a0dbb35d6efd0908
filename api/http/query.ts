import type { Context } from 'koa';
import { ProblemError } from '../../domain/problem.ts';
import { REQUEST_LIMITS } from '../../domain/request-limits.ts';

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

function malformed(detail: string): ProblemError {
  return new ProblemError({ kind: 'malformed', detail });
}
