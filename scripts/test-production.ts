// `npm run test:production`: proves Dockerfile and docker-compose.yml without containers. It does what the Dockerfile
// says in folders, starts a Temporal server of the compose file's version on PostgreSQL, runs the services with their
// commands and settings, and lets the story pass against them. docs/deployment.md tells what that leaves open.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lastLines } from './engines/log-tail.ts';
import { Containers } from './production/containers.ts';
import { choosePorts, openRunFolder, prepareGround, type RunFolder } from './production/ground.ts';
import { proveDeployment } from './production/proof.ts';

/** Of a log that is shown after a failure; Temporal's lines carry whole stacks. */
const LAST_LINES = 12;
const LINE_LENGTH = 400;

const projectFolder = join(import.meta.dirname, '..');
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function prove(run: RunFolder, interrupted: Promise<never>): Promise<void> {
  const ports = await choosePorts();
  const ground = await Promise.race([prepareGround(projectFolder, run, ports, say), interrupted]);
  const containers = new Containers(ground);
  try {
    await Promise.race([
      proveDeployment({ projectFolder, run, ports, ground, containers, say }),
      interrupted,
    ]);
  } catch (error) {
    for (const name of ['temporal', 'worker', 'api']) {
      say(`--- the end of ${name}'s log, ${containers.logFileOf(name)}`);
      for (const line of lastLines(containers.logFileOf(name), LAST_LINES).split('\n'))
        say(line.slice(0, LINE_LENGTH));
    }
    throw error;
  } finally {
    await containers.stopAll();
  }
}

const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => reject(new Error('Interrupted.')));
  }
});
interrupted.catch(() => undefined);

try {
  const run = await openRunFolder(say);
  try {
    await prove(run, interrupted);
  } finally {
    run.ledger.close();
  }
  // After a failure its logs stay, until the next run.
  await rm(run.folder, { recursive: true, force: true });
  say('\nThe deployment does what its files say.');
} catch (error) {
  say(`\n✘ ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
