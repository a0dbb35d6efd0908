import { randomUUID } from 'node:crypto';
import test from 'ava';
import { createStartSoon } from '../../../api/commands/start-soon.ts';
import { toId } from '../../../domain/ids.ts';
import { createLogger } from '../../../platform/log.ts';
import type { RunSubject, ShipmentRuns } from '../../../workflows/client/shipment-runs.ts';

/** Runs that stay under way until the test ends them, under a clock and an alarm that the test sets. */
function stage() {
  const started: string[] = [];
  const endings: (() => void)[] = [];
  const alarms: { readonly atMs: number; readonly work: () => void }[] = [];
  let underWay = 0;
  let mostAtOnce = 0;
  let nowMs = 0;
  const runs: Pick<ShipmentRuns, 'start'> = {
    start: async ({ id }) => {
      started.push(id);
      underWay += 1;
      mostAtOnce = Math.max(mostAtOnce, underWay);
      await new Promise<void>((resolve) => endings.push(resolve));
      underWay -= 1;
    },
  };
  const startSoon = createStartSoon(runs, createLogger('test', 'silent'), {
    clock: () => new Date(nowMs),
    later: (work, ms) => alarms.push({ atMs: nowMs + ms, work }),
  });
  return {
    started,
    startSoon,
    mostAtOnce: () => mostAtOnce,
    /** Ends what is under way and lets what follows begin. */
    endAll: async () => {
      for (const end of endings.splice(0)) end();
      await new Promise((resolve) => setImmediate(resolve));
    },
    /** Lets time pass, alarms in their order. */
    pass: (ms: number) => {
      const untilMs = nowMs + ms;
      for (;;) {
        const due = alarms.findIndex(({ atMs }) => atMs <= untilMs);
        const [alarm] = due < 0 ? [] : alarms.splice(due, 1);
        if (alarm === undefined) break;
        nowMs = alarm.atMs;
        alarm.work();
      }
      nowMs = untilMs;
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

test('a start that comes alone is made after fifty milliseconds', (t) => {
  const { startSoon, started, pass } = stage();
  startSoon([subject()]);
  pass(49);
  t.is(started.length, 0);
  pass(1);
  t.is(started.length, 1);
});

test('the starts of a burst wait until it has passed, and are then made sixteen at a time, in order, each once', async (t) => {
  const { startSoon, started, endAll, pass, mostAtOnce } = stage();
  const subjects = Array.from({ length: 100 }, subject);
  for (const each of subjects) startSoon([each]);
  pass(249);
  t.is(started.length, 0);
  pass(1);
  t.is(started.length, 16);
  for (let round = 0; started.length < 100 && round < 100; round += 1) await endAll();
  t.deepEqual(
    started,
    subjects.map(({ id }) => id),
  );
  t.is(mostAtOnce(), 16);
});

test('a burst that does not pass gets its runs after three seconds, one at a time', async (t) => {
  const { startSoon, started, endAll, pass } = stage();
  const come = (count: number) => {
    for (let index = 0; index < count; index += 1) startSoon([subject()]);
  };
  come(30);
  for (let tenth = 0; tenth < 30; tenth += 1) {
    pass(100);
    come(1);
  }
  t.is(started.length, 0);
  pass(100);
  come(1);
  pass(100);
  t.is(started.length, 1);
  await endAll();
  t.is(started.length, 2);
});

test('a start that fails holds up none behind it', async (t) => {
  const started: string[] = [];
  const runs: Pick<ShipmentRuns, 'start'> = {
    start: ({ id }) => {
      started.push(id);
      return Promise.reject(new Error('away'));
    },
  };
  const alarms: (() => void)[] = [];
  let nowMs = 0;
  const startSoon = createStartSoon(runs, createLogger('test', 'silent'), {
    clock: () => new Date(nowMs),
    later: (work) => alarms.push(work),
  });
  for (let index = 0; index < 40; index += 1) startSoon([subject()]);
  nowMs = 1_000;
  for (const alarm of alarms.splice(0)) alarm();
  await new Promise((resolve) => setImmediate(resolve));
  t.is(started.length, 40);
});
