import LineBreaker from 'linebreak';

/** Scripts that write a sentence without spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
/** Thai may break between words alone, which a dictionary finds. */
const THAI = /[\p{Script=Thai}]+/gu;
const thaiWords = new Intl.Segmenter('th', { granularity: 'word' });

/**
 * Returns the letters, by their index, before which a line may break though no space stands there: between Chinese, Japanese and
 * Korean letters, but not before a closing or after an opening mark (Unicode Standard Annex 14), and between Thai words.
 * None for texts of other scripts.
 */
export function breaksInside(letters: readonly string[]): ReadonlySet<number> {
  const text = letters.join('');
  if (!UNSPACED.test(text)) return new Set();
  const places = new Set([...standardBreaks(text), ...thaiBreaks(text)]);
  const breaks = new Set<number>();
  let at = 0;
  letters.forEach((letter, index) => {
    if (places.has(at)) breaks.add(index);
    at += letter.length;
  });
  return breaks;
}

function standardBreaks(text: string): number[] {
  const breaker = new LineBreaker(text);
  const places: number[] = [];
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) places.push(next.position);
  return places;
}

function thaiBreaks(text: string): number[] {
  return Array.from(text.matchAll(THAI)).flatMap(({ 0: stretch, index }) =>
    Array.from(thaiWords.segment(stretch), (word) => index + word.index).filter((place) => place > index),
  );
}
