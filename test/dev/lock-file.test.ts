import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { isSameProcess, startTimeOf, takeLock } from '../../dev/lock-file.mjs';

test('the lock of a killed process is taken over', async (t) => {
  const path = await newLockPath(t);
  const holder = await holdInAnotherProcess(path);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  t.true(existsSync(path));
  const release = await takeLock(path, { onWait: () => t.fail('there is nobody to wait for') });
  release();
  t.false(existsSync(path));
});

test('the lock of a living process is waited for, and its holder is named', async (t) => {
  const path = await newLockPath(t);
  const holder = await holdInAnotherProcess(path);
  const waitedFor: number[] = [];
  const release = await takeLock(path, {
    pollMs: 10,
    onWait: (pid) => {
      waitedFor.push(pid);
      holder.kill('SIGKILL');
    },
  });
  release();
  t.deepEqual(waitedFor, [holder.pid]);
});

test('two takers in one process get the lock one after the other', async (t) => {
  const path = await newLockPath(t);
  const order: string[] = [];
  const first = await takeLock(path);
  const second = takeLock(path, { pollMs: 10 }).then((release) => {
    order.push('second has it');
    release();
  });
  order.push('first gives it back');
  first();
  await second;
  t.deepEqual(order, ['first gives it back', 'second has it']);
});

test('an invalid lock file is taken over, and nothing is left behind', async (t) => {
  const path = await newLockPath(t);
  writeFileSync(path, 'half a lo');
  const release = await takeLock(path);
  release();
  t.deepEqual(readdirSync(join(path, '..')), []);
});

test('a process id that was given out again is not the same process', (t) => {
  const startTime = startTimeOf(process.pid);
  t.true(isSameProcess({ pid: process.pid, startTime }));
  t.false(isSameProcess({ pid: process.pid, startTime: `${startTime ?? ''}0` }));
  t.false(isSameProcess({ pid: process.pid, startTime: undefined }));
});

async function newLockPath(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lock-'));
  t.teardown(() => rm(folder, { recursive: true }));
  return join(folder, 'lock');
}

async function holdInAnotherProcess(path: string): Promise<ReturnType<typeof spawn>> {
  const moduleUrl = new URL('../../dev/lock-file.mjs', import.meta.url).href;
  const program = `
    const { takeLock } = await import(${JSON.stringify(moduleUrl)});
    await takeLock(${JSON.stringify(path)});
    console.log('held');
    setInterval(() => undefined, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  return holder;
}
