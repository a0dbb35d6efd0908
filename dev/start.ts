// `npm start`: the whole service, with engines of its own unless DATABASE_URL and TEMPORAL_ADDRESS are set.
import { join } from 'node:path';
import { migrate } from '../store/migrate.ts';
import type { ProcessLedger } from './engines/process-ledger.ts';
import { say } from './engines/progress.ts';
import { seedDemo } from './seed.ts';
import { claimDataFolder } from './start/claim-data-folder.ts';
import { openDataFolder, type DataFolder } from './start/data-folder.ts';
import { startLaptop } from './start/laptop.ts';
import { chooseMode, type StartMode } from '../ops/start-mode.ts';
import { watchNpm } from './start/npm-watch.ts';
import { startProduction } from './start/production.ts';
import { StartAbandoned, Supervisor } from './start/supervisor.ts';
import { showWarnings } from './start/warnings.ts';
import { banner } from './start/banner.ts';

/** The API finishes its requests first; the engines go last, because the others write to them until their end. */
const STOP_ORDER = ['api', 'worker', 'temporal', 'postgres'];
/** npm passes Ctrl-C on, and so does the terminal: the second signal within this time is the first one's echo. */
const ECHO_MS = 1000;

const projectFolder = join(import.meta.dirname, '..');
const startedAt = performance.now();
// A closed terminal must not keep the parts from being ended in order.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

async function start(
  mode: StartMode,
  data: DataFolder,
  ledger: ProcessLedger,
  supervisor: Supervisor,
): Promise<void> {
  const onWarning = showWarnings(say, () => performance.now());
  const { logFolder } = data;
  const context = { projectFolder, environment: process.env, logFolder, ledger, supervisor, say, onWarning };
  if (mode === 'production') {
    const port = await startProduction(context);
    say(
      `The API is listening on port ${port}; the worker is running. Logs: ${logFolder}. Ctrl-C stops both.`,
    );
    return;
  }
  say('Starting the service on this machine…');
  const { addresses, credentials } = await startLaptop({ ...context, data, migrate, seedDemo });
  // Ctrl-C in the last moment: what runs now is ended already.
  if (supervisor.isStopping()) return;
  say(banner(addresses, credentials, (performance.now() - startedAt) / 1000));
}

function endOnSignal(end: (reason: string) => void, supervisor: Supervisor): void {
  let firstAt: number | undefined;
  const onSignal = (signal: string): void => {
    if (firstAt === undefined) {
      firstAt = performance.now();
      end(signal);
      return;
    }
    if (performance.now() - firstAt < ECHO_MS) return;
    say('Stopping everything immediately.');
    supervisor.kill();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  watchNpm(process.env, () => onSignal('npm has exited'));
}

async function main(): Promise<void> {
  const mode = chooseMode(process.env);
  const data = await openDataFolder(process.env, projectFolder);
  const ledger = await claimDataFolder(data, say);
  const supervisor = new Supervisor(say);
  const ended = new Promise<string>((resolve) => endOnSignal(resolve, supervisor));
  try {
    const failure = start(mode, data, ledger, supervisor).then(
      () => new Promise<never>(() => undefined),
      (error: unknown) => error,
    );
    const outcome = await Promise.race([ended, failure]);
    if (typeof outcome !== 'string' && !(outcome instanceof StartAbandoned)) throw outcome;
    say('\nStopping: first the API finishes its requests, then the worker, Temporal and PostgreSQL stop…');
  } finally {
    ledger.announceStop();
    await supervisor.stop(STOP_ORDER);
    ledger.close();
  }
  say('Everything has stopped. The data is kept for the next start.');
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
