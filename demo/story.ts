// `npm run story`: four parcels against the service that `npm start` runs. The exit code is 1 when a check fails.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readAuthority } from '../dev/engines/certificate-authority.ts';
import { startReceiver } from '../test/harness/receiver.ts';
import { until } from '../test/harness/until.ts';
import { createClient, type Caller } from './client.ts';
import { DAY_STATE_FILE, readDayState } from './day/day-state.ts';
import { at, listAt, textAt } from '../test/harness/json.ts';
import { PARCELS } from './parcels.ts';
import { createReceiver } from './receiver.ts';
import { Report } from './report.ts';
import { runParcel, type Context } from './run-parcel.ts';

const DAY_WAIT = { everyMs: 500, giveUpMs: 180_000 };
const report = new Report((text) => process.stdout.write(`${text}\n`));
const interrupted = once(process, 'SIGINT').then((): never => {
  throw new Error('It was interrupted.');
});
const end = await runStory().then(() => 'complete', String);
report.check('end', 'the story', end, 'complete');
// After an interruption a request may still be waiting.
process.exit(report.summarize() ? 0 : 1);

/** Points the webhook of the first organization to a receiver, runs the parcels, and restores the webhook settings. */
async function runStory(): Promise<void> {
  const dataFolder = resolve(import.meta.dirname, '..', process.env['DATA_DIR'] ?? '.data');
  const addresses = await readDocument(resolve(dataFolder, 'addresses.json'));
  const credentials = await readDocument(textAt(addresses, 'credentialsFile'));
  const [own, other] = listAt(credentials, 'organizations');
  const send = createClient(textAt(addresses, 'publicUrl'), report);
  report.heading(`${textAt(own, 'name')} at ${textAt(addresses, 'publicUrl')}`);
  const signIn = async (name: string, role: string): Promise<Caller> => {
    const user = listAt(own, 'users').find((entry) => textAt(entry, 'role') === role);
    const body = { email: textAt(user, 'email'), password: textAt(user, 'password') };
    const answer = await send({ name, headers: {} }, 'POST', '/login_check', 200, body);
    return { name, headers: { authorization: `Bearer ${textAt(answer, 'token')}` } };
  };
  const callers = {
    shop: { name: 'shop', headers: { 'x-api-key': textAt(own, 'apiKey') } },
    otherShop: { name: 'other shop', headers: { 'x-api-key': textAt(other, 'apiKey') } },
    admin: await signIn('admin', 'ROLE_ORG_ADMIN'),
    dispatcher: await signIn('dispatcher', 'ROLE_DISPATCHER'),
    merchant: await signIn('merchant', 'ROLE_MERCHANT'),
    driver: await signIn('driver', 'ROLE_DRIVER'),
  };
  await untilDayIsMade(dataFolder);
  const organization = `/organizations/${textAt(own, 'id')}`;
  const found = await send(callers.admin, 'GET', organization, 200);
  const restored = ['webhookUrl', 'isWebhookEnabled'].map((name) => [name, at(found, name) ?? null] as const);
  const receiver = createReceiver(textAt(found, 'webhookSecret'), report);
  const authority = at(addresses, 'authority');
  const endpoint = await startReceiver({
    authority: await readAuthority(textAt(authority, 'certificateFile'), textAt(authority, 'keyFile')),
    answers: ({ body, headers }) => receiver.receive(body, headers['x-service-signature']),
  });
  const workflowUrl = `${textAt(addresses, 'temporalUiUrl')}/namespaces/default/workflows/shipment-`;
  const context = { send, report, receiver, callers, workflowUrl };
  try {
    const { url: webhookUrl } = endpoint;
    await send(callers.admin, 'PATCH', organization, 200, { webhookUrl, isWebhookEnabled: true });
    for (const parcel of PARCELS) await Promise.race([runParcel(context, parcel), interrupted]);
    await checkRejections(context, callers.otherShop);
  } finally {
    report.heading('The webhook settings are restored');
    await send(callers.admin, 'PATCH', organization, 200, Object.fromEntries(restored));
  }
}

/** The day of a first start uses the same webhook settings; its dead letter must not come here. */
async function untilDayIsMade(dataFolder: string): Promise<void> {
  const isMade = async (): Promise<boolean> =>
    (await readDayState(resolve(dataFolder, DAY_STATE_FILE)))?.isMade !== false;
  if (await isMade()) return;
  report.line('  `npm start` is still making its example shipments. The story begins when they are there…');
  await until(isMade, 'The example shipments are not complete; see logs/demo.log', DAY_WAIT);
}

/** Sends what must be rejected (contract «Rules», «Errors»). */
async function checkRejections({ send, report, callers }: Context, stranger: Caller): Promise<void> {
  report.heading('What is rejected');
  const delivered = await send(callers.dispatcher, 'GET', '/tasks?status=delivered', 200);
  const shipment = textAt(delivered, 'member.0.shipment').replace('shipments', 'external/shipments');
  await send(callers.shop, 'GET', '/shipments', 401);
  await send(callers.dispatcher, 'GET', shipment, 401);
  await send(stranger, 'GET', shipment, 403);
  const path = `${textAt(delivered, 'member.0.@id')}/transition`;
  const conflict = await send(callers.dispatcher, 'POST', path, 409, { transition: 'cancel' });
  report.check('rejection', 'allowedTransitions', at(conflict, 'allowedTransitions'), []);
  const address = { street: '1 rue de Rivoli' };
  const body = { recipient: { firstName: 'Zoé', phoneNumber: 'unknown', address }, priority: 'asap' };
  const invalid = await send(callers.shop, 'POST', '/external/shipments', 422, body);
  const paths = listAt(invalid, 'violations').map((violation) => textAt(violation, 'propertyPath'));
  const expected = ['priority', 'recipient.address.city', 'recipient.phoneNumber'];
  report.check('rejection', 'the violations', paths.toSorted(), expected);
}

async function readDocument(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    throw new Error(`${file} cannot be read. Run \`npm start\` in another terminal first.`);
  }
}
