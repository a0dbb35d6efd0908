import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { listAt, listOrEmpty, textAt } from '../harness/json.ts';

/** The files with which the service is watched. */

const ROOT = join(import.meta.dirname, '..', '..');

function textOf(...path: readonly string[]): string {
  return readFileSync(join(ROOT, ...path), 'utf8');
}

/** One rule of `ops/prometheus/alerts.yml`. */
export interface Alert {
  readonly name: string;
  readonly expression: string;
  readonly runbook: string;
}

/** Reads the alerts. */
export function readAlerts(): readonly Alert[] {
  const file: unknown = parse(textOf('ops', 'prometheus', 'alerts.yml'));
  return listAt(file, 'groups.0.rules').map((rule) => ({
    name: textAt(rule, 'alert'),
    expression: textAt(rule, 'expr'),
    runbook: textAt(rule, 'annotations.runbook'),
  }));
}

/** Reads the queries of the dashboard, with a window in place of Grafana's own. */
export function readDashboardQueries(): readonly string[] {
  const file: unknown = JSON.parse(textOf('ops', 'grafana', 'shipments.json'));
  return listAt(file, 'panels')
    .flatMap((panel) => listOrEmpty(panel, 'targets'))
    .map((target) => textAt(target, 'expr').replaceAll('$__rate_interval', '5m'));
}

/** Reads `docs/runbook.md`. */
export function readRunbook(): string {
  return textOf('docs', 'runbook.md');
}

/** Reads `docs/operations.md`. */
export function readOperations(): string {
  return textOf('docs', 'operations.md');
}

const OPERATORS = new Set(['and', 'or', 'unless', 'by', 'without', 'bool', 'on', 'ignoring']);

/** The names of the metrics in a query of Prometheus. */
export function metricsOf(expression: string): readonly string[] {
  const bare = expression
    .replace(/\{(?:[^}"]|"[^"]*")*\}/g, ' ')
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(/"[^"]*"/g, ' ')
    .replace(/\b(?:by|without)\s*\([^)]*\)/g, ' ');
  const words = [...bare.matchAll(/([a-z_][a-z0-9_]*)\s*(\(?)/gi)];
  return words.flatMap(([, word = '', call]) => (call === '(' || OPERATORS.has(word) ? [] : [word]));
}
