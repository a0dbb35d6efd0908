import test from 'ava';
import { deadCitations, missingFiles, targetsOf, textFiles } from './references.ts';

const files = textFiles();
const targets = targetsOf(files);

test('the interpretations are numbered from 1 without a hole, each with the files where it lives', (t) => {
  const numbers = [...targets.interpretations].map(Number);
  t.deepEqual(
    numbers,
    numbers.map((_, index) => index + 1),
  );
  const page = files.find(({ path }) => path === 'docs/interpretations.md')?.text ?? '';
  t.is([...page.matchAll(/^Lives in `/gm)].length, numbers.length);
  t.true(numbers.length >= 47);
});

test('every interpretation, decision, section and page that a file cites exists', (t) => {
  t.true(files.length > 500);
  t.deepEqual(
    files.flatMap((file) => deadCitations(file, targets)),
    [],
  );
});

test('every file that a comment or a page names exists', (t) => {
  t.deepEqual(
    files.flatMap((file) => missingFiles(file, files)),
    [],
  );
});

/** Samples are written with braces that are taken out here, so that this file itself cites nothing that is dead. */
const sample = (text: string): string => text.replaceAll(/[{}]/g, '');

const DEAD = [
  'interpretation {999}',
  'interpretations 1, 2 and{} 999',
  'see decision {0999}',
  'contract {«Errors», «No such section»}',
  'docs/contract.md {«No such section»}',
  'README {«No such section»}',
  'gap {12}',
  'the design {«Flow»}',
  'Issue {7}, 1',
  'contract rule {3}',
].map(sample);

for (const text of DEAD) {
  test(`«${text}» is found to be dead, in one line and in two`, (t) => {
    t.is(deadCitations({ path: 'x.ts', text: `// ${text}.` }, targets).length, 1);
    const broken = text.replace(' ', '\n * ');
    t.is(deadCitations({ path: 'x.ts', text: `/**\n * ${broken}.\n */` }, targets).length, 1);
  });
}

test('a citation that resolves is not found', (t) => {
  const text = '(interpretations 8 to 15, decision 0013, contract «Errors», docs/contract.md «Errors»)';
  t.deepEqual(deadCitations({ path: 'x.ts', text }, targets), []);
});

test('a file that does not exist is found by its path, and in a page by its name', (t) => {
  const [path, name] = [sample('domain/{nothing}.ts'), sample('{nothing}.ts')];
  t.deepEqual(missingFiles({ path: 'x.ts', text: `see ${path}` }, files), [`x.ts: ${path}`]);
  t.deepEqual(missingFiles({ path: 'x.md', text: `see \`${name}\`` }, files), [`x.md: ${name}`]);
});
