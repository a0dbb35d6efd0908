import { parseReference } from '../../domain/iri.ts';
import { ProblemError } from '../../domain/problem.ts';
import { findShipment } from '../../store/shipments/shipments.ts';
import { sendCommands, shipmentCommand } from '../commands/send-command.ts';
import { requireFound } from '../http/require-found.ts';
import type { RouteRequest } from '../http/route.ts';

/** A line of the result (contract «Bulk approve», interpretation 18). */
interface Result {
  readonly id: string;
  readonly status: 'approved' | 'error';
  readonly message?: string;
}

/** Approves each id on its own; what prevents one is reported as its message. */
export async function approveAll(request: RouteRequest, ids: readonly string[]) {
  const sent = await sendCommands(request, ids, async (text) => {
    const id = parseReference('shipment', text);
    if (id !== undefined) {
      return shipmentCommand('approve', requireFound(await findShipment(request.scope, id), 'shipment'));
    }
    throw new ProblemError({ kind: 'missing', detail: 'Must be the id or IRI of a shipment.' });
  });
  const results = sent.map(({ item, status, ...rest }): Result => ({
    id: parseReference('shipment', item) ?? item,
    status: status === 'applied' ? 'approved' : 'error',
    ...rest,
  }));
  const approved = results.filter(({ status }) => status === 'approved').length;
  return { total: results.length, approved, failed: results.length - approved, results };
}
