import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import test from 'ava';

import { createWorkbookReader } from '../../../../api/shipments/import/workbook.ts';
import { newId } from '../../../../store/new-id.ts';
import { GOOD_ROWS, textRows, workbook } from './make-package.ts';
import { readOrReject } from './reading.ts';

const good = textRows(GOOD_ROWS);
/** CPU time, and processes with their parents, are read from /proc. */
const onLinux = process.platform === 'linux' ? test.serial : test.serial.skip;

onLinux('an organization whose file took long yields the processors to others', async (t) => {
  const reader = createWorkbookReader({ slowAfterCpuMs: 0 });
  t.teardown(() => reader.close());
  const organization = newId<'organization'>();
  await readOrReject(reader, longWorkbook(), organization);
  t.deepEqual(childPriorities(), [], 'a process that was slowed down ends with its file');
  await readOrReject(reader, workbook({ rows: good }), organization);
  t.deepEqual(childPriorities(), [constants.priority.PRIORITY_LOW]);
});

onLinux('an organization is read like the others when its long file is a while ago', async (t) => {
  const time = { now: new Date('2026-03-12T10:00:00Z') };
  const reader = createWorkbookReader({ slowAfterCpuMs: 500, clock: () => time.now });
  t.teardown(() => reader.close());
  const organization = newId<'organization'>();
  await readOrReject(reader, longWorkbook(), organization);
  time.now = new Date('2026-03-12T10:02:00Z');
  await readOrReject(reader, workbook({ rows: good }), organization);
  await readOrReject(reader, workbook({ rows: good }), organization);
  t.false(childPriorities().includes(constants.priority.PRIORITY_LOW));
});

/** About a second of CPU time. */
function longWorkbook(): Uint8Array {
  return workbook({ rows: good + textRows([GOOD_ROWS[1] ?? []]).repeat(5_000) });
}

/** The priorities of the processes that this one has started. */
function childPriorities(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && parentOf(name) === process.pid)
    .map((pid) => getPriority(Number(pid)));
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
