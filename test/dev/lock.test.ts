import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import test from 'ava';
import { takeLock } from '../../dev/lock.mjs';

test('the lock of a killed process is taken over', async (t) => {
  const name = randomUUID();
  const holder = await holdInAnotherProcess(name);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  const release = await takeLock(name, () => t.fail('no process holds it'));
  t.notThrows(release);
});

test('the lock of a living process is waited for, and its holder answers', async (t) => {
  const name = randomUUID();
  const holder = await holdInAnotherProcess(name);
  const answers = new Set<string>();
  const release = await takeLock(name, (answer) => {
    answers.add(answer);
    holder.kill('SIGKILL');
  });
  release();
  t.deepEqual([...answers], ['mine']);
});

test('two takers in one process get the lock one after the other', async (t) => {
  const name = randomUUID();
  const order: string[] = [];
  const first = await takeLock(name, () => t.fail('it is free'));
  const second = takeLock(name, () => undefined).then((release) => {
    order.push('second has it');
    release();
  });
  order.push('first releases it');
  first();
  await second;
  t.deepEqual(order, ['first releases it', 'second has it']);
});

test('a taker that gives up gets the reason as an error, and the holder keeps the lock', async (t) => {
  const name = randomUUID();
  const release = await takeLock(
    name,
    () => undefined,
    () => 'process 7',
  );
  t.teardown(release);
  for (const attempt of ['first', 'second']) {
    const giveUp = (answer: string): never => {
      throw new Error(`${attempt}: held by ${answer}`);
    };
    await t.throwsAsync(takeLock(name, giveUp), { message: `${attempt}: held by process 7` });
  }
});

async function holdInAnotherProcess(name: string): Promise<ReturnType<typeof spawn>> {
  const moduleUrl = new URL('../../dev/lock.mjs', import.meta.url).href;
  const program = `
    const { takeLock } = await import(${JSON.stringify(moduleUrl)});
    await takeLock(${JSON.stringify(name)}, () => undefined, () => 'mine');
    console.log('held');
    setInterval(() => undefined, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  return holder;
}
