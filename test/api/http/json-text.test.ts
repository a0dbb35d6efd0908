import test from 'ava';
import fc from 'fast-check';
import { readJsonObject } from '../../../api/http/json-text.ts';
import { ProblemError } from '../../../domain/problem.ts';
import type { ProblemKind } from '../../../domain/problem.ts';
import { REQUEST_LIMITS } from '../../../domain/request-limits.ts';

const { bodyDepth, bodyValues } = REQUEST_LIMITS;

/** How a text is refused, or `taken`. */
function verdict(text: string): ProblemKind | 'taken' {
  try {
    readJsonObject(text);
    return 'taken';
  } catch (error) {
    if (error instanceof ProblemError) return error.problem.kind;
    throw error;
  }
}

/** An object whose one array has so many numbers; the object and its array count too. */
function textWith(numbers: number): string {
  return JSON.stringify({ a: Array.from({ length: numbers }, (_none, index) => index) });
}

test('a body with exactly the maximum number of values is accepted', (t) => {
  t.is(verdict(textWith(bodyValues - 1)), 'taken');
  t.is(verdict(textWith(bodyValues)), 'too_large');
  const keys = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_none, index) => [`k${index}`, 1])));
  t.is(verdict(keys(bodyValues)), 'taken');
  t.is(verdict(keys(bodyValues + 1)), 'too_large');
  const empties = (count: number) => `{"a":[${Array.from({ length: count }, () => '{}').join(',')}]}`;
  t.is(verdict(empties(bodyValues / 2 - 1)), 'taken');
  t.is(verdict(empties(bodyValues / 2)), 'too_large');
});

test('values are counted before the text is parsed: broken JSON is rejected for their number', (t) => {
  t.is(verdict(`${textWith(bodyValues)}}}`), 'too_large');
  t.is(verdict(`{"a":[${'1,'.repeat(bodyValues + 1)}`), 'too_large');
});

test('a body of exactly the maximum depth is accepted; a deeper one need not be closed', (t) => {
  const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  t.is(verdict(nested(bodyDepth)), 'taken');
  t.is(verdict(nested(bodyDepth + 1)), 'malformed');
  t.is(verdict(`{"a":${'[{"b":'.repeat(50_000)}`), 'malformed');
});

test('brackets and commas inside strings and keys do not count', (t) => {
  const noise = ',[{'.repeat(bodyValues);
  for (const text of [
    JSON.stringify({ a: noise }),
    JSON.stringify({ [noise]: 1 }),
    JSON.stringify({ a: `"\\${noise}\\\\"`, b: '\\' }),
  ]) {
    t.is(verdict(text), 'taken');
    t.deepEqual(readJsonObject(text), JSON.parse(text));
  }
});

test('every object within the limits is read as JSON.parse reads it', (t) => {
  const small = fc.object({ maxDepth: 4, withNullPrototype: false });
  fc.assert(
    fc.property(small, (value) => {
      const text = JSON.stringify(value);
      if (text.includes('__proto__')) return;
      t.deepEqual(readJsonObject(text), JSON.parse(text));
    }),
    { numRuns: 300, seed: 20_261_122 },
  );
});

test('a key __proto__ is rejected at any depth, and so is a body that is not an object', (t) => {
  for (const text of [
    '{"__proto__":1}',
    String.raw`{"a":[{"b":{"\u005f_proto__":1}}]}`,
    '[]',
    '1',
    '"a"',
    'null',
    '{',
  ]) {
    t.is(verdict(text), 'malformed', text);
  }
  t.is(verdict('{"a":"__proto__"}'), 'taken');
});
