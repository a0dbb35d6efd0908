import test from 'ava';
import { problemResponse } from '../../../api/http/problem-response.ts';
import { list, object, required } from '../../../api/schema/schema-objects.ts';
import { decimal, text } from '../../../api/schema/schema-values.ts';
import { parseWith } from '../../../api/schema/validate.ts';
import { throwIfInvalid } from '../../../api/schema/checked-body.ts';
import { ProblemError } from '../../../domain/problem.ts';
import type { Violation } from '../../../domain/problem.ts';

const violation = (index: number): Violation => ({
  propertyPath: `items[${index}].name`,
  message: 'This field is required.',
  code: 'required',
});

test('a hundred violations are listed in their order, and the others are counted', (t) => {
  const entries = list(object({ name: required(text()) }), { max: 5_000 });
  const parsed = parseWith(
    entries,
    Array.from({ length: 5_000 }, () => ({})),
  );
  if (parsed.kind === 'valid') return t.fail('nothing was found');
  t.deepEqual([parsed.violations.length, parsed.furtherViolations], [100, 4_900]);
  t.is(parsed.violations.at(-1)?.propertyPath, '[99].name');
});

test('a value that breaks several of its rules is one violation, the first', (t) => {
  const number = object({ weight: required(decimal({ min: 2, max: 5, decimals: 1 })) });
  const parsed = parseWith(number, { weight: 1.25 });
  t.deepEqual(parsed.kind === 'invalid' && parsed.violations.map(({ code }) => code), ['range']);
});

test('422 the answer lists a hundred violations and counts all others, wherever they were found', (t) => {
  const violations = Array.from({ length: 150 }, (_none, index) => violation(index));
  const { body } = problemResponse({ kind: 'invalid', violations, furtherViolations: 1_000 }, 'x');
  t.true(Array.isArray(body['violations']) && body['violations'].length === 100);
  t.is(body['furtherViolations'], 1_050);
  const lines = String(body['detail']).split('\n');
  t.is(lines.length, 101);
  t.is(lines.at(-1), 'Further violations: 1050.');
});

test('422 up to a hundred violations are all listed, and nothing is said of others', (t) => {
  const violations = Array.from({ length: 100 }, (_none, index) => violation(index));
  const { body } = problemResponse({ kind: 'invalid', violations }, 'x');
  t.true(Array.isArray(body['violations']) && body['violations'].length === 100);
  t.false('furtherViolations' in body);
  t.is(String(body['detail']).split('\n').length, 100);
});

test('an error with thousands of violations has a short message', (t) => {
  const violations = Array.from({ length: 5_000 }, (_none, index) => violation(index));
  const refusal = t.throws(() => throwIfInvalid(violations), { instanceOf: ProblemError });
  t.is(refusal.message.split('\n').length, 101);
});
