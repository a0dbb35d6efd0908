// `npm run engines:test`: keeps the engines of the tests running, so that `npx ava FILE` starts immediately.
// In another terminal: `source .data/test-engines.env`.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { say } from './engines/progress.mjs';
import { writePrivateFile } from './engines/secret-file.ts';
import { startTestEngines } from './engines/test-engines.ts';
import { untilInterrupted } from './interruption.ts';

const environmentFile = join(import.meta.dirname, '..', '.data', 'test-engines.env');

const { environment, keeper, processes } = await startTestEngines();
const lines = Object.entries(environment).map(([name, value]) => `export ${name}='${value}'\n`);
await writePrivateFile(environmentFile, lines.join(''));
say(
  'The test engines run until Ctrl-C. In another terminal:\n  source .data/test-engines.env\n  npx ava FILE',
);
const ends = processes.map(({ name, exited }) => exited.then((exit) => `${name} ended with ${exit}`));
say(`Stopping the engines (${await Promise.race([untilInterrupted(), ...ends])})…`);
await rm(environmentFile, { force: true });
await keeper.close();
process.exit();
