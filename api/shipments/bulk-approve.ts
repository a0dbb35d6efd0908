import { parseReference } from '../../domain/iri.ts';
import type { Said } from '../../domain/messages.ts';
import { say } from '../../domain/messages.ts';
import { ProblemError, stated } from '../../domain/problem.ts';
import { findShipment } from '../../store/shipments/shipments.ts';
import { sendCommands, shipmentCommand } from '../commands/send-command.ts';
import { requireFound } from '../http/require-found.ts';
import type { RouteRequest } from '../http/route.ts';
import type { BulkApproveStatus } from './parse.ts';

/** A line of the result (contract «Bulk approve», interpretation 18). */
interface Result extends Partial<Said> {
  readonly id: string;
  readonly status: BulkApproveStatus;
}

/** What became of a command, as the result says it; an approval that changes nothing is one. */
const STATUS_OF = {
  applied: 'approved',
  unchanged: 'approved',
  pending: 'processing',
  error: 'error',
} as const satisfies Record<string, BulkApproveStatus>;

/** The shipments that a request names, each once: an id and its IRI name the same. What names none stays as it is written. */
export function distinctShipments(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => parseReference('shipment', name) ?? name))];
}

/** Approves each of the distinct shipments on its own; what prevents one is reported as its message. */
export async function approveAll(request: RouteRequest, distinct: readonly string[]) {
  const sent = await sendCommands(request, distinct, async (text) => {
    const id = parseReference('shipment', text);
    if (id !== undefined) {
      return shipmentCommand('approve', requireFound(await findShipment(request.scope, id), 'shipment'));
    }
    throw new ProblemError({
      kind: 'missing',
      ...stated(say('shipment_reference')),
    });
  });
  const results = sent.map(({ item, status, ...rest }): Result => ({
    id: item,
    status: STATUS_OF[status],
    ...rest,
  }));
  const numberOf = (wanted: BulkApproveStatus) => results.filter(({ status }) => status === wanted).length;
  return { total: results.length, approved: numberOf('approved'), failed: numberOf('error'), results };
}
