import pMap from 'p-map';
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
  let { commandWaitMs: waitMs } = dependencies.config;
  const approve = async (id: string): Promise<Result> => {
    const { result, isPending } = await approveOne(dependencies, actor, id, waitMs);
    // Where commands are not decided in time, those that wait already are the last that do.
    if (isPending) waitMs = 0;
    return result;
  };
  const results = await pMap(ids, approve, { concurrency: CONCURRENT_APPROVALS });
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
