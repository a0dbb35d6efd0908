import test from 'ava';
import type { ExecutionContext } from 'ava';

import type { WorkbookProblemKind } from '../../../../spreadsheet/workbook-error.ts';
import { createWorkbookReader } from '../../../../api/shipments/import/workbook.ts';
import { readOrReject } from './reading.ts';

export const MEGABYTE = 1024 * 1024;
/** A hostile file is rejected within seconds, also on a machine that does other work. */
const MOST_MS = 15_000;
const MOST_GROWTH_MB = 200;

/** One reader per test file, as the API has one: what a hostile file leaves behind meets the next one. */
// All tests of the file send theirs at once.
const reader = createWorkbookReader({ waiting: { maxWaitingPerCaller: 200, maxWaiting: 200 } });
test.after.always(() => reader.close());

/** Reads a file and holds it to the limits of time, memory and attention to others. */
async function assertRejected(
  t: ExecutionContext,
  file: Buffer,
  kind: WorkbookProblemKind | readonly WorkbookProblemKind[],
  message: RegExp,
): Promise<void> {
  const before = process.memoryUsage().rss;
  let highest = before;
  let turns = 0;
  const watch = setInterval(() => {
    turns += 1;
    highest = Math.max(highest, process.memoryUsage().rss);
  }, 10);
  const begin = performance.now();
  const outcome = await readOrReject(reader, file);
  const tookMs = performance.now() - begin;
  clearInterval(watch);
  if (outcome.kind !== 'refused') return t.fail('the file was read');
  t.true([kind].flat().includes(outcome.problem.kind), outcome.problem.kind);
  t.regex(outcome.problem.message, message);
  t.true(tookMs < MOST_MS, `${tookMs} ms`);
  t.true(highest - before < MOST_GROWTH_MB * MEGABYTE, `${(highest - before) / MEGABYTE} MB`);
  t.true(tookMs < 500 || turns > tookMs / 100, `the event loop turned ${turns} times in ${tookMs} ms`);
}

/** The file is refused for one of these reasons, with this message. */
export const rejection = test.macro(
  async (
    t,
    file: () => Buffer,
    kind: WorkbookProblemKind | readonly WorkbookProblemKind[],
    message: RegExp,
  ) => {
    await assertRejected(t, file(), kind, message);
  },
);
