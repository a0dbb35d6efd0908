import Joi from 'joi';
import type { Context } from 'koa';
import { say } from '../../domain/messages.ts';
import type { Violation, Violations } from '../../domain/problem.ts';
import { describeViolations, ProblemError } from '../../domain/problem.ts';
import { REQUEST_LIMITS } from '../../domain/request-limits.ts';
import { propertyNames } from '../schema/json-schema.ts';
import type { Schema } from '../schema/schema.ts';
import { described } from '../schema/schema.ts';
import { parseWith } from '../schema/validate.ts';

/**
 * The parameters of a request's query string; one that is given several times is an array. They are counted before they are
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
  const names = propertyNames(schema.json);
  const repeated = names.filter((name) => Array.isArray(query[name]));
  const empty = Object.keys(query).filter(
    (name) => query[name] === '' && names.includes(listNameOf(name, names) ?? name),
  );
  const others = Object.entries(query).filter(([name]) => !repeated.includes(name) && !empty.includes(name));
  const parsed = parseWith(schema, withLists(others, names));
  if (parsed.kind === 'valid' && repeated.length === 0 && empty.length === 0) return parsed.value;
  const found: Violations = parsed.kind === 'valid' ? { violations: [] } : parsed;
  const violations = [
    ...repeated.map((propertyPath): Violation => ({ propertyPath, ...say('once'), code: 'rule' })),
    ...empty.map((propertyPath): Violation => ({
      propertyPath,
      ...say('not_empty_parameter'),
      code: 'blank',
    })),
    ...found.violations,
  ];
  const detail = describeViolations({ ...found, violations }).replaceAll('\n', ' ');
  throw malformed(`Query parameters: ${detail}`);
}

/**
 * A filter that finds what has one of several values: `status=a`, `status[]=a&status[]=b` or `status[0]=a` (decision 0027). OpenAPI
 * shows one value, because generators make one name of `status` and `status[]`.
 */
export function several<Item>(item: Schema<Item>): Schema<readonly Item[]> {
  const { description } = item.json;
  const words = typeof description === 'string' ? description : undefined;
  return {
    joi: Joi.array<readonly Item[]>()
      .items(item.joi)
      .single()
      .custom((values: readonly Item[]) => [...new Set(values)]),
    json: { ...item.json, ...described(words, 'For several values, add [] to the name and repeat it.') },
    shown: item.shown,
    show: (values) => values.map((value) => item.show(value)),
  };
}

/** The parameters with the values of `status[]` and `status[0]` as a list in `status`, where that is one of the names. */
function withLists(
  parameters: readonly (readonly [string, unknown])[],
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  const values = new Map(parameters.filter(([name]) => listNameOf(name, names) === undefined));
  for (const [name, value] of parameters) {
    const list = listNameOf(name, names);
    if (list !== undefined) values.set(list, [values.get(list) ?? [], value].flat());
  }
  // A list of one value is that value, so that each filter takes `[]`.
  return Object.fromEntries(
    [...values].map(([name, value]) => [name, Array.isArray(value) && value.length === 1 ? value[0] : value]),
  );
}

function listNameOf(name: string, names: readonly string[]): string | undefined {
  const list = /^(.+)\[\d*\]$/.exec(name)?.[1];
  return list !== undefined && names.includes(list) ? list : undefined;
}

function malformed(detail: string): ProblemError {
  return new ProblemError({ kind: 'malformed', detail });
}
