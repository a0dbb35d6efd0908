const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The first letters of a text as a person counts them: an emoji of several code points is one. */
export function firstLetters(text: string, count: number): string {
  let found = '';
  let counted = 0;
  for (const { segment } of segments.segment(text)) {
    if (counted === count) break;
    found += segment;
    counted += 1;
  }
  return found;
}
