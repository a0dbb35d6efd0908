import test from 'ava';
import { matches, searchWords } from '../../domain/text-search.ts';

test('a search finds names without their accents, vowel signs and case, in any order of words', (t) => {
  const found: readonly (readonly [typed: string, text: string])[] = [
    ['zoe', 'Zoé Garnier'],
    ['GARNIER zoé', 'Zoé Garnier'],
    ['احمد', 'أَحْمَد بن علي'],
    ['فاطمه', 'فاطمة الزهراء'],
    ['مصطفي', 'مصطفى'],
    ['', 'anything'],
  ];
  for (const [typed, text] of found) t.true(matches(searchWords(typed), text), `${typed} in ${text}`);
  t.false(matches(searchWords('zoe martin'), 'Zoé Garnier'));
});
