import { parseReference } from '../../domain/iri.ts';
import { Refusal } from '../../domain/problem.ts';
import { newId } from '../../store/new-id.ts';
import { findShipment } from '../../store/shipments.ts';
import { tenant } from '../../store/tenant.ts';
import { runSubject, sendCommand } from '../commands/send-command.ts';
import type { Dependencies } from '../dependencies.ts';
import { taken } from '../http/found.ts';
import type { UserActor } from '../http/route.ts';

/** A line of the result (contract «Bulk approve», gap 18). */
interface Result {
  readonly id: string;
  readonly status: 'approved' | 'error';
  readonly message?: string;
}

const CONCURRENT_APPROVALS = 16;

/** Approves each id on its own, sixteen at a time; what stands in one's way is told as its message. */
export async function approveAll(dependencies: Dependencies, actor: UserActor, ids: readonly string[]) {
  const results: Result[] = [];
  for (let start = 0; start < ids.length; start += CONCURRENT_APPROVALS) {
    const group = ids.slice(start, start + CONCURRENT_APPROVALS);
    results.push(...(await Promise.all(group.map((id) => approveOne(dependencies, actor, id)))));
  }
  const approved = results.filter(({ status }) => status === 'approved').length;
  return { total: results.length, approved, failed: results.length - approved, results };
}

async function approveOne(dependencies: Dependencies, actor: UserActor, text: string): Promise<Result> {
  const id = parseReference('shipment', text);
  if (id === undefined) return { id: text, status: 'error', message: 'It is no shipment id.' };
  try {
    const found = await findShipment(tenant(dependencies.database, actor.organizationId), id);
    const shipment = taken(found, 'shipment');
    const commandId = newId<'command'>();
    const answer = await sendCommand(dependencies, actor, {
      id: commandId,
      kind: 'approve',
      subject: runSubject(shipment),
      taskId: null,
      request: {},
      notice: { kind: 'approve', commandId },
    });
    if (answer === 'applied') return { id, status: 'approved' };
    return {
      id,
      status: 'error',
      message: `Accepted but not decided yet: see /api/v1/commands/${commandId}.`,
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { id, status: 'error', message: error.message };
  }
}
