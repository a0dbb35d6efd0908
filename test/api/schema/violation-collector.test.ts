import test from 'ava';
import { collectViolations } from '../../../api/schema/violation-collector.ts';
import { problemResponse } from '../../../api/http/problem-response.ts';
import { throwIfInvalid } from '../../../api/schema/checked-body.ts';
import { ProblemError } from '../../../domain/problem.ts';
import type { Violation } from '../../../domain/problem.ts';

const violation = (index: number): Violation => ({
  propertyPath: `items[${index}].name`,
  message: 'This field is required.',
  code: 'required',
});

test('a hundred violations are worded, and the others are counted without a word', (t) => {
  const collector = collectViolations();
  let worded = 0;
  for (let index = 0; index < 5_000; index += 1) {
    collector.add(() => {
      worded += 1;
      return violation(index);
    });
  }
  const { violations, furtherViolations } = collector.found();
  t.is(worded, 100);
  t.deepEqual([violations.length, furtherViolations], [100, 4_900]);
  t.is(violations.at(-1)?.propertyPath, 'items[99].name');
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
