import type { Context, Middleware } from 'koa';
import type { CommandId, OrganizationId, ShipmentId } from '../../domain/ids.ts';
import { observe } from '../../platform/metrics/metrics.ts';
import type { Logger } from '../../platform/log.ts';
import type { TraceContext } from '../../platform/tracing/trace-context.ts';
import { shipmentWorkflowId } from '../../workflows/messages.ts';
import { isProbe, knownMethod, routeOf } from './request-route.ts';

/** What a request's line in the log says besides the request itself: ids alone, nothing personal. */
interface RequestFacts {
  organizationId?: OrganizationId;
  trace?: TraceContext;
  readonly commandIds: CommandId[];
  readonly workflowIds: Set<string>;
}

/** Of a request that sends many commands; the rest is counted. */
const MAX_LOGGED_IDS = 20;
/** A client's own id for a request: long enough to be no phone number, with no character of an e-mail address. */
const CLIENT_REQUEST_ID = /^[\w-]{16,64}$/;

const facts = new WeakMap<Context, RequestFacts>();

function factsOf(context: Context): RequestFacts {
  const known = facts.get(context) ?? { commandIds: [], workflowIds: new Set() };
  facts.set(context, known);
  return known;
}

/** Notes for the log whose request it is. */
export function noteOrganization(context: Context, organizationId: OrganizationId): void {
  factsOf(context).organizationId = organizationId;
}

/** Whose request it is, where that is known. */
export function organizationOf(context: Context): OrganizationId | undefined {
  return facts.get(context)?.organizationId;
}

/** Notes where a request stands in its trace. */
export function noteTrace(context: Context, trace: TraceContext | null): void {
  if (trace !== null) factsOf(context).trace = trace;
}

/** Where a request stands in its trace, for what it causes; null where it has none. */
export function traceOf(context: Context): TraceContext | null {
  return facts.get(context)?.trace ?? null;
}

/** Notes for the log that a request creates or changes a shipment, and by which command. */
export function noteWork(context: Context, shipmentId: ShipmentId, commandId?: CommandId): void {
  const { commandIds, workflowIds } = factsOf(context);
  workflowIds.add(shipmentWorkflowId(shipmentId));
  if (commandId !== undefined) commandIds.push(commandId);
}

/**
 * Logs one line for each request when its answer is ready to be sent, and counts the request by its route's template.
 * `requestIdOf` reads the id that the answer has.
 */
export function requestLog(log: Logger, requestIdOf: (context: Context) => string): Middleware {
  return async (context, next) => {
    const startedAtMs = performance.now();
    await next();
    const seconds = (performance.now() - startedAtMs) / 1_000;
    const route = routeOf(context);
    const { method, status } = context;
    observe(
      'http_server_request_duration_seconds',
      { route, method: knownMethod(method), status: String(status) },
      seconds,
    );
    const level = isProbe(context) ? 'debug' : 'info';
    if (!log.isLevelEnabled(level)) return;
    const clientRequestId = context.get('x-request-id');
    log[level](
      {
        requestId: requestIdOf(context),
        ...(CLIENT_REQUEST_ID.test(clientRequestId) && { clientRequestId }),
        method,
        route,
        status,
        durationMs: Math.round(seconds * 10_000) / 10,
        ...logged(facts.get(context)),
      },
      'request completed',
    );
  };
}

function logged(known: RequestFacts | undefined) {
  if (known === undefined) return {};
  const { organizationId, trace, commandIds, workflowIds } = known;
  return {
    ...(trace !== undefined && { traceId: trace.traceId }),
    organizationId,
    ...several('commandId', commandIds),
    ...several('workflowId', [...workflowIds]),
  };
}

/** One id under its name, several as a list with their number. */
function several(name: string, ids: readonly string[]): Readonly<Record<string, unknown>> {
  if (ids.length < 2) return ids.length === 0 ? {} : { [name]: ids[0] };
  return { [`${name}s`]: ids.slice(0, MAX_LOGGED_IDS), [`${name}Count`]: ids.length };
}
