import { randomUUID } from 'node:crypto';
import test from 'ava';
import { execute, selectOne } from '../../store/connection.ts';
import { deleteExpired } from '../../store/expiry.ts';
import type { BudgetCharge, BudgetCount } from '../../store/accounts/request-budgets.ts';
import { countUnits } from '../../store/accounts/request-budgets.ts';
import { useService } from '../harness/use-service.ts';

const service = useService({ withWorkers: false });

async function charge(subject: string, given: Partial<BudgetCharge> = {}): Promise<BudgetCount> {
  const charges = [{ subject, spent: 0, wanted: 0, limit: 10, ...given }];
  const [counted] = await countUnits(service.database, charges, 60);
  if (counted === undefined) throw new Error('nothing was counted');
  return counted;
}

/** Lets time pass for a subject, as the database would see it. */
async function age(subject: string, seconds: number): Promise<void> {
  await execute(
    service.database,
    `update request_budgets set moments = array(select m - make_interval(secs => $2) from unnest(moments) m)
     where subject = $1`,
    [subject, seconds],
  );
}

test('what fits is granted whole, what does not fit is not granted at all and leaves no trace', async (t) => {
  const subject = randomUUID();
  t.like(await charge(subject, { wanted: 6 }), { isGranted: true, used: 6 });
  t.like(await charge(subject, { wanted: 5 }), { isGranted: false, used: 6 });
  t.like(await charge(subject, { wanted: 4 }), { isGranted: true, used: 10 });
  t.like(await charge(subject, { wanted: 1 }), { isGranted: false, used: 10 });
  t.like(await charge(subject), { isGranted: true, used: 10 });
});

test('what was spent counts beyond the limit, and what is given back makes room', async (t) => {
  const subject = randomUUID();
  t.like(await charge(subject, { spent: 12 }), { isGranted: true, used: 12 });
  t.like(await charge(subject, { wanted: 1 }), { isGranted: false, used: 12 });
  t.like(await charge(subject, { spent: -3, wanted: 1 }), { isGranted: true, used: 10 });
});

test('units leave when they are a window old; the answered waits are enough and not too long', async (t) => {
  const subject = randomUUID();
  await charge(subject, { wanted: 2 });
  await age(subject, 20);
  await charge(subject, { wanted: 8 });
  const refused = await charge(subject, { wanted: 5 });
  const within = (value: number | null, wanted: number) => value !== null && Math.abs(value - wanted) < 5;
  t.true(within(refused.oldestInSeconds, 40));
  t.true(within(refused.roomInSeconds, 40));
  t.true(within(refused.fitsInSeconds, 60));
  await age(subject, refused.roomInSeconds ?? 0);
  t.like(await charge(subject, { wanted: 2 }), { isGranted: true, used: 10 });
});

test('charges of many subjects at once in opposite orders are all counted', async (t) => {
  const subjects = Array.from({ length: 400 }, () => randomUUID());
  const charges = subjects.map((subject) => ({ subject, spent: 1, wanted: 0, limit: 10 }));
  await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      countUnits(service.database, index % 2 === 0 ? charges : [...charges].reverse(), 60),
    ),
  );
  const counted = await countUnits(
    service.database,
    charges.map((one) => ({ ...one, spent: 0 })),
    60,
  );
  t.deepEqual(new Set(counted.map(({ used }) => used)), new Set([8]));
});

test('of 30 requests at once for the last 10 units exactly 10 are granted', async (t) => {
  const subject = randomUUID();
  const counts = await Promise.all(Array.from({ length: 30 }, () => charge(subject, { wanted: 1 })));
  t.is(counts.filter(({ isGranted }) => isGranted).length, 10);
});

test('subjects that asked for nothing for an hour are cleared away, others are kept', async (t) => {
  const [idle, busy] = [randomUUID(), randomUUID()];
  await charge(idle, { wanted: 3 });
  await charge(busy, { wanted: 3 });
  await age(idle, 3_700);
  await deleteExpired(service.database);
  const exists = (subject: string) =>
    selectOne(service.database, 'select subject from request_budgets where subject = $1', [subject]);
  t.is(await exists(idle), undefined);
  t.not(await exists(busy), undefined);
});
