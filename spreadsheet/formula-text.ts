// A text that begins with = + - @ (also in full width) is a formula to a spreadsheet program. In CSV a cell begins in more
// places than one: to a program that splits at semicolons or tabs our commas and quotes are plain text, so that a cell begins
// after each separator inside a text and a row after each line break (decision 0028). A tab or a carriage return
// at the beginning of a cell is skipped by some programs.
const PLACES = [
  { after: String.raw`^|[;\t\r\n]`, before: String.raw`[ \u00a0"]*[=+\-@\uff1d\uff0b\uff0d\uff20]` },
  { after: '^|;', before: String.raw`"*[\t\r]` },
  { after: String.raw`[\r\n]`, before: String.raw`"*\t` },
] as const;
const ESCAPED = placesOf('');
const UNESCAPED = placesOf("'");

/** Finds the places, past apostrophes that the text itself has there. */
function placesOf(apostrophe: string): RegExp {
  const places = PLACES.map(({ after, before }) => `(?<=${after})${apostrophe}(?='*${before})`);
  return new RegExp(places.join('|'), 'gu');
}

/**
 * Puts an apostrophe into each place of a text where a program could begin to read a formula, whichever separator it splits at.
 */
export function escapeFormulas(text: string): string {
  return text.replace(ESCAPED, "'");
}

/** Takes away what `escapeFormulas` put in: for every text, the two together change nothing. */
export function unescapeFormulas(text: string): string {
  return text.replace(UNESCAPED, '');
}
