import test from 'ava';
import type { ExecutionContext } from 'ava';
import type { BudgetLedger } from '../../../api/http/budget-ledger.ts';
import { createBudgetLedger } from '../../../api/http/budget-ledger.ts';
import type { BudgetClass, BudgetLine } from '../../../domain/request-budgets.ts';
import { budgetLines } from '../../../domain/request-budgets.ts';
import type { BudgetCharge } from '../../../store/accounts/request-budgets.ts';
import { createSharedCounts } from './shared-counts.ts';

const WHO = { userId: 'user', organizationId: 'organization' };

/** Processes over one store, all by one clock that stands still until it is moved. */
function startProcesses(t: ExecutionContext, processes: number) {
  let nowMs = Date.parse('2026-03-01T08:00:00Z');
  const shared = createSharedCounts(() => nowMs);
  const ledgers = Array.from({ length: processes }, () =>
    createBudgetLedger(shared.count, () => new Date(nowMs)),
  );
  t.teardown(() => Promise.all(ledgers.map((ledger) => ledger.close())));
  const [first] = ledgers;
  if (first === undefined) throw new Error('no process');
  return {
    ...{ shared, ledgers, first },
    wait: (seconds: number) => {
      nowMs += seconds * 1_000;
    },
  };
}

async function takenOf(takings: readonly Promise<{ readonly isTaken: boolean }>[]): Promise<number> {
  return (await Promise.all(takings)).filter(({ isTaken }) => isTaken).length;
}

/** As many requests as are asked for, in turn at every process and all at once. */
function flood(ledgers: readonly BudgetLedger[], lines: readonly BudgetLine[], requests: number) {
  return takenOf(
    Array.from({ length: requests }, async (_, index) => {
      const ledger = ledgers[index % ledgers.length];
      if (ledger === undefined) throw new Error('no process');
      return ledger.take(lines, 1);
    }),
  );
}

for (const processes of [1, 2, 5]) {
  test(`an exact budget is exact across ${processes} processes`, async (t) => {
    const { ledgers } = startProcesses(t, processes);
    t.is(await flood(ledgers, budgetLines('export', WHO, 100), 60), 10);
  });

  test(`a budget is exceeded by at most ${processes} twentieths at ${processes} processes`, async (t) => {
    const { ledgers, wait } = startProcesses(t, processes);
    const lines = budgetLines('list', WHO, 100);
    const [{ limit, unwrittenLimit } = { limit: 0, unwrittenLimit: 0 }] = lines;
    let taken = await flood(ledgers, lines, 2_000);
    await Promise.all(ledgers.map((ledger) => ledger.settle()));
    wait(58);
    taken += await flood(ledgers, lines, 2_000);
    t.true(taken >= limit, String(taken));
    t.true(taken <= limit + processes * unwrittenLimit, String(taken));
  });
}

test('a request below a twentieth waits for no statement; what it took is written behind', async (t) => {
  const { first, ledgers, shared } = startProcesses(t, 2);
  const lines = budgetLines('list', WHO, 100);
  for (let request = 0; request < 30; request += 1) t.true((await first.take(lines, 1)).isTaken);
  t.is(shared.statements(), 0);
  await first.settle();
  t.is(shared.statements(), 1);
  const [, second] = ledgers;
  await second?.take(lines, 100);
  const taking = await second?.take(lines, 1);
  t.deepEqual(
    taking?.states.map(({ remaining }) => remaining),
    [600 - 131, 3_000 - 131],
  );
});

test('an exhausted budget rejects without a statement, and accepts after Retry-After', async (t) => {
  const { first, shared, wait } = startProcesses(t, 1);
  const lines = budgetLines('webhook_test', WHO, 100);
  t.is(await flood([first], lines, 12), 12);
  wait(10);
  const [state] = (await first.take(lines, 1)).states;
  t.deepEqual([state?.remaining, state?.retryAfterSeconds], [0, 50]);
  const asked = shared.statements();
  t.is(await flood([first], lines, 1_000), 0);
  t.is(shared.statements(), asked);
  wait(49);
  t.is(await flood([first], lines, 5), 0);
  wait(1);
  t.true((await first.take(lines, 1)).isTaken);
});

test('a request over the organization’s budget is not charged to its user', async (t) => {
  const { first, ledgers, wait } = startProcesses(t, 2);
  const linesOf = (userId: string) => budgetLines('import', { ...WHO, userId }, 100);
  t.is(await flood([first], linesOf('other'), 6), 6);
  wait(30);
  t.is(await flood([first], linesOf('third'), 6), 6);
  // The second process has to ask, and the user's own budget has room.
  const refused = await ledgers[1]?.take(linesOf('user'), 1);
  t.false(refused?.isTaken);
  t.is(refused?.states[1]?.retryAfterSeconds, 30);
  await Promise.all(ledgers.map((ledger) => ledger.settle()));
  wait(30);
  t.is(await flood([first], linesOf('user'), 6), 6);
});

test('units are taken all or none, and more than a whole budget needs an empty one', async (t) => {
  const { first, wait } = startProcesses(t, 1);
  const lines = budgetLines('command', WHO, 100);
  t.true((await first.take(lines, 500)).isTaken);
  const refused = await first.take(lines, 101);
  t.false(refused.isTaken);
  t.is(refused.states[0]?.retryAfterSeconds, 60);
  t.true((await first.take(lines, 100)).isTaken);
  wait(60);
  t.true((await first.take(lines, 5_000)).isTaken);
});

test('counts that failed to be written are written later; a failing store charges nothing', async (t) => {
  let isAway = true;
  const { shared } = startProcesses(t, 1);
  const count = (charges: readonly BudgetCharge[]) =>
    isAway ? Promise.reject(new Error('away')) : shared.count(charges);
  const nowMs = Date.parse('2026-03-01T08:00:00Z');
  const ledger = createBudgetLedger(count, () => new Date(nowMs));
  t.teardown(() => ledger.close());
  const lines = budgetLines('list', WHO, 100);
  for (let request = 0; request < 20; request += 1) await ledger.take(lines, 1);
  await t.throwsAsync(ledger.settle(), { message: 'away' });
  await t.throwsAsync(ledger.take(lines, 100), { message: 'away' });
  isAway = false;
  await ledger.settle();
  const taking = await createBudgetLedger(shared.count, () => new Date(nowMs)).take(lines, 580);
  t.true(taking.isTaken);
  t.is(taking.states[0]?.remaining, 0);
});

/** What one person asks for in the given second of an hour: class and units. */
type Habit = (second: number) => readonly (readonly [BudgetClass, number])[];

const every =
  (seconds: number, ...asked: readonly (readonly [BudgetClass, number])[]): Habit =>
  (second) =>
    second % seconds === 0 ? asked : [];
const at =
  (moment: number, seconds: number, ...asked: readonly (readonly [BudgetClass, number])[]): Habit =>
  (second) =>
    second >= moment && second < moment + seconds ? asked : [];

/** Two tabs that reload four lists every three seconds, and everything that a busy hour brings. */
const DISPATCHER: readonly Habit[] = [
  ...[0, 1].map((): Habit => every(3, ['list', 1], ['list', 1], ['list', 1], ['list', 1])),
  every(5, ['read', 3]),
  every(12, ['command', 1]),
  every(10, ['search', 2]),
  every(20, ['write', 2]),
  // Thirty transitions within a minute, an approval of 500, labels of 100 shipments one after the other, all at ten past.
  at(600, 30, ['command', 1]),
  at(605, 1, ['command', 500]),
  at(610, 50, ['document', 1], ['document', 1]),
  at(620, 1, ['document', 100], ['export', 1]),
  every(300, ['export', 1], ['import', 1], ['export', 1]),
  every(900, ['session', 2]),
];
/** A phone that reports its place and moves tasks; at ten past it comes back online with 50 transitions. */
const DRIVER: readonly Habit[] = [
  every(5, ['position', 1]),
  every(15, ['list', 1], ['read', 1]),
  every(45, ['command', 1]),
  at(600, 5, ['command', 10]),
];

test('a simulated hour of busy dispatchers and drivers stays within every budget', async (t) => {
  const { ledgers, wait } = startProcesses(t, 2);
  const people = [
    ...['d1', 'd2'].map((userId) => ({ userId, habits: DISPATCHER })),
    // Their phones come back half a minute apart: see decision 0017 for phones that come back together.
    ...Array.from({ length: 20 }, (_, index) => ({ userId: `driver-${index}`, habits: DRIVER })),
  ];
  const refused: string[] = [];
  let asked = 0;
  for (let second = 0; second < 3_600; second += 1) {
    for (const [index, { userId, habits }] of people.entries()) {
      const ownSecond = userId.startsWith('driver') ? second - index * 30 : second;
      for (const [budgetClass, units] of habits.flatMap((habit) => habit(ownSecond))) {
        const lines = budgetLines(budgetClass, { userId, organizationId: 'organization' }, 100);
        const ledger = ledgers[asked % ledgers.length];
        asked += 1;
        const taking = await ledger?.take(lines, units);
        if (taking?.isTaken !== true) refused.push(`${second} s: ${budgetClass} of ${userId}`);
      }
    }
    await Promise.all(ledgers.map((ledger) => ledger.settle()));
    wait(1);
  }
  t.deepEqual(refused, []);
  t.true(asked > 40_000);
});
