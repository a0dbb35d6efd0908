// `npm run organization:create`: makes an organization with its first admin. Without arguments it says how it is used.
import { fileURLToPath } from 'node:url';
import { makeOrganization, parseOptions } from './organization/create.ts';
import { runCommand } from './organization/run-command.ts';

process.exitCode = await runCommand(
  {
    arguments: process.argv.slice(2),
    environment: process.env,
    projectFolder: fileURLToPath(new URL('..', import.meta.url)),
    print: (line) => console.log(line),
    printError: (line) => console.error(line),
  },
  parseOptions,
  makeOrganization,
);
