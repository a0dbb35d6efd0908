// `npm run check:consistency [-- --repair]`: compares PostgreSQL with Temporal on a live system and says what differs.
import { fileURLToPath } from 'node:url';
import { runCheckConsistency } from './consistency/run.ts';

process.exitCode = await runCheckConsistency({
  arguments: process.argv.slice(2),
  environment: process.env,
  projectFolder: fileURLToPath(new URL('..', import.meta.url)),
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
});
