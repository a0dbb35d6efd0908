import test from 'ava';

import { DELIVERY_NOTE_TEXTS, translateWord } from '../../documents/delivery-note-texts.ts';
import { hasSymbol, nameHandlingOption } from '../../documents/handling-symbols.ts';
import { HANDLING_OPTIONS, PACKAGE_SIZES, PRIORITIES, UNIT_TYPES } from '../../domain/enumerations.ts';

test('every handling option has its symbol, and a word in each language', (t) => {
  for (const option of HANDLING_OPTIONS) {
    t.true(hasSymbol(option), option);
    for (const style of ['en', 'fr', 'neutral'] as const) {
      t.not(nameHandlingOption(option, style), option, `${option} in ${style}`);
    }
  }
});

test('every priority, package size and unit has a word in each language', (t) => {
  for (const texts of Object.values(DELIVERY_NOTE_TEXTS)) {
    for (const word of [...PRIORITIES, ...PACKAGE_SIZES, ...UNIT_TYPES]) {
      t.true(Object.hasOwn(texts.words, word), `${word} in ${texts.title}`);
    }
  }
});

test('a word that merely names a property of every object is printed as it is', (t) => {
  t.is(translateWord(DELIVERY_NOTE_TEXTS.en, 'constructor'), 'constructor');
  t.is(nameHandlingOption('toString', 'fr'), 'toString');
  t.false(hasSymbol('toString'));
});
