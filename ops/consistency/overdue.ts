import type { Database } from '../../store/connection.ts';
import type { OverdueEvent, OverdueRow } from '../../store/consistency.ts';
import {
  overdueCommands,
  overdueDeadlines,
  overdueEvents,
  overdueRequests,
} from '../../store/consistency.ts';
import { pages } from './detect.ts';
import type { Finding } from './finding.ts';

/** More of one kind than this are one fault, not many: the rest is counted after a repair. */
const MAXIMUM_PER_KIND = 10_000;
/** Many deadlines that pass together are recorded within five minutes, on purpose. */
const DEADLINES_SPREAD_SECONDS = 360;

/** What waits in PostgreSQL for longer than it should. A failed command counts from its first second. */
export async function findOverdue(
  database: Database,
  olderThanSeconds: number,
  onProgress: (line: string) => void,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const collect = async <Row extends OverdueRow | OverdueEvent>(
    read: Parameters<typeof pages<Row>>[0],
    findingOf: (row: Row) => Finding,
  ): Promise<void> => {
    let count = 0;
    for await (const page of pages(read)) {
      findings.push(...page.map(findingOf));
      count += page.length;
      onProgress(`${findings.length} overdue`);
      if (count >= MAXIMUM_PER_KIND) return;
    }
  };
  await collect((after) => overdueCommands(database, 'received', olderThanSeconds, after), undecidedCommand);
  await collect((after) => overdueCommands(database, 'failed', 0, after), failedCommand);
  await collect((after) => overdueEvents(database, olderThanSeconds, after), pendingEvent);
  await collect((after) => overdueRequests(database, olderThanSeconds, after), openRequest);
  await collect(
    (after) => overdueDeadlines(database, olderThanSeconds + DEADLINES_SPREAD_SECONDS, after),
    passedDeadline,
  );
  return findings;
}

function undecidedCommand(row: OverdueRow): Finding {
  const detail = `command ${row.id} (${row.what}) is undecided after ${row.seconds} s`;
  const repair = { act: 'signal', subject: row } as const;
  return { kind: 'undecided_command', id: row.id, shipmentId: row.shipmentId, detail, repair };
}

function openRequest(row: OverdueRow): Finding {
  const detail = `the request for it (${row.what}) has no shipment after ${row.seconds} s`;
  const repair = { act: 'start', subject: row } as const;
  return { kind: 'request_without_shipment', id: row.id, shipmentId: row.shipmentId, detail, repair };
}

function passedDeadline(row: OverdueRow): Finding {
  const detail = `it is ${row.what}, and its deadline passed ${row.seconds} s ago without being recorded`;
  const repair = { act: 'signal', subject: row } as const;
  return { kind: 'unrecorded_deadline', id: row.id, shipmentId: row.shipmentId, detail, repair };
}

function failedCommand(row: OverdueRow): Finding {
  const detail = `command ${row.id} (${row.what}) was set aside as failed`;
  return { kind: 'failed_command', id: row.id, shipmentId: row.shipmentId, detail, repair: null };
}

/** A first sending is its shipment's workflow's work; a later round and a test event have workflows of their own. */
function pendingEvent(event: OverdueEvent): Finding {
  const { eventId, organizationId, round, shipmentId, trackingNumber, priority, seconds, what } = event;
  const isOfShipment = round === 0 && shipmentId !== null && trackingNumber !== null && priority !== null;
  return {
    kind: 'pending_event',
    id: eventId,
    shipmentId,
    detail: `event ${eventId} (${what}) is pending after ${seconds} s`,
    repair: isOfShipment
      ? { act: 'signal', subject: { shipmentId, organizationId, trackingNumber, priority } }
      : { act: 'send_event', input: { eventId, organizationId, shipmentId }, round },
  };
}
