import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Keeper, openRun, untilReady, type RunningProcess } from '../../dev/engines/keeper.ts';

const WAITS = 'setInterval(() => undefined, 1000); console.log("up")';
const IGNORES_SIGTERM = `process.on('SIGTERM', () => console.log('no')); ${WAITS}`;

test('what a killed owner started is ended, its folder is removed, and its lock is free', async (t) => {
  const ownedFolder = await newFolder(t);
  const temporaryFolder = await newFolder(t);
  const { owner, pid } = await ownerInAnotherProcess(ownedFolder, temporaryFolder);
  t.true(isRunning(pid));
  owner.kill('SIGKILL');
  // The next one waits while the keeper ends what is left.
  const next = await Keeper.open({ ownedFolder });
  t.false(isRunning(pid));
  t.false(existsSync(temporaryFolder));
  await next.close();
});

test('a second owner of a folder is rejected with the process id of the first', async (t) => {
  const ownedFolder = await newFolder(t);
  const first = await Keeper.open({ ownedFolder });
  await t.throwsAsync(Keeper.open({ ownedFolder }), {
    message: new RegExp(`already running .*process ${process.pid}`),
  });
  await first.close();
  const second = await Keeper.open({ ownedFolder });
  await t.notThrowsAsync(second.close());
});

test('closing ends the processes one after the other, the last one first', async (t) => {
  const folder = await newFolder(t);
  const keeper = await Keeper.open({ ownedFolder: folder });
  const notes = join(folder, 'order');
  const signsOff = (name: string): string => `
    process.on('SIGTERM', () => {
      require('node:fs').appendFileSync(${JSON.stringify(notes)}, '${name} ');
      process.exit();
    });
    ${WAITS}`;
  for (const name of ['engine', 'worker', 'api']) await startNode(keeper, folder, name, signsOff(name));
  await keeper.close();
  t.is(await readFile(notes, 'utf8'), 'api worker engine ');
});

test('a temporary folder is removed at the end, unless it is kept', async (t) => {
  for (const isKept of [false, true]) {
    const { folder, keeper } = await openRun('keeper-test');
    t.teardown(() => rm(folder, { recursive: true, force: true }));
    if (isKept) keeper.keepFolder();
    await keeper.close();
    t.is(existsSync(folder), isKept);
  }
});

test('a process that ignores the request to end is ended by force after its grace', async (t) => {
  const { folder, keeper } = await openKeeper(t);
  const lines: string[] = [];
  const running = await startNode(keeper, folder, 'stubborn', IGNORES_SIGTERM, (line) => lines.push(line));
  t.is(await running.stop(), 'signal SIGKILL');
  t.true(running.hasExited());
  t.deepEqual(lines, ['up', 'no']);
});

test('a process that ends by itself is known by its exit code', async (t) => {
  const { folder, keeper } = await openKeeper(t);
  const running = await startNode(keeper, folder, 'short', `${WAITS}; process.exit(7)`);
  t.is(await running.exited, 'exit code 7');
  t.is(await running.stop(), 'exit code 7');
});

test('a program that does not exist is an error with its name', async (t) => {
  const { folder, keeper } = await openKeeper(t);
  const missing = { ...specification(folder, 'ghost', ''), command: join(folder, 'no-such-program') };
  await t.throwsAsync(keeper.start(missing), { message: /ghost could not be started/ });
});

test('a process that ends before it is ready is an error with the end of its log', async (t) => {
  const { folder, keeper } = await openKeeper(t);
  const running = await keeper.start(specification(folder, 'broken', 'throw new Error("no memory left")'));
  const isReady = () => Promise.reject(new Error('not yet'));
  await t.throwsAsync(untilReady(running, isReady), { message: /^broken ended with[^]*no memory left/ });
});

async function openKeeper(t: ExecutionContext) {
  const run = await openRun('keeper-test');
  t.teardown(() => run.keeper.close());
  return run;
}

function specification(folder: string, name: string, program: string) {
  return {
    ...{ name, folder, command: process.execPath, arguments: ['--eval', program] },
    ...{ environment: process.env, logFile: join(folder, `${name}.log`), graceMs: 300 },
    stopSignal: 'SIGTERM',
  } as const;
}

/** Resolves once the program has written its first line. */
async function startNode(
  keeper: Keeper,
  folder: string,
  name: string,
  program: string,
  onLine: (line: string) => void = () => undefined,
): Promise<RunningProcess> {
  let onUp: () => void = () => undefined;
  const isUp = new Promise<void>((resolve) => {
    onUp = resolve;
  });
  const running = await keeper.start({
    ...specification(folder, name, program),
    onLine: (line) => {
      onLine(line);
      onUp();
    },
  });
  await isUp;
  return running;
}

async function ownerInAnotherProcess(
  ownedFolder: string,
  temporaryFolder: string,
): Promise<{ readonly owner: ChildProcess; readonly pid: number }> {
  const keeperUrl = new URL('../../dev/engines/keeper.ts', import.meta.url).href;
  const program = `
    const { Keeper } = await import(${JSON.stringify(keeperUrl)});
    const keeper = await Keeper.open(${JSON.stringify({ ownedFolder, temporaryFolder })});
    const { pid } = await keeper.start(${JSON.stringify(specification(temporaryFolder, 'sleeper', WAITS))});
    console.log(pid);`;
  const owner = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = await new Promise((resolve) => owner.stdout.once('data', resolve));
  return { owner, pid: Number(pid) };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function newFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keeper-test-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
