import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { startProcess, type RunningProcess } from '../../dev/engines/process-group.ts';
import { ProcessLedger } from '../../dev/engines/process-ledger.ts';
import { StartAbandoned, Supervisor, type SupervisedPart } from '../../dev/start/supervisor.ts';

const WAITS = 'setInterval(() => undefined, 1000); console.log("up")';

test('a part that is killed is restarted, with a message', async (t) => {
  const watched = await newSupervisor(t);
  await watched.supervisor.run(watched.part('sleeper', WAITS));
  watched.processes[0]?.kill();
  await watched.said(/sleeper is running again/);
  t.is(watched.processes.length, 2);
  t.false(watched.processes[1]?.hasExited());
  t.true(watched.lines.some((line) => line.includes('sleeper exited unexpectedly (signal SIGKILL)')));
});

test('a part that cannot be started again is tried until it can', async (t) => {
  const watched = await newSupervisor(t);
  let attempts = 0;
  const sleeper = watched.part('sleeper', WAITS);
  await watched.supervisor.run({
    name: 'sleeper',
    start: async (onProcess) => {
      attempts += 1;
      if (attempts === 2) throw new Error('no memory left');
      return sleeper.start(onProcess);
    },
  });
  watched.processes[0]?.kill();
  await watched.said(/no memory left/);
  await watched.said(/sleeper is running again/);
  t.is(attempts, 3);
});

test('a part whose first start fails is not tried again: the error is the caller’s', async (t) => {
  const { supervisor } = await newSupervisor(t);
  const part = { name: 'broken', start: () => Promise.reject(new Error('no such program')) };
  await t.throwsAsync(supervisor.run(part), { message: 'no such program' });
});

test('parts stop one after the other in the given order, and none is restarted', async (t) => {
  const watched = await newSupervisor(t);
  for (const name of ['engine', 'service']) await watched.supervisor.run(watched.part(name, WAITS));
  const order: string[] = [];
  for (const process of watched.processes) void process.exited.then(() => order.push(process.name));
  await watched.supervisor.stop(['service', 'engine']);
  t.deepEqual(order, ['service', 'engine']);
  await t.throwsAsync(watched.supervisor.run(watched.part('late', WAITS)), { instanceOf: StartAbandoned });
  t.is(watched.processes.length, 2);
});

interface Watched {
  readonly supervisor: Supervisor;
  readonly processes: readonly RunningProcess[];
  readonly lines: readonly string[];
  part(name: string, program: string): SupervisedPart;
  said(pattern: RegExp): Promise<void>;
}

async function newSupervisor(t: ExecutionContext): Promise<Watched> {
  const folder = await mkdtemp(join(tmpdir(), 'supervisor-'));
  const ledger = new ProcessLedger(join(folder, 'processes.json'));
  const processes: RunningProcess[] = [];
  const lines: string[] = [];
  const listeners: ((line: string) => void)[] = [];
  const supervisor = new Supervisor((line) => {
    lines.push(line);
    for (const listener of listeners) listener(line);
  });
  t.teardown(async () => {
    supervisor.kill();
    await Promise.all(processes.map((process) => process.exited));
    await rm(folder, { recursive: true });
  });
  return {
    supervisor,
    processes,
    lines,
    part: (name, program) => ({
      name,
      start: async (onProcess) => {
        const process = await startNode(name, program, folder, ledger);
        processes.push(process);
        onProcess(process);
      },
    }),
    said: (pattern) =>
      new Promise((resolve) => {
        listeners.push((line) => {
          if (pattern.test(line)) resolve();
        });
        if (lines.some((line) => pattern.test(line))) resolve();
      }),
  };
}

function startNode(
  name: string,
  program: string,
  folder: string,
  ledger: ProcessLedger,
): Promise<RunningProcess> {
  return startProcess(
    {
      name,
      command: process.execPath,
      arguments: ['--eval', program],
      environment: process.env,
      folder,
      logFile: join(folder, `${name}.log`),
      stopSignal: 'SIGTERM',
      graceMs: 5000,
    },
    ledger,
  );
}
