import type { Context } from 'koa';
import type { MetricLabels } from '../../platform/metrics/metric-table.ts';
import { METRICS } from '../../platform/metrics/metric-table.ts';

/** Paths outside the routes that have one answer each. */
const PAGES: readonly string[] = ['/health/live', '/health/ready', '/.well-known/security.txt'];

const templates = new Map<string, string>();

/** The template of a request's path: of a route, or of a page outside the routes; `none` for any other path. Known at its end. */
export function routeOf(context: Context): string {
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

/** Whether a request is a probe: they come every few seconds, and say nothing while all is well. */
export function isProbe(context: Context): boolean {
  return pathOf(context).startsWith('/health/');
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

/** A method as metrics and spans name it. */
type Method = MetricLabels<'http_server_request_duration_seconds'>['method'];

/** The method where it is one of the known ones, else `OTHER`. */
export function knownMethod(method: string): Method {
  const { method: known } = METRICS.http_server_request_duration_seconds.labels;
  return known.find((one) => one === method) ?? 'OTHER';
}
