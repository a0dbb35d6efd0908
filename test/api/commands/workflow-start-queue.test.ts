import test from 'ava';
import { pino } from 'pino';
import { createWorkflowStartQueue } from '../../../api/commands/workflow-start-queue.ts';
import type { OrganizationId } from '../../../domain/ids.ts';
import { newId } from '../../../store/new-id.ts';
import type { WorkflowSubject } from '../../../domain/shipment.ts';

/** A queue whose starts stay in flight until the test ends or fails them. */
function openQueue(
  limits: { readonly concurrency: number; readonly capacity: number },
  areCommandsActive: () => boolean = () => false,
) {
  const started: WorkflowSubject[] = [];
  const inFlight: { readonly resolve: () => void; readonly reject: (reason: Error) => void }[] = [];
  const logged: unknown[] = [];
  const pausesMs: number[] = [];
  let nowMs = 0;
  let mostInFlight = 0;
  const log = pino({}, { write: (line: string) => logged.push(JSON.parse(line)) });
  const queue = createWorkflowStartQueue(
    (subject) => {
      started.push(subject);
      return new Promise<void>((resolve, reject) => {
        inFlight.push({ resolve, reject });
        mostInFlight = Math.max(mostInFlight, inFlight.length);
      });
    },
    log,
    areCommandsActive,
    { ...limits, perOrganizationWhileActive: 1 },
    {
      nowMs: () => nowMs,
      pause: (durationMs) => {
        pausesMs.push(durationMs);
        return Promise.resolve();
      },
    },
  );
  return {
    enqueue: queue.enqueue,
    started,
    logged,
    pausesMs,
    passMs: (durationMs: number) => {
      nowMs += durationMs;
    },
    mostInFlight: () => mostInFlight,
    finishOne: async () => {
      inFlight.shift()?.resolve();
      await settled();
    },
    failOne: async (reason: Error) => {
      inFlight.shift()?.reject(reason);
      await settled();
    },
    finishAll: async () => {
      while (inFlight.length > 0) {
        inFlight.shift()?.resolve();
        await settled();
      }
    },
  };
}

/** Lets what a settled promise leads to happen. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function subjects(
  count: number,
  organizationId: OrganizationId = newId<'organization'>(),
): WorkflowSubject[] {
  return Array.from({ length: count }, () => ({
    id: newId<'shipment'>(),
    organizationId,
    trackingNumber: 'ATL-20260301-AAAAAA',
    priority: 'normal',
  }));
}

/** Which of these were started, in the order of the starts. */
function startedOf(
  { started }: Pick<ReturnType<typeof openQueue>, 'started'>,
  of: readonly WorkflowSubject[],
) {
  return started.filter((subject) => of.includes(subject));
}

test('a start is made before enqueue returns', (t) => {
  const queue = openQueue({ concurrency: 2, capacity: 10 });
  const only = subjects(1);
  queue.enqueue(only);
  t.deepEqual(queue.started, only);
});

test('starts of a continuous stream are made while it lasts', async (t) => {
  const queue = openQueue({ concurrency: 2, capacity: 100 });
  for (let index = 0; index < 50; index += 1) {
    queue.enqueue(subjects(1));
    if (index >= 2) await queue.finishOne();
  }
  t.is(queue.started.length, 50);
});

test('starts of an organization are in order, each once, and within the limit in flight', async (t) => {
  const queue = openQueue({ concurrency: 3, capacity: 100 });
  const all = subjects(50);
  queue.enqueue(all);
  t.is(queue.started.length, 3);
  await queue.finishAll();
  t.deepEqual(queue.started, all);
  t.is(queue.mostInFlight(), 3);
});

test('5,000 waiting starts of an organization delay another’s by one start at most', async (t) => {
  const queue = openQueue({ concurrency: 2, capacity: 10_000 });
  queue.enqueue(subjects(5_000));
  const other = subjects(3);
  queue.enqueue(other);
  await queue.finishOne();
  await queue.finishOne();
  t.is(startedOf(queue, other).length, 1);
  for (let turn = 0; turn < 4; turn += 1) await queue.finishOne();
  t.deepEqual(startedOf(queue, other), other);
});

test('three organizations take turns', async (t) => {
  const queue = openQueue({ concurrency: 1, capacity: 100 });
  const [first, second, third] = [subjects(3), subjects(3), subjects(3)];
  queue.enqueue([...first, ...second, ...third]);
  await queue.finishAll();
  t.deepEqual(
    queue.started,
    [0, 1, 2].flatMap((turn) => [first, second, third].flatMap((own) => own[turn] ?? [])),
  );
});

test('while commands are accepted an organization rests after a start for as long as it took', async (t) => {
  const activity = { isActive: true };
  const queue = openQueue({ concurrency: 2, capacity: 100 }, () => activity.isActive);
  queue.enqueue(subjects(3));
  queue.passMs(40);
  await queue.finishOne();
  t.deepEqual(queue.pausesMs, [40]);
  t.is(queue.started.length, 2);
  activity.isActive = false;
  await queue.finishOne();
  t.deepEqual(queue.pausesMs, [40]);
});

test('while commands are accepted each organization has one start in flight', async (t) => {
  let areCommandsActive = true;
  const queue = openQueue({ concurrency: 4, capacity: 100 }, () => areCommandsActive);
  const [large, small] = [subjects(6), subjects(1)];
  queue.enqueue(large);
  queue.enqueue(small);
  t.deepEqual(queue.started, [large[0], small[0]]);
  await queue.finishOne();
  t.deepEqual(queue.started, [large[0], small[0], large[1]]);
  areCommandsActive = false;
  await queue.finishOne();
  t.deepEqual(queue.started.slice(3), large.slice(2, 5));
  await queue.finishAll();
  t.is(queue.started.length, 7);
});

test('starts beyond the capacity are left to the reconciler, the newest of the longest first', async (t) => {
  const queue = openQueue({ concurrency: 1, capacity: 10 });
  const large = subjects(20);
  const small = subjects(4);
  queue.enqueue(large);
  queue.enqueue(small);
  await queue.finishAll();
  t.deepEqual(startedOf(queue, large), large.slice(0, 7));
  t.deepEqual(startedOf(queue, small), small);
  t.like(queue.logged[0], {
    dropped: 9,
    msg: 'workflow start queue full; the reconciler will start the rest',
  });
  t.like(queue.logged[1], { dropped: 4 });
});

test('after an overflow the queue accepts starts again', async (t) => {
  const queue = openQueue({ concurrency: 1, capacity: 2 });
  queue.enqueue(subjects(9));
  await queue.finishAll();
  const later = subjects(3);
  queue.enqueue(later);
  await queue.finishAll();
  t.deepEqual(queue.started.slice(-3), later);
});

test('a failed start is logged and the next one is made', async (t) => {
  const queue = openQueue({ concurrency: 1, capacity: 10 });
  const both = subjects(2);
  queue.enqueue(both);
  await queue.failOne(new TypeError('unreachable'));
  t.deepEqual(queue.started, both);
  t.like(queue.logged[0], {
    shipmentId: both[0]?.id,
    reason: 'TypeError',
    msg: 'Temporal unreachable; the reconciler will retry',
  });
});
