// Left out: what has no shape of its own and could hide or reorder the text around it (control characters, bidirectional
// overrides, variation selectors, soft hyphens). Kept: the non-joiner, which Persian spells with, and the joiner
// after a virama, which Indian scripts spell with.
const INVISIBLE =
  /(?<!\u094d)\u200d|[^\P{Cc}\n]|[^\P{Cf}\u200c\u200d]|[^\P{Default_Ignorable_Code_Point}\u200c\u200d]/gu;
/** The ring that makes a digit an emoji is one too: the digit stays. */
const EMOJI = /[\p{Emoji_Presentation}\u20e3\p{Surrogate}]/gu;
/** No name has more marks on one letter; more would run into the lines above and below. */
const MARKS_BEYOND_FOUR = /(?<=\p{Mn}{4})\p{Mn}+/gu;

/**
 * Makes stored text safe to draw: composed letters (NFC); no control or invisible characters, no emoji. Line breaks
 * become `\n`, tabs become spaces.
 */
export function cleanText(text: string): string {
  return text
    .replace(EMOJI, '')
    .normalize('NFC')
    .replace(/\r\n?|[\u0085\u2028\u2029\v\f]/gu, '\n')
    .replace(/\t/gu, ' ')
    .replace(INVISIBLE, '')
    .replace(MARKS_BEYOND_FOUR, '');
}

/** As `cleanText`, and on one line: line breaks and runs of spaces become one space. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/gu, ' ').trim();
}
