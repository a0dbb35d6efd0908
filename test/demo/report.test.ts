import test from 'ava';
import { Report, RULES } from '../../demo/report.ts';

type Rule = keyof typeof RULES;

const rules = Object.keys(RULES).filter((name): name is Rule => name in RULES);

function makeReport(checked: readonly Rule[]) {
  const lines: string[] = [];
  const report = new Report((line) => lines.push(line));
  for (const rule of checked) report.check(rule, 'the answer', [200, 'pending'], [200, 'pending']);
  return { report, lines };
}

test('the summary passes when each rule was checked and nothing differs', (t) => {
  const { report, lines } = makeReport(rules);
  t.true(report.summarize());
  t.false(lines.some((line) => line.includes('✘')));
});

test('one difference is printed with both values and fails the summary', (t) => {
  for (const rule of rules) {
    const { report, lines } = makeReport(rules);
    report.check(rule, 'status of the task', 'failed', 'delivered');
    t.true(lines.at(-1)?.includes('status of the task: expected "delivered", found "failed"'));
    t.false(report.summarize(), rule);
  }
});

test('a rule that was never checked fails the summary', (t) => {
  for (const missing of rules) {
    const { report, lines } = makeReport(rules.filter((rule) => rule !== missing));
    t.false(report.summarize());
    t.is(lines.filter((line) => line.includes('never checked')).length, 1);
  }
});
