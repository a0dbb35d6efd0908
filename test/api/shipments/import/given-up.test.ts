import { readFileSync } from 'node:fs';

import test from 'ava';

import { createWorkbookReader } from '../../../../api/shipments/import/workbook.ts';
import type { OrganizationId } from '../../../../domain/ids.ts';
import { ProblemError } from '../../../../domain/problem.ts';
import { newId } from '../../../../store/new-id.ts';
import { GOOD_ROWS, textRows, workbook } from './make-package.ts';
import { readOrReject } from './reading.ts';

const reader = createWorkbookReader();
test.after.always(() => reader.close());

const good = textRows(GOOD_ROWS);
const kept = (name: string): Buffer => readFileSync(new URL(`./workbooks/${name}`, import.meta.url));

test.serial('a file truncated at any place is rejected', async (t) => {
  const file = kept('openpyxl.xlsx');
  for (let length = 4; length < file.length; length += 397) {
    const outcome = await readOrReject(reader, file.subarray(0, length));
    t.is(outcome.kind, 'refused', `${length} bytes`);
  }
});

test.serial('a file with any byte changed is read or rejected, never an error', async (t) => {
  const file = kept('xlsxwriter.xlsx');
  for (let at = 4; at < file.length; at += 61) {
    const changed = Buffer.from(file);
    changed[at] = (changed[at] ?? 0) ^ 0x55;
    const outcome = await readOrReject(reader, changed);
    t.true(['read', 'refused'].includes(outcome.kind), `byte ${at}`);
  }
});

test.serial('a file that takes too long is rejected', async (t) => {
  const hasty = createWorkbookReader({ wallClockMs: 1 });
  t.teardown(() => hasty.close());
  const outcome = await readOrReject(hasty, workbook({ rows: good }));
  t.like(outcome, { kind: 'refused', problem: { kind: 'too_large' } });
});

test.serial('a file that needs more memory than allowed is given up', async (t) => {
  const narrow = createWorkbookReader({ heapMb: 32 });
  t.teardown(() => narrow.close());
  const names = Array.from(
    { length: 200_000 },
    (_, index) => `<si><t>${index}${'x'.repeat(60)}</t></si>`,
  ).join('');
  const outcome = await readOrReject(narrow, workbook({ rows: good, sharedStrings: names }));
  t.like(outcome, { kind: 'refused', problem: { kind: 'too_large' } });
});

test.serial('a file that needs more CPU time than allowed is given up', async (t) => {
  const hasty = createWorkbookReader({ cpuMs: 100 });
  t.teardown(() => hasty.close());
  const rows = good + textRows([GOOD_ROWS[1] ?? []]).repeat(9_000);
  const outcome = await readOrReject(hasty, workbook({ rows }));
  t.like(outcome, { kind: 'refused', problem: { kind: 'too_large' } });
});

test.serial('a file of one organization is read while another’s is in hand', async (t) => {
  const pair = createWorkbookReader({ cpuMs: 600_000 });
  t.teardown(() => pair.close());
  const long = workbook({ rows: good + textRows([GOOD_ROWS[1] ?? []]).repeat(9_000) });
  const ended: string[] = [];
  const read = (name: string, file: Uint8Array, id: OrganizationId) =>
    readOrReject(pair, file, id).then(() => ended.push(name));
  const [large, small] = [newId<'organization'>(), newId<'organization'>()];
  await Promise.all([
    read('long', long, large),
    read('own', workbook({ rows: good }), large),
    read('other', workbook({ rows: good }), small),
  ]);
  t.deepEqual(ended, ['other', 'long', 'own']);
});

test.serial('a file that comes while too many wait is rejected as unavailable', async (t) => {
  const narrow = createWorkbookReader({ waiting: { maxWaitingPerCaller: 1, maxWaiting: 16 } });
  t.teardown(() => narrow.close());
  const file = workbook({ rows: good });
  const reading = [readOrReject(narrow, file), readOrReject(narrow, file)];
  const refused = await t.throwsAsync(readOrReject(narrow, file), { instanceOf: ProblemError });
  t.like(refused.problem, { kind: 'unavailable', retryAfterSeconds: 10 });
  for (const outcome of await Promise.all(reading)) t.is(outcome.kind, 'read');
});

test.serial('a good file is read after a hostile one', async (t) => {
  await readOrReject(reader, workbook({ rows: '<row/>'.repeat(100_000) }));
  const outcome = await readOrReject(reader, workbook({ rows: good }));
  t.is(outcome.kind, 'read');
});

test.serial(
  'files that come at the same time are read one after the other, each with its own rows',
  async (t) => {
    const files = [1, 2, 3].map((count) =>
      workbook({ rows: good + textRows([GOOD_ROWS[1] ?? []]).repeat(count) }),
    );
    const outcomes = await Promise.all(files.map((file) => readOrReject(reader, file)));
    t.deepEqual(
      outcomes.map((outcome) => (outcome.kind === 'read' ? outcome.good : outcome.problem)),
      [2, 3, 4],
    );
  },
);
