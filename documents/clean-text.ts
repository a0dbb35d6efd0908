// Left out: what has no shape of its own and could hide or reorder the text around it (control characters,
// bidirectional overrides, variation selectors, soft hyphens). Kept: the non-joiner, which Persian spells with.
const INVISIBLE = /[^\P{Cc}\n]|[^\P{Cf}\u200c]|[\ufe00-\ufe0f]/gu;
const LONE_SURROGATE = /\p{Surrogate}/gu;
const REPLACEMENT = '\ufffd';

/**
 * Makes stored text safe to draw: composed letters (NFC), no control or invisible characters, a lone
 * surrogate shown as the replacement character. Line breaks become `\n`, tabs become spaces.
 */
export function cleanText(text: string): string {
  return text
    .replace(LONE_SURROGATE, REPLACEMENT)
    .normalize('NFC')
    .replace(/\r\n?|[\u0085\u2028\u2029\v\f]/gu, '\n')
    .replace(/\t/gu, ' ')
    .replace(INVISIBLE, '');
}

/** As `cleanText`, and on one line: line breaks and runs of spaces become one space. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/gu, ' ').trim();
}
