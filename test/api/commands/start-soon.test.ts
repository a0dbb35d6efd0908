import { randomUUID } from 'node:crypto';
import test from 'ava';
import { createStartSoon } from '../../../api/commands/start-soon.ts';
import { toId } from '../../../domain/ids.ts';
import { createLogger } from '../../../platform/log.ts';
import type { RunSubject, ShipmentRuns } from '../../../workflows/client/shipment-runs.ts';

/** Runs that stay under way until the test lets them end, under a clock that the test sets. */
function stage() {
  const started: string[] = [];
  const endings: (() => void)[] = [];
  let mostAtOnce = 0;
  let underWay = 0;
  const now = { ms: 0 };
  const runs: Pick<ShipmentRuns, 'start'> = {
    start: async ({ id }) => {
      started.push(id);
      underWay += 1;
      mostAtOnce = Math.max(mostAtOnce, underWay);
      await new Promise<void>((resolve) => endings.push(resolve));
      underWay -= 1;
    },
  };
  const startSoon = createStartSoon(runs, createLogger('test', 'silent'), () => new Date(now.ms));
  return {
    now,
    started,
    startSoon,
    mostAtOnce: () => mostAtOnce,
    /** Ends what is under way and lets what follows begin. */
    endAll: async () => {
      for (const end of endings.splice(0)) end();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function subject(): RunSubject {
  return {
    id: toId<'shipment'>(randomUUID()),
    organizationId: toId<'organization'>(randomUUID()),
    trackingNumber: 'ATL-20260301-AAAAAA',
    priority: 'normal',
  };
}

test('a few starts are all under way at once', (t) => {
  const { startSoon, started } = stage();
  for (let index = 0; index < 16; index += 1) startSoon(subject());
  t.is(started.length, 16);
});

test('every start of a burst is made once, in the order of the answers', async (t) => {
  const { startSoon, started, endAll } = stage();
  const subjects = Array.from({ length: 100 }, subject);
  for (const each of subjects) startSoon(each);
  for (let round = 0; started.length < 100 && round < 100; round += 1) await endAll();
  t.deepEqual(
    started,
    subjects.map(({ id }) => id),
  );
});

test('while a burst comes in two starts at most follow each other, and sixteen once it has passed', async (t) => {
  const { startSoon, started, endAll, now } = stage();
  for (let index = 0; index < 100; index += 1) startSoon(subject());
  t.is(started.length, 16);
  await endAll();
  t.is(started.length, 18);
  now.ms = 150;
  startSoon(subject());
  await endAll();
  t.is(started.length, 20);
  now.ms = 351;
  await endAll();
  t.is(started.length, 36);
});

test('no more than sixteen are under way at any moment', async (t) => {
  const { startSoon, started, endAll, mostAtOnce, now } = stage();
  for (let index = 0; index < 60; index += 1) startSoon(subject());
  now.ms = 1_000;
  for (let round = 0; started.length < 60 && round < 60; round += 1) await endAll();
  t.is(started.length, 60);
  t.is(mostAtOnce(), 16);
});

test('a start that fails holds up none behind it', async (t) => {
  const started: string[] = [];
  const runs: Pick<ShipmentRuns, 'start'> = {
    start: ({ id }) => {
      started.push(id);
      return Promise.reject(new Error('away'));
    },
  };
  const startSoon = createStartSoon(runs, createLogger('test', 'silent'), () => new Date(0));
  for (let index = 0; index < 40; index += 1) startSoon(subject());
  await new Promise((resolve) => setImmediate(resolve));
  t.is(started.length, 40);
});
