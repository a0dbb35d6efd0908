import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { SpanRow } from '../../platform/tracing/span-table.ts';
import { SPANS } from '../../platform/tracing/span-table.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'tracing.md'), 'utf8');

function rowOf({ title, from, kind, parent, help, attributes }: SpanRow): string {
  const listed = Object.entries(attributes).map(([name, meaning]) => `\`${name}\`: ${meaning}`);
  const process = from === 'api' ? 'API' : 'worker';
  return `| ${title} | ${process} | ${kind} | ${parent} | ${help} | ${listed.join('; ')} |`;
}

test('docs/tracing.md has a row for each span, as the code makes it', (t) => {
  const rows = page
    .slice(page.indexOf('## Spans'))
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2);
  t.deepEqual(
    rows.map((row) => row.replace(/ +/g, ' ')),
    Object.values<SpanRow>(SPANS).map((row) => rowOf(row).replace(/ +/g, ' ')),
  );
});
