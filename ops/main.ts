// The commands of production: `npm run …` on a machine with the sources, the same words in the image (docker/entrypoint.sh).
// Each prints its usage where its arguments are missing or wrong.
import { fileURLToPath } from 'node:url';
import type { Command } from './command-line.ts';
import { runCommand } from './command-line.ts';

const COMMANDS: Readonly<Record<string, () => Promise<{ readonly command: Command }>>> = {
  migrate: () => import('./migrate.ts'),
  'search-attributes': () => import('./search-attributes.ts'),
  'worker-deployment': () => import('./worker-deployment.ts'),
  organization: () => import('./organization.ts'),
  'organization-create': () => import('./organization-create.ts'),
  'organization-plan': () => import('./organization-plan.ts'),
  user: () => import('./user.ts'),
  person: () => import('./person.ts'),
  key: () => import('./key.ts'),
  'webhook-secrets': () => import('./webhook-secrets.ts'),
  'dead-letters': () => import('./dead-letters.ts'),
  audit: () => import('./audit.ts'),
  commands: () => import('./failed-commands.ts'),
  'check-consistency': () => import('./check-consistency.ts'),
};

const [name = '', ...argv] = process.argv.slice(2);
const load = COMMANDS[name];
if (load === undefined) {
  console.error(`Usage: ops/main COMMAND ARGUMENT...\n\nCommands: ${Object.keys(COMMANDS).join(', ')}`);
  process.exitCode = 1;
} else {
  const { command } = await load();
  process.exitCode = await runCommand(command, {
    arguments: argv,
    environment: process.env,
    projectFolder: fileURLToPath(new URL('..', import.meta.url)),
    print: (line) => console.log(line),
    printError: (line) => console.error(line),
  });
}
