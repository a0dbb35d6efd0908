/** Letters that are typed for one another in Arabic. */
const ALIKE: Readonly<Record<string, string>> = { ى: 'ي', ة: 'ه' };
const ASCII = /^[\u0000-\u007F]*$/;

/** A text as it is searched: without case, accents and vowel signs. */
export function folded(text: string): string {
  const small = text.toLowerCase();
  if (ASCII.test(small)) return small;
  return small
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[ىة]/g, (letter) => ALIKE[letter] ?? letter);
}

/** The words of what was typed, folded. */
export function searchWords(typed: string): readonly string[] {
  return folded(typed).split(/\s+/).filter(Boolean);
}

/** Whether a text has each of the folded words, in any order; without words every text does. */
export function matches(words: readonly string[], text: string): boolean {
  if (words.length === 0) return true;
  const searched = folded(text);
  return words.every((word) => searched.includes(word));
}
