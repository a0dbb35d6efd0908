import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { MetricRow } from '../../platform/metrics/metric-table.ts';
import { METRICS } from '../../platform/metrics/metric-table.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'metrics.md'), 'utf8');

function rowOf(name: string, { kind, from, help, labels }: MetricRow): string {
  const listed = Object.entries(labels).map(([label, values]) => {
    const shown = typeof values === 'string' ? values : values.map((value) => `\`${value}\``).join(', ');
    return `\`${label}\`: ${shown}`;
  });
  const by = from.length === 2 ? 'both' : from[0] === 'api' ? 'API' : 'worker';
  return `| \`${name}\` | ${kind} | ${by} | ${help} | ${listed.join('; ')} |`;
}

test('docs/metrics.md has a row for each metric, as the code keeps it', (t) => {
  const rows = page.split('\n').filter((line) => /^\| `[a-z_]+` +\| (?:counter|gauge|histogram) /.test(line));
  t.deepEqual(
    rows.map((row) => row.replace(/ +/g, ' ')),
    Object.entries<MetricRow>(METRICS).map(([name, row]) => rowOf(name, row).replace(/ +/g, ' ')),
  );
});
