import { join } from 'node:path';
import { createTemporalClient } from '../../platform/temporal.ts';
import { isPortFree } from '../engines/ports.ts';
import { startPostgres } from '../engines/postgres.ts';
import { withProgress, type Say } from '../engines/progress.ts';
import {
  checkOneShipment,
  checkPrivateWebhookIsRefused,
  checkSearchAttributes,
  type Scene,
} from './checks.ts';
import type { Containers, Ground } from './containers.ts';
import { makeDatabases, strangersOf } from './databases.ts';
import type { RunFolder } from './ground.ts';
import { FOUNDING, readFounded, staffOrganization } from './organization.ts';
import type { Ports } from './places.ts';
import { tellStory } from './story.ts';
import { Unexpected, Visitor } from './visitor.ts';

/** What the proof works with. */
export interface Proof {
  readonly projectFolder: string;
  readonly run: RunFolder;
  readonly ports: Ports;
  readonly ground: Ground;
  readonly containers: Containers;
  readonly say: Say;
}

/**
 * Brings the deployment up in the order of the compose file, checks it as production runs it, ends and starts parts of
 * it, and tells the story against it. Throws at the first thing that is not as the files say.
 */
export async function proveDeployment(proof: Proof): Promise<void> {
  const { containers, say } = proof;
  await startDatabases(proof);
  await startTemporalParts(proof);
  say(`✔ search-attributes: ${await containers.run('search-attributes')}`);
  say(`✔ migrate: ${await containers.run('migrate')}`);
  await containers.start('worker');
  say(`✔ worker-deployment: ${lastLine(await containers.run('worker-deployment')).trim()}`);
  await containers.start('api');
  const owner = proof.ground.user === undefined ? 'as you' : 'as a user who owns none of its files';
  say(`✔ worker and api: started ${owner}, healthy by their own health checks`);
  const scene = await setScene(proof);
  await checkPrivateWebhookIsRefused(scene);
  say('✔ production refuses webhooks to private addresses and without TLS');
  await checkShipmentInProduction(scene, say);
  await checkRepeated(proof);
  await checkStopAndStart(proof, scene);
  await tellStory(proof, scene.organization);
  await scene.temporal.connection.close();
}

async function startDatabases(proof: Proof): Promise<void> {
  const { projectFolder, run, ports, ground, containers, say } = proof;
  const { url } = await withProgress('starting PostgreSQL', say, () =>
    startPostgres(
      {
        databaseFolder: join(run.folder, 'postgres'),
        passwordFile: join(run.secretFolder, 'postgres_password'),
        port: ports.postgres,
        logFile: join(run.logFolder, 'postgres.log'),
        isDisposable: true,
        onProcess: (process) => containers.adopt('postgres', process),
      },
      run.ledger,
    ),
  );
  await makeDatabases(url, join(projectFolder, 'docker', 'postgres', '01-databases.sql'), ground.places);
  for (const database of ['shipments', 'temporal', 'temporal_visibility']) {
    const strangers = await strangersOf(url, database);
    if (strangers.length > 0) throw new Unexpected(`${strangers.join(', ')} may connect to ${database}`);
  }
  say('✔ postgres: three databases, each open to its own owner alone');
}

async function startTemporalParts({ ports, containers, say }: Proof): Promise<void> {
  await containers.run('temporal-schema');
  await containers.run('temporal-schema');
  say('✔ temporal-schema: both schemas made; running it again changed nothing');
  const [port = 0] = ports.temporal;
  await containers.start('temporal', {}, async () => !(await isPortFree(port)));
  say('✔ temporal: started with the dynamic configuration of the compose file');
  await containers.run('temporal-namespace');
  say(`✔ temporal-namespace: ${lastLine(await containers.run('temporal-namespace'))}`);
}

async function setScene({ ports, ground, containers, say }: Proof): Promise<Scene> {
  const visitor = new Visitor(`http://127.0.0.1:${ports.api}/api/v1`);
  const founded = readFounded(await containers.run('api', FOUNDING));
  const organization = await staffOrganization(visitor, founded);
  say('✔ organization-create: its admin signs in and makes a merchant, users and drivers');
  const settings = ground.services.get('worker')?.environment ?? {};
  const temporal = createTemporalClient({
    address: `127.0.0.1:${ports.temporal[0] ?? 0}`,
    namespace: settings['TEMPORAL_NAMESPACE'] ?? 'default',
    apiKey: null,
    tls: false,
  });
  return { visitor, organization, temporal };
}

async function checkShipmentInProduction(scene: Scene, say: Say): Promise<void> {
  const { trackingNumber } = await checkOneShipment(scene);
  await checkSearchAttributes(scene, trackingNumber);
  say(`✔ shipment ${trackingNumber}: accepted, made, cancelled, and found by its search attributes`);
}

async function checkRepeated({ containers, say }: Proof): Promise<void> {
  const migrated = await containers.run('migrate');
  if (!migrated.includes('current')) throw new Unexpected(`migrate, run again, said: ${migrated}`);
  const registered = await containers.run('search-attributes');
  if (!registered.includes('has every')) throw new Unexpected(`search-attributes said: ${registered}`);
  say('✔ migrate and search-attributes: harmless when repeated');
}

async function checkStopAndStart({ containers, say }: Proof, scene: Scene): Promise<void> {
  await containers.stop('api');
  await containers.stop('worker');
  await containers.start('worker');
  await containers.start('api');
  await checkOneShipment(scene);
  say('✔ api and worker: ended in order when asked to, and went on after the next start');
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1);
}
