import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { TaskType } from '../../domain/enumerations.ts';
import { FAILURE_REASONS, SHIPMENT_STATUSES, TASK_STATUSES, TASK_TYPES } from '../../domain/enumerations.ts';
import { isTerminalShipment, statusAfter } from '../../domain/shipment-status.ts';
import type { Transition, TransitionRule } from '../../domain/task.ts';
import { ruleFor, TRANSITIONS } from '../../domain/task.ts';

const docsFolder = join(import.meta.dirname, '..', '..', 'docs');
const page = readFileSync(join(docsFolder, 'api.md'), 'utf8');

/** The cells of the table whose first heading is this, row by row, without its headings. */
function tableOf(firstHeading: string): readonly (readonly string[])[] {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => new RegExp(`^\\| ${firstHeading} +\\|`).test(line)) + 2;
  const end = lines.findIndex((line, index) => index >= start && !line.startsWith('|'));
  return lines.slice(start, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const code = (word: string): string => `\`${word}\``;

test('the page has every status of a shipment, and says which are final', (t) => {
  t.deepEqual(
    tableOf('Shipment').map(([status, , final]) => [status, final]),
    [
      [code('processing'), ''],
      ...SHIPMENT_STATUSES.map((status) => [code(status), isTerminalShipment(status) ? 'yes' : '']),
    ],
  );
});

test('the page has every status of a task and every reason of a failure', (t) => {
  t.deepEqual(
    tableOf('Task').map(([status]) => status),
    TASK_STATUSES.map(code),
  );
  const [, reasons = ''] = /A `reason` is one of: ([^.]+)\./.exec(page) ?? [];
  t.deepEqual([...reasons.matchAll(/`\w+`/g)].map(String), FAILURE_REASONS.map(code));
});

const CONSEQUENCES = {
  release_successors: 'Releases.',
  lose_driver: 'Loses its driver.',
  start_over: 'Starts over.',
} as const;
const REQUIREMENTS = { driver: 'driver', reason: 'reason' } as const;

/** What the shipment becomes, in words: the rule is asked with and without a task before the moved one. */
function shipmentAfter({ shipment, moves }: TransitionRule, to: string): string {
  const [taskStatus = 'pending'] = Object.values(moves).filter((status) => status === to);
  // No rule leads to it, so that it can only come out where the status is left as it is.
  const shipmentStatus = 'pending_approval';
  const after = (hasPredecessor: boolean) =>
    statusAfter(shipment, { shipmentStatus, taskStatus, hasPredecessor });
  const [alone, following] = [after(false), after(true)] as const;
  if (following === shipmentStatus) return 'unchanged';
  return following === alone ? code(alone) : `${code(following)}; ${code(alone)} without a task before`;
}

function rowsOf(type: TaskType, transition: Transition): readonly (readonly string[])[] {
  const rule = ruleFor(type, transition);
  if (rule === undefined) return [];
  return [...new Set(Object.values(rule.moves))].map((to) => [
    type,
    code(transition),
    TASK_STATUSES.filter((from) => rule.moves[from] === to)
      .map(code)
      .join(', '),
    code(to),
    shipmentAfter(rule, to),
    rule.requires === undefined ? '' : code(REQUIREMENTS[rule.requires]),
    rule.consequence === undefined ? '' : CONSEQUENCES[rule.consequence],
  ]);
}

test('the page has every transition of the table that decides, and no other', (t) => {
  const expected = TASK_TYPES.flatMap((type) =>
    TRANSITIONS.flatMap((transition) => rowsOf(type, transition)),
  );
  t.deepEqual(tableOf('Of a'), expected);
  t.true(expected.length > 20);
});

test('every call that the page names for a signature stands in the program of its row', (t) => {
  const rows = [
    ...page.matchAll(/^\| \[\w+\]\(examples\/([\w.]+)\)[^|]*\| +`([^|]+)` +\| +`([^|]+)` +\|$/gm),
  ];
  t.is(rows.length, 5);
  for (const [, file = '', ...calls] of rows) {
    const program = readFileSync(join(docsFolder, 'examples', file), 'utf8');
    for (const call of calls) t.true(program.includes(call), `${file}: ${call}`);
  }
});
