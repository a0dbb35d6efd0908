// `npm run commands`: lists, retries and dismisses failed commands. Without arguments it prints its usage.
import { fileURLToPath } from 'node:url';
import { handleFailedCommands, parseFailedCommandsRequest } from './commands/failed-commands.ts';
import { runCommand } from './organization/run-command.ts';

process.exitCode = await runCommand(
  {
    arguments: process.argv.slice(2),
    environment: process.env,
    projectFolder: fileURLToPath(new URL('..', import.meta.url)),
    print: (line) => console.log(line),
    printError: (line) => console.error(line),
  },
  parseFailedCommandsRequest,
  handleFailedCommands,
);
