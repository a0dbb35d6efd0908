import type { Journey } from './closing.ts';
import { faultsOfCollection } from './contract.ts';
import type { Stage, Traveller } from './journey.ts';
import type { Mailbox } from './mailbox.ts';
import { listAt, neededText, textAt, valueAt } from './reading.ts';
import { columns, type Terminal } from './terminal.ts';

/** The service's log of its deliveries, compared with what our receiver got (interpretation 46). */
export async function tellWebhookLog(
  { client, cast, checks }: Stage,
  terminal: Terminal,
  mailbox: Mailbox,
  journeys: readonly Journey[],
): Promise<void> {
  const rows: string[][] = [];
  for (const { traveller } of journeys) {
    const path = `/webhook-deliveries?shipment=${traveller.id}&order[createdAt]=asc&itemsPerPage=100`;
    const answer = await client.send(cast.admin, 'GET', path);
    checks.same(answer.status, 200, 'GET /webhook-deliveries');
    checks.faultless(faultsOfCollection(answer.body), 'GET /webhook-deliveries');
    const deliveries = listAt(answer.body, 'member');
    const logged = deliveries.map(
      (delivery) => `${textAt(delivery, 'status')} after ${String(valueAt(delivery, 'attemptCount'))}`,
    );
    const seen = mailbox
      .changesOf(traveller.id)
      .map((change) => `${mailbox.outcomeOf(change)} after ${change.length}`);
    checks.same(logged.toSorted(), seen.toSorted(), `the webhook log of shipment ${traveller.input.number}`);
    rows.push(...deliveries.map(logRow));
  }
  const [head = '', ...lines] = columns([
    ['last attempt', 'shipment', 'status', 'requests', 'last answer'],
    ...rows,
  ]);
  terminal.line();
  terminal.line(`    ${terminal.palette.dim(head)}`);
  for (const line of lines) terminal.line(`    ${/\bdead\b/.test(line) ? terminal.palette.red(line) : line}`);
}

/**
 * Sends one of a shipment's dead letters again, after our endpoint was mended: the same bytes come once more and are
 * taken. `mend` is called before.
 */
export async function replayDeadLetter(
  { client, cast, checks }: Stage,
  mailbox: Mailbox,
  { id }: Traveller,
  mend: () => void,
): Promise<void> {
  const dead = await client.send(cast.admin, 'GET', `/webhook-deliveries?shipment=${id}&status=dead`);
  const iri = neededText(dead.body, 'member.0.@id');
  const delivery = await client.send(cast.admin, 'GET', iri);
  const updatedAt = neededText(delivery.body, 'body.updatedAt');
  const change = mailbox.changesOf(id).find(([first]) => first.updatedAt === updatedAt);
  checks.same(
    textAt(delivery.body, 'rawBody'),
    change?.[0].bytes.toString('utf8'),
    'the logged body is what our endpoint got',
  );
  checks.same(listAt(delivery.body, 'attempts').length, 3, 'attempts logged for a dead letter');
  mend();
  mailbox.reopen(change?.[0].key ?? '');
  const answer = await client.send(cast.admin, 'POST', `${iri}/replay`);
  checks.same(answer.status, 202, 'POST /webhook-deliveries/{id}/replay');
}

function logRow(delivery: unknown): string[] {
  const statusCode = valueAt(delivery, 'lastStatusCode');
  return [
    textAt(delivery, 'lastAttemptAt').slice(11, 23),
    textAt(delivery, 'shipment').replace(/^.*\/([0-9a-f]{8}).*$/, '$1…'),
    textAt(delivery, 'status'),
    String(valueAt(delivery, 'attemptCount')),
    typeof statusCode === 'number' ? String(statusCode) : textAt(delivery, 'lastError'),
  ];
}
