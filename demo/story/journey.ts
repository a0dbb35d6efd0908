import { setTimeout as delay } from 'node:timers/promises';
import type { Cast, Driver } from './cast.ts';
import type { Checks } from './checks.ts';
import type { Answer, Caller, ServiceClient } from './client.ts';
import { faultsOfAccepted, faultsOfProblem, faultsOfShipment, faultsOfTask } from './contract.ts';
import { dashboardBody, externalBody, type StoryShipment } from './input.ts';
import type { Step, TransitionStep } from './plan.ts';
import { idOf, listAt, neededText, StoryStopped, textAt, valueAt } from './reading.ts';

/** What a driver reports; all else is the dispatcher's. */
const DRIVER_ACTS = [
  ...['start_approach', 'pick_up', 'start_delivery', 'start_delivery_approach', 'start_transit'],
  ...['deliver', 'fail'],
];

/** What every journey needs. */
export interface Stage {
  readonly client: ServiceClient;
  readonly checks: Checks;
  readonly cast: Cast;
  readonly pickupPointIri: string;
}

/** A shipment that exists. */
export interface Traveller {
  readonly input: StoryShipment;
  readonly id: string;
  readonly iri: string;
  /** The newest task of each type, by IRI, as far as it has been looked up. */
  readonly tasks: Map<string, string>;
}

const CREATION_PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 300;

/** Creates a shipment on the surface of its creator, and waits until it exists. `hasWebhook` decides about the hint. */
export async function create(stage: Stage, input: StoryShipment, hasWebhook: boolean): Promise<Traveller> {
  const { client, checks, cast, pickupPointIri } = stage;
  if (input.createdBy !== 'shop_system') {
    const caller = input.createdBy === 'merchant' ? cast.merchant : cast.dispatcher;
    const answer = await client.send(
      caller,
      'POST',
      '/shipments',
      dashboardBody(input, pickupPointIri, new Date()),
    );
    needStatus(checks, answer, 201, 'POST /shipments');
    checks.faultless(faultsOfShipment(answer.body), 'the created shipment');
    const initial = input.createdBy === 'merchant' ? 'pending_approval' : 'pending';
    checks.same(textAt(answer.body, 'status'), initial, 'status of the created shipment');
    checks.same(
      answer.headers.get('location'),
      textAt(answer.body, '@id'),
      'Location of the created shipment',
    );
    const iri = neededText(answer.body, '@id');
    return { input, id: idOf(iri), iri, tasks: new Map() };
  }
  const body = externalBody(input, idOf(pickupPointIri), new Date());
  const answer = await client.send(cast.shop, 'POST', '/external/shipments', body);
  needStatus(checks, answer, 202, 'POST /external/shipments');
  checks.faultless(faultsOfAccepted(answer.body), 'the 202 of the external API');
  checks.same(
    valueAt(answer.body, 'hint') !== undefined,
    !hasWebhook,
    'a hint, where no webhook is configured',
  );
  const id = neededText(answer.body, 'id');
  await untilItExists(stage, id);
  return { input, id, iri: `/api/v1/shipments/${id}`, tasks: new Map() };
}

/** Takes one step of a shipment's plan and checks its answer. */
export async function take(stage: Stage, traveller: Traveller, step: Step, driver: Driver): Promise<void> {
  const { client, checks, cast } = stage;
  switch (step.act) {
    case 'approve': {
      const answer = await client.command(cast.dispatcher, 'POST', `${traveller.iri}/approve`);
      needStatus(checks, answer, 200, 'approve');
      return;
    }
    case 'withdraw': {
      const answer = await client.command(cast.admin, 'DELETE', traveller.iri);
      // A late one is answered by its command, 200.
      checks.expect(
        [200, 204].includes(answer.status),
        'DELETE of a shipment is answered 204',
        answer.status,
      );
      return;
    }
    case 'add_return': {
      const address = valueAt(traveller.input.fields, 'recipient.address');
      const body = { shipment: traveller.iri, type: 'return', address };
      const answer = await client.command(cast.dispatcher, 'POST', '/tasks', body);
      checks.expect([200, 201].includes(answer.status), 'POST /tasks is answered 201', answer.status);
      return;
    }
    case 'transition':
      await makeTransition(stage, traveller, step, driver);
  }
}

/** Sends the same command twice at the same moment, as two apps of one driver would: one is applied, one refused. */
export async function race(
  { client, checks, cast }: Stage,
  traveller: Traveller,
  step: TransitionStep,
  driver: Driver,
): Promise<void> {
  const path = await pathOfTask(client, cast.dispatcher, traveller, step.taskType);
  const send = (): Promise<Answer> =>
    client.command(driver.app ?? cast.dispatcher, 'POST', path, { transition: step.transition });
  const answers = await Promise.all([send(), send()]);
  const refused = answers.filter(
    ({ status, body }) => status === 409 || textAt(body, 'status') === 'refused',
  );
  checks.same(refused.length, 1, `two apps ${step.transition} at once: one is refused`);
  for (const { status, body } of refused) {
    if (status !== 409) continue;
    checks.faultless(faultsOfProblem(body, 409), 'the refusal');
    checks.same(valueAt(body, 'currentStatus'), step.taskStatus, 'currentStatus of the refusal');
    checks.expect(Array.isArray(valueAt(body, 'allowedTransitions')), 'a refusal lists allowedTransitions');
  }
}

async function makeTransition(
  { client, checks, cast }: Stage,
  traveller: Traveller,
  step: TransitionStep,
  driver: Driver,
): Promise<void> {
  const path = await pathOfTask(client, cast.dispatcher, traveller, step.taskType);
  const what = `${step.transition} of the ${step.taskType}`;
  const isDrivers = DRIVER_ACTS.includes(step.transition);
  const caller = isDrivers ? (driver.app ?? cast.dispatcher) : cast.dispatcher;
  const answer = await client.command(caller, 'POST', path, {
    transition: step.transition,
    ...(step.transition === 'assign' ? { driver: driver.iri } : {}),
    ...(step.reason === undefined ? {} : { reason: step.reason }),
  });
  needStatus(checks, answer, 200, what);
  const isLate = textAt(answer.body, '@type') === 'Command';
  const task = isLate
    ? (await client.send(cast.dispatcher, 'GET', path.replace(/\/transition$/, ''))).body
    : answer.body;
  checks.faultless(faultsOfTask(task), what);
  checks.same(textAt(task, 'status'), step.taskStatus, `task status after ${what}`);
  checks.same(textAt(task, 'shipmentStatus'), step.shipmentStatus, `shipment status after ${what}`);
  if (step.transition === 'assign') checks.same(textAt(task, 'driver'), driver.iri, `driver after ${what}`);
}

async function pathOfTask(
  client: ServiceClient,
  caller: Caller,
  { id, tasks }: Traveller,
  taskType: string,
): Promise<string> {
  if (!tasks.has(taskType)) {
    const answer = await client.send(caller, 'GET', `/tasks?shipment=${id}`);
    for (const task of listAt(answer.body, 'member')) tasks.set(textAt(task, 'type'), textAt(task, '@id'));
  }
  const iri = tasks.get(taskType);
  if (iri === undefined) throw new StoryStopped(`Shipment ${id} has no ${taskType} task.`);
  return `${iri}/transition`;
}

async function untilItExists({ client, cast }: Stage, id: string): Promise<void> {
  const startedAtMs = performance.now();
  while (performance.now() - startedAtMs < CREATION_PATIENCE_MS) {
    // The dashboard is asked: the external API has a limit a minute.
    const answer = await client.send(cast.dispatcher, 'GET', `/tasks?shipment=${id}`);
    if (listAt(answer.body, 'member').length > 0) return;
    await delay(LOOK_EVERY_MS);
  }
  throw new StoryStopped(
    `Shipment ${id} was accepted and did not exist after ${CREATION_PATIENCE_MS / 1000} s.`,
  );
}

/** Without this answer the story has nothing to go on with. */
function needStatus(checks: Checks, answer: Answer, status: number, what: string): void {
  if (checks.same(answer.status, status, `${what}, status`)) return;
  throw new StoryStopped(`${what} was answered ${answer.status}: ${textAt(answer.body, 'detail')}`);
}
