import { iriOf, parseReference } from '../../domain/iri.ts';
import { ProblemError } from '../../domain/problem.ts';
import { newId } from '../../store/new-id.ts';
import { findShipment } from '../../store/shipments/shipments.ts';
import { tenant } from '../../store/tenant.ts';
import { workflowSubject, sendCommand } from '../commands/send-command.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireFound } from '../http/require-found.ts';
import type { UserActor } from '../http/route.ts';

/** A line of the result (contract «Bulk approve», interpretation 18). */
interface Result {
  readonly id: string;
  readonly status: 'approved' | 'error';
  readonly message?: string;
}

const CONCURRENT_APPROVALS = 16;

/** Approves each id on its own, sixteen at a time; what prevents one is reported as its message. */
export async function approveAll(dependencies: Dependencies, actor: UserActor, ids: readonly string[]) {
  const results: Result[] = [];
  let { commandWaitMs: waitMs } = dependencies.config;
  for (let start = 0; start < ids.length; start += CONCURRENT_APPROVALS) {
    const group = ids.slice(start, start + CONCURRENT_APPROVALS);
    const outcomes = await Promise.all(group.map((id) => approveOne(dependencies, actor, id, waitMs)));
    // Without a worker the wait happens once, not for each group.
    if (outcomes.some(({ isPending }) => isPending)) waitMs = 0;
    results.push(...outcomes.map(({ result }) => result));
  }
  const approved = results.filter(({ status }) => status === 'approved').length;
  return { total: results.length, approved, failed: results.length - approved, results };
}

interface ApprovalOutcome {
  readonly result: Result;
  readonly isPending: boolean;
}

async function approveOne(
  dependencies: Dependencies,
  actor: UserActor,
  text: string,
  waitMs: number,
): Promise<ApprovalOutcome> {
  const id = parseReference('shipment', text);
  if (id === undefined) return failed(text, 'Must be the id or IRI of a shipment.');
  try {
    const found = await findShipment(tenant(dependencies.database, actor.organizationId), id);
    const shipment = requireFound(found, 'shipment');
    const commandId = newId<'command'>();
    const answer = await sendCommand(
      dependencies,
      actor,
      {
        id: commandId,
        kind: 'approve',
        subject: workflowSubject(shipment),
        taskId: null,
        request: {},
        signal: { name: 'approve', commandId },
      },
      waitMs,
    );
    if (answer === 'applied') return { result: { id, status: 'approved' }, isPending: false };
    const pending = failed(id, `Accepted, still pending: see ${iriOf('command', commandId)}.`);
    return { ...pending, isPending: true };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return failed(id, error.message);
  }
}

function failed(id: string, message: string): ApprovalOutcome {
  return { result: { id, status: 'error', message }, isPending: false };
}
