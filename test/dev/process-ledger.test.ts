import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { startProcess, type RunningProcess } from '../../dev/engines/process-group.ts';
import { endLeftovers, livingOwner, ProcessLedger } from '../../dev/engines/process-ledger.ts';
import { startTimeOf } from '../../dev/lock-file.mjs';

const WAITS = 'setInterval(() => undefined, 1000); console.log("up")';
const REFUSES_TO_END = `process.on('SIGTERM', () => console.log('no')); ${WAITS}`;

test('what a killed owner left behind is ended, and its ledger is removed', async (t) => {
  const folder = await newFolder(t);
  const ledgerFile = join(folder, 'processes.json');
  const owner = await ownerInAnotherProcess(ledgerFile, join(folder, 'child.log'));
  t.is(livingOwner(ledgerFile)?.pid, owner.pid);
  t.deepEqual(await endLeftovers(ledgerFile), [], 'a living owner keeps what it started');

  const [left = 0] = await recordedPids(ledgerFile);
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  t.not(startTimeOf(left), undefined, 'the child outlives its killed owner');
  t.is(livingOwner(ledgerFile), undefined);
  t.deepEqual(await endLeftovers(ledgerFile), ['sleeper']);
  t.is(startTimeOf(left), undefined);
  t.false(existsSync(ledgerFile));
});

test('a process that got the id of a recorded one is left alone', async (t) => {
  const folder = await newFolder(t);
  const ledgerFile = join(folder, 'processes.json');
  const bystander = spawn(process.execPath, ['--eval', WAITS], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => bystander.kill('SIGKILL'));
  await once(bystander.stdout, 'data');
  const dead = { pid: 2 ** 22 - 1, startTime: 'long ago' };
  const entry = {
    name: 'other',
    stopSignal: 'SIGTERM',
    graceMs: 0,
    pid: bystander.pid,
    startTime: 'long ago',
  };
  await writeFile(ledgerFile, JSON.stringify({ owner: dead, isStopping: false, entries: [entry] }));
  t.deepEqual(await endLeftovers(ledgerFile), []);
  t.not(startTimeOf(bystander.pid ?? 0), undefined);
});

test('a process that ignores the request to end is ended by force after its grace', async (t) => {
  const folder = await newFolder(t);
  const ledger = new ProcessLedger(join(folder, 'processes.json'));
  const { running, lines } = await startNode(folder, REFUSES_TO_END, ledger, 300);
  t.is(await running.stop(), 'signal SIGKILL');
  t.deepEqual(lines, ['up', 'no']);
});

test('a process is noted while it runs and struck out when it ends', async (t) => {
  const folder = await newFolder(t);
  const ledgerFile = join(folder, 'processes.json');
  const ledger = new ProcessLedger(ledgerFile);
  const { running } = await startNode(folder, WAITS, ledger, 5000);
  t.deepEqual(await recordedPids(ledgerFile), [running.pid]);
  t.is(await running.stop(), 'signal SIGTERM');
  t.deepEqual(await recordedPids(ledgerFile), []);
  ledger.close();
  t.false(existsSync(ledgerFile));
});

async function startNode(
  folder: string,
  program: string,
  ledger: ProcessLedger,
  graceMs: number,
): Promise<{ readonly running: RunningProcess; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  let onUp: () => void = () => undefined;
  const isUp = new Promise<void>((resolve) => {
    onUp = resolve;
  });
  const running = await startProcess(
    {
      name: 'sleeper',
      command: process.execPath,
      arguments: ['--eval', program],
      environment: process.env,
      folder,
      logFile: join(folder, 'child.log'),
      stopSignal: 'SIGTERM',
      graceMs,
      onLine: (line) => {
        lines.push(line);
        onUp();
      },
    },
    ledger,
  );
  await isUp;
  return { running, lines };
}

async function ownerInAnotherProcess(ledgerFile: string, logFile: string): Promise<ReturnType<typeof spawn>> {
  const module = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
  const program = `
    const { ProcessLedger } = await import(${module('../../dev/engines/process-ledger.ts')});
    const { startProcess } = await import(${module('../../dev/engines/process-group.ts')});
    const ledger = new ProcessLedger(${JSON.stringify(ledgerFile)});
    await startProcess({ name: 'sleeper', command: process.execPath, arguments: ['--eval', ${JSON.stringify(WAITS)}],
      environment: process.env, folder: '.', logFile: ${JSON.stringify(logFile)}, stopSignal: 'SIGTERM', graceMs: 5000 }, ledger);
    console.log('started');
    setInterval(() => undefined, 1000);`;
  const owner = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(owner.stdout, 'data');
  return owner;
}

async function recordedPids(ledgerFile: string): Promise<readonly number[]> {
  const text = await readFile(ledgerFile, 'utf8');
  const [, entries = ''] = text.split('"entries"');
  return [...entries.matchAll(/"pid": (\d+)/g)].map(([, pid]) => Number(pid));
}

async function newFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ledger-'));
  t.teardown(() => rm(folder, { recursive: true }));
  return folder;
}
