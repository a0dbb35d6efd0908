import { setTimeout as delay } from 'node:timers/promises';
import { faultsOfExternalDetail, faultsOfShipment } from './contract.ts';
import type { Deployment } from './deployment.ts';
import { describe } from './input.ts';
import type { Stage, Traveller } from './journey.ts';
import { differencesOf, type Mailbox } from './mailbox.ts';
import { FINAL_STATUS, notificationsOf, type Step } from './plan.ts';
import { listAt, textAt } from './reading.ts';
import { mailboxLines } from './telling.ts';
import { columns, type Terminal } from './terminal.ts';

/** A shipment that has gone its way, with the steps it took. */
export interface Journey {
  readonly traveller: Traveller;
  readonly steps: readonly Step[];
}

const SETTLE_PATIENCE_MS = 90_000;
const LOOK_EVERY_MS = 100;

/** Waits until every notification has come and none is waited for any more; gives up after a while, for the checks to tell. */
export async function untilSettled(
  mailbox: Mailbox,
  journeys: readonly Journey[],
  onWait: (open: number) => void,
): Promise<void> {
  const startedAtMs = performance.now();
  while (performance.now() - startedAtMs < SETTLE_PATIENCE_MS) {
    const open = journeys.filter((journey) => !isSettled(mailbox, journey)).length;
    if (open === 0) return;
    onWait(open);
    await delay(LOOK_EVERY_MS);
  }
}

/** Compares what arrived for each shipment with what its steps had to cause. */
export function checkNotifications({ checks }: Stage, mailbox: Mailbox, journeys: readonly Journey[]): void {
  for (const { traveller, steps } of journeys) {
    const expected = steps.flatMap(notificationsOf);
    const differences = differencesOf(mailbox.changesOf(traveller.id), expected);
    checks.faultless(differences, `notifications of shipment ${traveller.input.number} (${traveller.id})`);
  }
}

/** Reads a shipment once more and compares its status and its timeline with the steps it took. A withdrawn one is asked of the external API. */
export async function checkEnd(stage: Stage, { traveller, steps }: Journey): Promise<unknown> {
  const { client, cast, checks } = stage;
  const { input, id, iri } = traveller;
  const isWithdrawn = input.ending === 'withdrawn';
  const answer = await client.send(isWithdrawn ? cast.admin : cast.dispatcher, 'GET', iri);
  if (isWithdrawn) {
    checks.same(answer.status, 404, `a withdrawn shipment (${id}) leaves the dashboard`);
    return undefined;
  }
  checks.same(answer.status, 200, 'GET /shipments/{id}');
  checks.faultless(faultsOfShipment(answer.body), `shipment ${id}`);
  checks.same(textAt(answer.body, 'status'), FINAL_STATUS[input.ending], `final status of shipment ${id}`);
  const told = listAt(answer.body, 'timeline').map(
    (entry) => `${textAt(entry, 'transition')} ${textAt(entry, 'taskType')} ${textAt(entry, 'taskStatus')}`,
  );
  const wanted = steps.flatMap((step) =>
    step.act === 'transition' ? [`${step.transition} ${step.taskType} ${step.taskStatus}`] : [],
  );
  checks.expect(isSubsequence(wanted, told), `timeline of ${id} tells ${wanted.join('; ')}`, told);
  return answer.body;
}

/** Shows a shipment's whole life: what it was, its timeline, its notifications, and its page in the Web UI. */
export async function tellEnd(
  stage: Stage,
  journey: Journey,
  mailbox: Mailbox,
  { terminal, deployment }: { terminal: Terminal; deployment: Deployment },
): Promise<void> {
  const { bold, cyan, dim } = terminal.palette;
  const { traveller } = journey;
  const shipment = await checkEnd(stage, journey);
  terminal.line();
  terminal.line(
    `  ${bold(textAt(shipment, 'trackingNumber'))} ${describe(traveller.input)}: ${bold(textAt(shipment, 'status'))}`,
  );
  const rows = listAt(shipment, 'timeline').map((entry) => [
    textAt(entry, 'occurredAt').slice(11, 23),
    textAt(entry, 'transition') || textAt(entry, 'event'),
    `${textAt(entry, 'taskType')} ${textAt(entry, 'taskStatus')}`.trim(),
    textAt(entry, 'status'),
    textAt(entry, 'reason'),
  ]);
  const [head = '', ...lines] = columns([['timeline', 'what', 'task', 'shipment', 'reason'], ...rows]);
  terminal.line(`    ${dim(head)}`);
  for (const line of lines) terminal.line(`    ${line}`);
  for (const line of mailboxLines(terminal.palette, mailbox.changesOf(traveller.id))) terminal.line(line);
  const link = workflowLink(deployment, traveller.id);
  if (link !== undefined) terminal.line(`    ${cyan(link)}`);
}

/** The external API's view of a shipment that a shop created (contract «External shipment detail»). */
export async function checkExternalView(
  { client, cast, checks }: Stage,
  { traveller }: Journey,
  driverName: string,
): Promise<void> {
  const answer = await client.send(cast.shop, 'GET', `/external/shipments/${traveller.id}`);
  checks.same(answer.status, 200, 'GET /external/shipments/{id}');
  checks.faultless(faultsOfExternalDetail(answer.body), 'the external detail');
  checks.same(textAt(answer.body, 'driver.name'), driverName, 'driver of the external detail');
  checks.same(
    textAt(answer.body, 'externalReference'),
    textAt(traveller.input.fields, 'externalReference'),
    'externalReference of the external detail',
  );
}

/** The page of a shipment's workflow in Temporal's Web UI; undefined where its address is not known. */
export function workflowLink(
  { temporalUiUrl, temporalNamespace }: Deployment,
  id: string,
): string | undefined {
  if (temporalUiUrl === null) return undefined;
  return `${temporalUiUrl}/namespaces/${temporalNamespace}/workflows/shipment-${id}`;
}

function isSettled(mailbox: Mailbox, { traveller, steps }: Journey): boolean {
  const changes = mailbox.changesOf(traveller.id);
  const isOpen = changes.some((change) => mailbox.outcomeOf(change) === 'open');
  return !isOpen && changes.length >= steps.flatMap(notificationsOf).length;
}

/** Whether `wanted` occurs in `told` in this order, with others between. */
function isSubsequence(wanted: readonly string[], told: readonly string[]): boolean {
  let next = 0;
  for (const entry of told) if (entry === wanted[next]) next += 1;
  return next === wanted.length;
}
