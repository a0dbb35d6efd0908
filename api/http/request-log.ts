import type { Context, Middleware } from 'koa';
import type { CommandId, OrganizationId, ShipmentId } from '../../domain/ids.ts';
import type { MetricLabels } from '../../platform/metrics/metric-table.ts';
import { METRICS } from '../../platform/metrics/metric-table.ts';
import { observe } from '../../platform/metrics/metrics.ts';
import type { Logger } from '../../platform/log.ts';
import { shipmentWorkflowId } from '../../workflows/messages.ts';

/** What a request's line in the log says besides the request itself: ids alone, nothing personal. */
interface RequestFacts {
  organizationId?: OrganizationId;
  readonly commandIds: CommandId[];
  readonly workflowIds: Set<string>;
}

/** Of a request that sends many commands; the rest is counted. */
const MAX_LOGGED_IDS = 20;
/** Probes come every few seconds, and say nothing while all is well. */
const PROBES = '/health/';
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
    const level = route.startsWith(PROBES) ? 'debug' : 'info';
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
  const { organizationId, commandIds, workflowIds } = known;
  return {
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

/** Paths outside the routes that have one answer each. */
const PAGES: readonly string[] = ['/health/live', '/health/ready', '/.well-known/security.txt'];

const templates = new Map<string, string>();

/** The template of a request's path: of a route, or of a page outside the routes; `none` for any other path. */
function routeOf(context: Context): string {
  const matched: unknown = context['_matchedRoute'];
  if (typeof matched !== 'string') return pageOf(context);
  const known = templates.get(matched) ?? matched.replace(/:(\w+)/g, '{$1}');
  templates.set(matched, known);
  return known;
}

function pageOf(context: Context): string {
  const path = pathOf(context);
  if (PAGES.includes(path)) return path;
  if (path.startsWith('/t/')) return '/t/{token}';
  if (path === '/' || path === '/desk' || path.startsWith('/desk/')) return '/desk/{file}';
  return 'none';
}

/** Node takes targets that have no path (errors.ts `hasAddress`). */
function pathOf(context: Context): string {
  try {
    const path: unknown = context.path;
    return typeof path === 'string' ? path : '';
  } catch {
    return '';
  }
}

type Method = MetricLabels<'http_server_request_duration_seconds'>['method'];

function knownMethod(method: string): Method {
  const { method: known } = METRICS.http_server_request_duration_seconds.labels;
  return known.find((one) => one === method) ?? 'OTHER';
}
