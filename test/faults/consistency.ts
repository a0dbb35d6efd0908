import { command } from '../../ops/check-consistency.ts';
import { runCommand } from '../../ops/command-line.ts';
import type { Violation } from './checker/history.ts';
import type { TestBed } from './test-bed.ts';

/**
 * Runs the operator's command on the whole service, as `npm run check:consistency` does. Each line that names a difference is
 * a violation; with `--repair` each that is left.
 */
export async function checkConsistencyOf(
  { deployment }: TestBed,
  argv: readonly string[],
): Promise<readonly Violation[]> {
  const lines: string[] = [];
  const code = await runCommand(command, {
    arguments: argv,
    environment: { DATABASE_URL: deployment.databaseUrl, TEMPORAL_ADDRESS: deployment.temporalAddress },
    projectFolder: deployment.folder,
    print: (line) => lines.push(line),
    printError: (line) => lines.push(line),
  });
  if (code === 0) return [];
  return lines.map((evidence) => ({ property: 'check:consistency', shipmentId: null, evidence }));
}
