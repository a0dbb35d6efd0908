// `npm run check:clients [-- NAME…]`: generates clients of the served description with the generators that strangers use,
// compiles each, and lets it drive a delivery to its end against a real service. What is not installed here is named.
import { join } from 'node:path';
import { say, withProgress } from '../../dev/engines/progress.mjs';
import { runProgram } from '../../dev/engines/run-program.ts';
import { startTestEngines } from '../../dev/engines/test-engines.ts';
import { startService } from '../harness/service.ts';
import type { TestService } from '../harness/service.ts';
import { GENERATORS, OTHER_CLIENTS, PACKAGE_CLIENTS } from './clients.ts';
import { fetchDescription, makeDriveSettings } from './drive-settings.ts';
import type { ClientResult } from './run-client.ts';
import { programEnvironment, PYTHON_FOLDER, runClient } from './run-client.ts';

/** Installs the generators that are Python packages; where that fails, their clients are left out. */
async function installGenerators(): Promise<void> {
  try {
    const made = await runProgram('python3', ['-m', 'venv', PYTHON_FOLDER]);
    if (made.exitCode !== 0) throw new Error(made.output.trim());
    const pip = join(PYTHON_FOLDER, 'bin', 'pip');
    const { exitCode, output } = await runProgram(pip, ['install', '--quiet', ...GENERATORS], {
      env: programEnvironment(),
    });
    if (exitCode !== 0) throw new Error(output.trim());
  } catch (error) {
    say(`The generators are not installed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function lineOf(name: string, result: ClientResult): string {
  switch (result.kind) {
    case 'passed':
      return `✔ ${name}`;
    case 'left out':
      return `- ${name}: not run, ${result.reason}`;
    case 'failed':
      return `✘ ${name}: ${result.step} failed\n${result.reason}`;
  }
}

async function checkClients(service: TestService, words: readonly string[]): Promise<boolean> {
  await fetchDescription(service);
  await withProgress('installing the generators', installGenerators);
  const tally = { passed: 0, failed: 0 };
  const chosen = [...PACKAGE_CLIENTS, ...OTHER_CLIENTS].filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  for (const client of chosen) {
    const result = await withProgress(client.name, async () =>
      runClient(client, await makeDriveSettings(service)),
    );
    say(lineOf(client.name, result));
    if (result.kind === 'passed') tally.passed += 1;
    if (result.kind === 'failed') tally.failed += 1;
  }
  say(`${tally.passed} passed, ${tally.failed} failed`);
  return tally.failed === 0 && tally.passed > 0;
}

async function main(): Promise<boolean> {
  const engines = await startTestEngines();
  try {
    Object.assign(process.env, engines.environment);
    const service = await startService();
    try {
      return await checkClients(service, process.argv.slice(2));
    } finally {
      await service.stop();
    }
  } finally {
    await engines.keeper.close();
  }
}

process.exitCode = (await main()) ? 0 : 1;
