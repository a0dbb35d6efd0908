// `npm run organization:plan`: moves an organization to another plan. Without arguments it says how it is used.
import { fileURLToPath } from 'node:url';
import { changePlan, parsePlanOptions } from './organization/plan.ts';
import { runCommand } from './organization/run-command.ts';

process.exitCode = await runCommand(
  {
    arguments: process.argv.slice(2),
    environment: process.env,
    projectFolder: fileURLToPath(new URL('..', import.meta.url)),
    print: (line) => console.log(line),
    printError: (line) => console.error(line),
  },
  parsePlanOptions,
  changePlan,
);
