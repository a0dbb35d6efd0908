import test from 'ava';

import { hasSymbol } from '../../documents/handling-symbols.ts';
import { translateWord, WORDS } from '../../documents/words.ts';
import { HANDLING_OPTIONS, PACKAGE_SIZES, PRIORITIES, UNIT_TYPES } from '../../domain/enumerations.ts';

test('every handling option has its symbol, and a word in each language', (t) => {
  for (const option of HANDLING_OPTIONS) {
    t.true(hasSymbol(option), option);
    for (const style of ['en', 'fr', 'neutral'] as const) {
      t.not(translateWord(option, style), option, `${option} in ${style}`);
    }
  }
});

test('every priority, package size and unit has a word in each language', (t) => {
  for (const word of [...PRIORITIES, ...PACKAGE_SIZES, ...UNIT_TYPES]) {
    t.truthy(WORDS[word]?.en, word);
    t.truthy(WORDS[word]?.fr, word);
  }
});

test('a word that merely names a property of every object is printed as it is', (t) => {
  t.is(translateWord('constructor', 'en'), 'constructor');
  t.is(translateWord('toString', 'fr'), 'toString');
  t.false(hasSymbol('toString'));
});
