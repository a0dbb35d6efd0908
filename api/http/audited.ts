import type { Context } from 'koa';
import type { AuditCaller, AuditNote } from '../../store/audit/audit-events.ts';
import { recordAudit } from '../../store/audit/audit-events.ts';
import type { Tenant } from '../../store/tenant.ts';
import { inTenantTransaction } from '../../store/tenant.ts';
import { clientAddress } from './client-address.ts';
import { requestIdOf } from './errors.ts';
import { ProblemError } from '../../domain/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Actor, RouteRequest } from './route.ts';

/** From where a request comes, for the audit log. */
export function originOf(context: Context): Pick<AuditCaller, 'address' | 'requestId'> {
  return { address: clientAddress(context), requestId: requestIdOf(context) };
}

function callerOf({
  actor,
  context,
  operation,
}: Pick<RouteRequest, 'actor' | 'context' | 'operation'>): AuditCaller {
  const { organizationId, userId } = actor;
  return { organizationId, by: { userId }, operation, ...originOf(context) };
}

/**
 * Runs a write of a signed-in user and records it in the same transaction (decision 0040). `noteOf` says what is recorded of its
 * result; undefined where nothing was written.
 */
export function audited<Result>(
  request: RouteRequest,
  write: (scope: Tenant) => Promise<Result>,
  noteOf: (result: Result) => AuditNote | undefined,
): Promise<Result> {
  return inTenantTransaction(request.scope, async (scope) => {
    const result = await write(scope);
    const note = noteOf(result);
    if (note !== undefined) await recordAudit(scope.executor, callerOf(request), note);
    return result;
  });
}

/** Records what a signed-in user is about to be shown or given. It is not shown where that fails. */
export function recordAct(request: RouteRequest, note: AuditNote): Promise<void> {
  return recordAudit(request.dependencies.database, callerOf(request), note);
}

/** Records that a signed-in user was answered 403. Never rejects: the answer is the same where it could not be recorded. */
export async function recordRejectedAccess(
  error: unknown,
  request: {
    readonly actor: Actor | null;
    readonly context: Context;
    readonly dependencies: Dependencies;
    readonly operation: string;
  },
): Promise<void> {
  const { actor, context, dependencies, operation } = request;
  if (actor?.kind !== 'user') return;
  if (!(error instanceof ProblemError) || error.problem.kind !== 'forbidden') return;
  const caller = callerOf({ actor, context, operation });
  await recordAudit(dependencies.database, caller, { kind: 'access.rejected' }).catch(() => {
    dependencies.log.warn({ requestId: caller.requestId }, 'a rejected access could not be recorded');
  });
}
