import test from 'ava';
import fc from 'fast-check';

import { escapeFormulas, unescapeFormulas } from '../../spreadsheet/formula-text.ts';

const UNITS = [';', '"', "'", '=', '+', '-', '@', '＝', '\t', '\r', '\n', ' ', '\u00a0', ',', 'a'] as const;

test('an apostrophe stands before each place where a formula could begin, and nowhere else', (t) => {
  const cases = [
    ['=1+1', "'=1+1"],
    ['+33612345678', "'+33612345678"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1', "'＝1"],
    ['\tx', "'\tx"],
    ['\rx', "'\rx"],
    [' =1', "' =1"],
    ['"=1"', '\'"=1"'],
    ['a;=1+1', "a;'=1+1"],
    ['a; "=1"', 'a;\' "=1"'],
    ['a\t=1', "a\t'=1"],
    ['- one\n- two', "'- one\n'- two"],
    ["'=1", "''=1"],
    ['\t=1', "'\t'=1"],
    ['a;\tb\n\tc', "a;'\tb\n'\tc"],
    ['one\r\n\r\ntwo', 'one\r\n\r\ntwo'],
    ["O'Brien, 'tis a=b; c-d", "O'Brien, 'tis a=b; c-d"],
    ['fragile;id_check', 'fragile;id_check'],
    ['', ''],
  ] as const;
  for (const [text, escaped] of cases) {
    t.is(escapeFormulas(text), escaped);
    t.is(unescapeFormulas(escaped), text);
  }
});

test('what is escaped and read again is the same text, whatever it is', (t) => {
  const text = fc.string({ unit: fc.constantFrom(...UNITS), maxLength: 12 });
  t.notThrows(() =>
    fc.assert(
      fc.property(text, (written) => unescapeFormulas(escapeFormulas(written)) === written),
      {
        numRuns: 5_000,
      },
    ),
  );
});
