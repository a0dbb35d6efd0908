// `npm run engines:test`: keeps the engines of the tests running, so that `npx ava FILE` starts immediately.
// In another terminal: `source .data/test-engines.env`.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestEngines } from './engines/test-engines.ts';
import { say } from './engines/progress.ts';

const dataFolder = join(import.meta.dirname, '..', '.data');
const environmentFile = join(dataFolder, 'test-engines.env');

try {
  const engines = await startTestEngines(process.env, say);
  const lines = Object.entries(engines.environment).map(([name, value]) => `export ${name}='${value}'\n`);
  await mkdir(dataFolder, { recursive: true });
  await writeFile(environmentFile, lines.join(''), { mode: 0o600 });
  say(
    'The test engines run until Ctrl-C. In another terminal:\n  source .data/test-engines.env\n  npx ava FILE',
  );
  const reason = await Promise.race([
    ...(['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map(
      (signal) => new Promise<string>((resolve) => process.once(signal, () => resolve(signal))),
    ),
    ...engines.processes.map((engine) => engine.exited.then((exit) => `${engine.name} ended with ${exit}`)),
  ]);
  say(`Stopping the engines (${reason})…`);
  await rm(environmentFile, { force: true });
  await engines.stop();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
