import type { Command } from '../../ops/command-line.ts';
import { runCommand } from '../../ops/command-line.ts';
import type { TestService } from '../harness/service.ts';

/** What a command printed, and its exit code. */
export interface OperatorRun {
  readonly code: number;
  readonly printed: string;
  readonly printedErrors: string;
}

/** Runs a command on a service's database, as an operator does in a terminal. */
export async function runAsOperator(
  service: Pick<TestService, 'databaseUrl'>,
  command: Command,
  argv: readonly string[],
  settings: NodeJS.ProcessEnv = {},
): Promise<OperatorRun> {
  const printed: string[] = [];
  const printedErrors: string[] = [];
  const code = await runCommand(command, {
    arguments: argv,
    environment: { DATABASE_URL: service.databaseUrl, ...settings },
    projectFolder: '/nowhere',
    print: (line) => printed.push(line),
    printError: (line) => printedErrors.push(line),
  });
  return { code, printed: printed.join('\n'), printedErrors: printedErrors.join('\n') };
}
