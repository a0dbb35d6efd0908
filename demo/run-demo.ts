// The demo's process, which `npm start` starts once the service is ready: it makes the day on the first start, receives the
// webhooks of the organization that has them, and with `life` lets drivers drive. Lines that begin with «Demo: » are shown.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readAuthority } from '../dev/engines/certificate-authority.ts';
import { chooseFreePort } from '../dev/engines/ports.ts';
import { at, listAt, listOrEmpty, textAt, textOrEmpty } from '../test/harness/json.ts';
import { until } from '../test/harness/until.ts';
import { createAsk, type Ask } from './day/ask.ts';
import { startDayReceiver, type DayReceiver } from './day/day-receiver.ts';
import { DAY_STATE_FILE, dayWork, readDayState, writeDayState, type DayState } from './day/day-state.ts';
import { ATLAS_DAY, PETIT_COLIS_DAY, type DayShape } from './day/fates.ts';
import { makeDay } from './day/make-day.ts';
import { planDay, type DayPlan } from './day/plan-day.ts';
import { signInDemo } from './day/sign-in.ts';
import { live } from './life/live.ts';
import { WORLDS, type World } from './world/world.ts';

const RECEIVER_PORT = 8443;
const [dataFolder = '', baseUrl = '', life = ''] = process.argv.slice(2);
const stateFile = join(dataFolder, DAY_STATE_FILE);
const SHAPES = new Map<string, DayShape>([
  ['ATL', ATLAS_DAY],
  ['PCO', PETIT_COLIS_DAY],
]);

const state = await readDayState(stateFile);
try {
  if (state !== undefined) await runDemo(state);
} catch (error) {
  const words = state?.isMade === true ? 'it has stopped' : 'the example data are not complete';
  say(`${words}; the next \`npm start\` continues. Log: ${join(dataFolder, 'logs', 'demo.log')}`);
  throw error;
}

/** An organization of the demo with what is needed to work in it. */
interface Tenant {
  readonly world: World;
  readonly plan: DayPlan;
  readonly ask: Ask;
  readonly path: string;
}

async function runDemo(state: DayState): Promise<void> {
  const work = dayWork(state, new Date());
  const now = work instanceof Date ? work : new Date(state.startedAt ?? Date.now());
  const begun = { ...state, startedAt: now.toISOString() };
  if (work instanceof Date) await writeDayState(stateFile, begun);
  if (work === 'expired') say('the example data were interrupted more than a day ago and stay as they are.');
  const tenants = await openTenants(now);
  const receiver = await openReceiver(tenants, begun, work instanceof Date);
  const kept = { ...begun, receiverPort: receiver.port };
  await writeDayState(stateFile, { ...kept, isMade: !(work instanceof Date) });
  if (work instanceof Date) {
    await makeDays(tenants, now);
    await writeDayState(stateFile, { ...kept, isMade: true });
  }
  receiver.recover();
  if (life !== 'life') return;
  say('drivers drive and deliver until Ctrl-C.');
  await Promise.all(tenants.map(({ ask, world }) => live(ask, world, new Date(), log)));
}

/** Signs in to both organizations with the passwords that the first start wrote down. */
async function openTenants(now: Date): Promise<readonly Tenant[]> {
  const credentials = await readDocument(join(dataFolder, 'demo-credentials.json'));
  const tenants = listAt(credentials, 'organizations').map(async (entry): Promise<Tenant | undefined> => {
    const world = WORLDS.find(({ name }) => name === textAt(entry, 'name'));
    const shape = SHAPES.get(world?.prefix ?? '');
    if (world === undefined || shape === undefined) return undefined;
    const callers = await signInDemo(baseUrl, entry);
    const path = `/organizations/${textAt(entry, 'id')}`;
    return { world, path, plan: planDay(world, shape, now), ask: createAsk(baseUrl, callers, log) };
  });
  return (await Promise.all(tenants)).filter((tenant) => tenant !== undefined);
}

/** Makes both days and waits for the dead letter. */
async function makeDays(tenants: readonly Tenant[], now: Date): Promise<void> {
  const total = tenants.reduce((sum, { plan }) => sum + plan.shipments.length, 0);
  say(`making ${total} example shipments; the service can be used meanwhile…`);
  const startedAtMs = performance.now();
  const keyPrefix = `demo-${now.getTime()}`;
  const tallies = await Promise.all(
    tenants.map(({ ask, world, plan, path }) => makeDay(ask, world, plan, { path, now, keyPrefix })),
  );
  await Promise.all(tenants.map(waitForDeadLetter));
  const sum = (name: 'shipments' | 'drivers' | 'runs' | 'rejected'): number =>
    tallies.reduce((count, tally) => count + tally[name], 0);
  const rejected = sum('rejected') === 0 ? '' : ` (${sum('rejected')} steps were rejected, see the log)`;
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
  say(
    `${sum('shipments')} shipments, ${sum('drivers')} drivers, ${sum('runs')} delivery runs are there${rejected}, after ${seconds} s.`,
  );
}

async function waitForDeadLetter({ ask, plan }: Tenant): Promise<void> {
  if (![...plan.receiverAnswers.values()].some((answer) => answer >= 500)) return;
  const look = async (): Promise<boolean> => {
    const page = await ask({ as: 'admin', method: 'GET', path: '/webhook-deliveries?status=dead' });
    return listOrEmpty(page, 'member').length > 0;
  };
  // Without one, because a user has changed the settings for instance, the day is complete all the same.
  await until(look, 'No webhook became a dead letter', { everyMs: 500 }).catch((error: unknown) =>
    log(String(error)),
  );
}

/**
 * Starts the receiver and points the organization with webhooks to it: on the first start, and later where its webhookUrl is
 * still the one that the demo gave it.
 */
async function openReceiver(
  tenants: readonly Tenant[],
  { receiverPort }: DayState,
  isFirst: boolean,
): Promise<DayReceiver> {
  const tenant = tenants.find(({ plan }) => plan.receiverAnswers.size > 0);
  if (tenant === undefined) throw new Error('No organization of the demo has webhooks.');
  const organization = await tenant.ask({ as: 'admin', method: 'GET', path: tenant.path });
  const authority = at(await readDocument(join(dataFolder, 'addresses.json')), 'authority');
  const receiver = await startDayReceiver({
    port: await chooseFreePort(receiverPort ?? RECEIVER_PORT),
    authority: await readAuthority(textAt(authority, 'certificateFile'), textAt(authority, 'keyFile')),
    secret: textAt(organization, 'webhookSecret'),
    answers: isFirst ? tenant.plan.receiverAnswers : new Map(),
  });
  const earlier = receiver.url.replace(String(receiver.port), String(receiverPort));
  const webhookUrl = textOrEmpty(organization, 'webhookUrl');
  if (isFirst ? webhookUrl !== receiver.url : webhookUrl === earlier && webhookUrl !== receiver.url) {
    const body = { webhookUrl: receiver.url, isWebhookEnabled: true };
    await tenant.ask({ as: 'admin', method: 'PATCH', path: tenant.path, body });
  }
  return receiver;
}

async function readDocument(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'));
}

function log(line: string): void {
  process.stdout.write(`${new Date().toISOString()} ${line}\n`);
}

function say(line: string): void {
  process.stdout.write(`Demo: ${line}\n`);
}
