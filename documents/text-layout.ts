import { cleanLine, cleanText } from './clean-text.ts';
import type { FontFace } from './font-chain.ts';
import type { FontSet } from './font-set.ts';
import { breaksInside } from './line-breaks.ts';
import { LETTERS_WITH_MARKS, orderRuns, typesetParagraph } from './text-runs.ts';
import type { Letter, TextRun, TypesetParagraph } from './text-runs.ts';

export interface TextStyle {
  readonly face: FontFace;
  readonly sizePt: number;
  /** Distance from one baseline to the next. */
  readonly leadingPt: number;
}

export interface MeasuredRun extends TextRun {
  readonly widthPt: number;
}

export interface TextLine {
  readonly runs: readonly MeasuredRun[];
  readonly widthPt: number;
  readonly plainText: string;
  readonly isRightToLeft: boolean;
}

/** A text broken into lines. `plainText` is what a screen reader says. */
export interface TextBlock {
  readonly style: TextStyle;
  readonly lines: readonly TextLine[];
  readonly plainText: string;
  readonly widthPt: number;
  readonly heightPt: number;
  readonly isRightToLeft: boolean;
}

interface Fit {
  readonly widthPt: number;
  /** Lines beyond it are left out, the last one then ends with an ellipsis. */
  readonly maxLines?: number;
  /** `auto`, the default: that of each paragraph's first strong letter. */
  readonly direction?: 'auto' | 'ltr';
}

/** Breaks texts into lines with one document's fonts. */
export interface Typesetter {
  /** One paragraph; the text's own line breaks become spaces. Words wider than the line are broken. */
  readonly line: (text: string, style: TextStyle, fit?: Fit) => TextBlock;
  /** One line, set smaller where it would be wider than the space. */
  readonly shrinkToFit: (text: string, style: TextStyle, widthPt: number) => TextBlock;
  /** A text of several paragraphs, each line break kept. */
  readonly paragraphs: (text: string, style: TextStyle, fit: Fit) => TextBlock;
}

/** Makes a text setter; texts are typeset and widths measured once, however often a text is tried in another size. */
export function createTypesetter(fonts: FontSet): Typesetter {
  const widthsEm = new Map<string, number>();
  const paragraphs = new Map<string, MeasuredParagraph>();
  const measure = ({ font, text }: TextRun): number =>
    cached(
      widthsEm,
      `${font.name} ${text}`,
      () => font.font.layout(text).advanceWidth / font.font.unitsPerEm,
    );
  const typeset = (text: string, face: FontFace, direction: 'auto' | 'ltr'): MeasuredParagraph =>
    cached(paragraphs, `${face} ${direction} ${text}`, () =>
      measured(typesetParagraph(text, face, fonts, direction), measure),
    );
  const layOutParagraph = (text: string, style: TextStyle, fit: Fit): TextLine[] => {
    const paragraph = typeset(text, style.face, fit.direction ?? 'auto');
    const { isRightToLeft } = paragraph;
    const toLine = (line: readonly Letter[]): TextLine => {
      const runs = orderRuns(line, isRightToLeft).map((run) => ({
        ...run,
        widthPt: measure(run) * style.sizePt,
      }));
      const plainText = line.map((letter) => letter.source).join('');
      return { runs, widthPt: runs.reduce((sum, run) => sum + run.widthPt, 0), plainText, isRightToLeft };
    };
    return breakLines(paragraph, (fit.widthPt + 0.01) / style.sizePt)
      .map(trimEnd)
      .map(toLine);
  };
  const layOutText = (texts: readonly string[], style: TextStyle, fit: Fit): TextBlock => {
    const lines = texts.flatMap((text) => layOutParagraph(text, style, fit));
    const maxLines = fit.maxLines ?? lines.length;
    if (lines.length > maxLines) {
      const shorter = cutText(texts.join(' '), (text) => {
        return layOutParagraph(text, style, fit).length <= maxLines;
      });
      return toBlock(layOutParagraph(shorter, style, fit), texts.join('\n'), style);
    }
    return toBlock(lines, texts.join('\n'), style);
  };
  const line: Typesetter['line'] = (text, style, fit = { widthPt: Infinity }) =>
    layOutText([cleanLine(text)], style, fit);
  return {
    line,
    shrinkToFit: (text, style, widthPt) => {
      const block = line(text, style);
      if (block.widthPt <= widthPt) return block;
      return line(text, { ...style, sizePt: (style.sizePt * widthPt) / block.widthPt });
    },
    paragraphs: (text, style, fit) => layOutText(cleanText(text).trim().split('\n'), style, fit),
  };
}

function toBlock(lines: readonly TextLine[], plainText: string, style: TextStyle): TextBlock {
  return {
    style,
    lines,
    plainText,
    widthPt: Math.max(0, ...lines.map((line) => line.widthPt)),
    heightPt: lines.length * style.leadingPt,
    isRightToLeft: lines[0]?.isRightToLeft ?? false,
  };
}

/** Each line of a block as a block of its own, to be placed on pages one by one. */
export function splitLines(block: TextBlock): TextBlock[] {
  return block.lines.map((line) => toBlock([line], line.plainText, block.style));
}

function cached<Value>(values: Map<string, Value>, key: string, make: () => Value): Value {
  const value = values.get(key) ?? make();
  values.set(key, value);
  return value;
}

/** A paragraph that can be broken into lines of any width, in ems. */
interface MeasuredParagraph {
  readonly letters: readonly Letter[];
  readonly isRightToLeft: boolean;
  readonly widthEm: number;
  readonly words: readonly MeasuredWord[];
  readonly measureEm: (part: readonly Letter[]) => number;
}

interface MeasuredWord {
  readonly letters: readonly Letter[];
  readonly widthEm: number;
  /** Without the spaces at its end. */
  readonly trimmedWidthEm: number;
}

/** Words are measured one by one: letters do not join across a space. */
function measured(
  { letters, isRightToLeft }: TypesetParagraph,
  measure: (run: TextRun) => number,
): MeasuredParagraph {
  const measureEm = (part: readonly Letter[]): number =>
    orderRuns(part, isRightToLeft).reduce((sum, run) => sum + measure(run), 0);
  const words = splitWords(letters).map((word): MeasuredWord => ({
    letters: word,
    widthEm: measureEm(word),
    trimmedWidthEm: measureEm(trimEnd(word)),
  }));
  return { letters, isRightToLeft, widthEm: measureEm(letters), words, measureEm };
}

/**
 * Greedy: the longest prefix of words that fits; a word that fits no line is cut where the line is full. The
 * last word of a line counts without its spaces.
 */
function breakLines(paragraph: MeasuredParagraph, widthEm: number): (readonly Letter[])[] {
  const { letters, words, measureEm } = paragraph;
  if (paragraph.widthEm <= widthEm) return [letters];
  const lines: (readonly Letter[])[] = [];
  let line: Letter[] = [];
  let usedEm = 0;
  for (const word of words) {
    if (usedEm + word.trimmedWidthEm > widthEm && line.length > 0) {
      lines.push(line);
      line = [];
      usedEm = 0;
    }
    let rest = word;
    while (rest.trimmedWidthEm > widthEm) {
      const cut = longestFit(rest.letters, (part) => measureEm(part) <= widthEm);
      lines.push(rest.letters.slice(0, cut));
      const after = rest.letters.slice(cut);
      rest = { letters: after, widthEm: measureEm(after), trimmedWidthEm: measureEm(trimEnd(after)) };
    }
    line.push(...rest.letters);
    usedEm += rest.widthEm;
  }
  return line.length > 0 ? [...lines, line] : lines;
}

function trimEnd(letters: readonly Letter[]): readonly Letter[] {
  let end = letters.length;
  while (end > 0 && /^\s$/u.test(letters[end - 1]?.text ?? '')) end -= 1;
  return end === letters.length ? letters : letters.slice(0, end);
}

/** A word ends after its spaces, after a hyphen or slash inside it, and where its script allows a break without a space. */
function splitWords(letters: readonly Letter[]): Letter[][] {
  const words: Letter[][] = [];
  const breaks = breaksInside(letters.map(({ source }) => source));
  letters.forEach((letter, index) => {
    const previous = letters[index - 1]?.text ?? ' ';
    const isBreak = /^[\s/-]$/u.test(previous) && !/^[\u00a0\u202f]$/u.test(previous);
    const isBoundary = (isBreak || breaks.has(index)) && !/^\s$/u.test(letter.text);
    const word = words.at(-1);
    if (word === undefined || isBoundary) words.push([letter]);
    else word.push(letter);
  });
  return words;
}

/** At least one letter, and never within an Indian syllable, after the sign that joins two letters. */
function longestFit(word: readonly Letter[], fits: (line: readonly Letter[]) => boolean): number {
  let cut = lastThatFits(1, word.length, (count) => fits(word.slice(0, count)));
  while (cut > 1 && /\u094d\u200d?$/u.test(word[cut - 1]?.text ?? '')) cut -= 1;
  return cut;
}

function cutText(text: string, fits: (text: string) => boolean): string {
  const letters = text.match(LETTERS_WITH_MARKS) ?? [];
  const shorten = (count: number): string => `${letters.slice(0, count).join('').trimEnd()}…`;
  return shorten(lastThatFits(0, letters.length, (count) => fits(shorten(count))));
}

/** The last count before `tooMany` that fits, by halves; `least` is taken to fit. */
function lastThatFits(least: number, tooMany: number, fits: (count: number) => boolean): number {
  let [low, high] = [least, tooMany];
  while (low + 1 < high) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
