import { monitorEventLoopDelay } from 'node:perf_hooks';
import test from 'ava';
import { createDocumentRenderer } from '../../documents/document-renderer.ts';
import type { DocumentRenderer } from '../../documents/document-renderer.ts';
import { renderDeliveryNotes } from '../../documents/render-delivery-notes.ts';
import { renderLabels } from '../../documents/render-labels.ts';
import { ProblemError } from '../../domain/problem.ts';
import { newId } from '../../store/new-id.ts';
import { CREATED_AT, sampleLabel, sampleNote } from './document-samples.ts';

const SHOP = newId<'organization'>();
const OTHER_SHOP = newId<'organization'>();
const A6 = { layout: 'a6', createdAt: CREATED_AT } as const;
const FRENCH = { locale: 'fr', createdAt: CREATED_AT } as const;

let documents: DocumentRenderer;
test.before(() => {
  // A busy machine must not make a PDF too large: its time limit has a test of its own.
  documents = createDocumentRenderer({ wallClockMs: 3_600_000 });
});
test.after.always(() => documents.close());

const manyLabels = (count: number) =>
  Array.from({ length: count }, (_, index) => sampleLabel({ trackingNumber: `ACM-20261120-${index}` }));

function kindOf(error: unknown): string {
  return error instanceof ProblemError ? error.problem.kind : String(error);
}

test('a PDF made in the other process has the bytes of one made in this', async (t) => {
  const labels = manyLabels(3);
  const rendered = await documents.labels(SHOP, labels, A6);
  t.true(Buffer.from(await renderLabels(labels, A6)).equals(rendered));
  const note = await documents.deliveryNotes(SHOP, [sampleNote()], FRENCH);
  t.true(Buffer.from(await renderDeliveryNotes([sampleNote()], FRENCH)).equals(note));
});

test('one label is not kept waiting by two hundred', async (t) => {
  // Its own processes: labels of the tests beside it would be waited for too.
  const own = createDocumentRenderer({ wallClockMs: 3_600_000 });
  t.teardown(() => own.close());
  const finished: string[] = [];
  await own.labels(SHOP, [sampleLabel()], A6);
  await Promise.all([
    own.labels(SHOP, manyLabels(200), A6).then(() => finished.push('bulk')),
    own.labels(SHOP, [sampleLabel()], A6).then(() => finished.push('single')),
  ]);
  t.deepEqual(finished, ['single', 'bulk']);
});

test('the event loop is not blocked while two hundred labels are made', async (t) => {
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  const { length } = await documents.labels(SHOP, manyLabels(60), A6);
  delays.disable();
  t.true(length > 150_000);
  // They take seconds; half of the delays say nothing about other work of this machine.
  t.true(delays.percentile(50) / 1e6 < 50);
});

test('a request while too many wait is rejected as unavailable', async (t) => {
  const narrow = createDocumentRenderer({
    waitingSingles: { maxWaitingPerCaller: 0, maxWaiting: 0 },
  });
  t.teardown(() => narrow.close());
  const inHand = narrow.labels(SHOP, [sampleLabel()], A6);
  t.is(kindOf(await t.throwsAsync(narrow.labels(SHOP, [sampleLabel()], A6))), 'unavailable');
  t.true((await inHand).length > 10_000);
});

test('organizations take turns: one PDF is not kept waiting by ten of another organization', async (t) => {
  const finished: string[] = [];
  const ten = Array.from({ length: 10 }, () =>
    documents.labels(OTHER_SHOP, [sampleLabel()], A6).then(() => finished.push('other')),
  );
  const own = documents.labels(SHOP, [sampleLabel()], A6).then(() => finished.push('own'));
  await Promise.all([...ten, own]);
  t.true(finished.indexOf('own') <= 2, finished.join(' '));
});

test('a PDF that takes too long is rejected, each time', async (t) => {
  const hasty = createDocumentRenderer({ wallClockMs: 1 });
  t.teardown(() => hasty.close());
  t.is(kindOf(await t.throwsAsync(hasty.labels(SHOP, manyLabels(200), A6))), 'too_large');
  t.is(kindOf(await t.throwsAsync(hasty.labels(SHOP, manyLabels(200), A6))), 'too_large');
});

test('a PDF that cannot be made says why, and the next is made', async (t) => {
  await t.throwsAsync(documents.labels(SHOP, [sampleLabel({ trackingNumber: 'لا' })], A6), {
    message: /RangeError: The tracking number .* has a letter that Code 128 has not/,
  });
  t.true((await documents.labels(SHOP, [sampleLabel()], A6)).length > 10_000);
});
