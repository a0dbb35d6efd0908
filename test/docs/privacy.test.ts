import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { PersonalTable } from '../../domain/personal-data.ts';
import { PEOPLE, PERSONAL_TABLES } from '../../domain/personal-data.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'privacy.md'), 'utf8');

function rowOf(name: string, { personal, purpose, kept, erasure }: PersonalTable): string {
  const people = PEOPLE.filter((person) => personal[person] !== undefined);
  const columns = [...new Set(Object.values(personal).flat())].map((column) => `\`${column}\``);
  return `| \`${name}\` | ${people.join(', ')} | ${columns.join(', ')} | ${purpose} | ${kept} | ${erasure} |`;
}

test('docs/privacy.md has a row for each table with data of people, as the code has it', (t) => {
  const rows = page
    .split('\n')
    .filter((line) => /^\| `[a-z_]+` +\| (?:recipient|contact|driver|user)/.test(line));
  t.deepEqual(
    rows.map((row) => row.replace(/ +/g, ' ')),
    Object.entries<PersonalTable>(PERSONAL_TABLES).map(([name, table]) => rowOf(name, table)),
  );
});
