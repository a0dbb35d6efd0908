import bidiFactory from 'bidi-js/dist/bidi.mjs';

import type { FontFace } from './font-chain.ts';
import type { FontSet, NamedFont } from './font-set.ts';
import type { HanForm } from './han-form.ts';

/** A stretch of one line in one font and one direction, ready to be shaped and drawn. */
export interface TextRun {
  readonly font: NamedFont;
  /** Letters in reading order (the shaper turns right-to-left ones round), brackets already mirrored. */
  readonly text: string;
  /** As `text`, but in the order in which the eye meets the letters from left to right. */
  readonly visualText: string;
  readonly isRightToLeft: boolean;
}

/** A paragraph whose letters have their font and their direction, before it is broken into lines. */
export interface TypesetParagraph {
  readonly letters: readonly Letter[];
  readonly isRightToLeft: boolean;
}

/** A letter with its marks. */
export interface Letter {
  /** As it was written; `text` is what is drawn: a bracket mirrored, a letter's plain form, a missing letter replaced. */
  readonly source: string;
  readonly text: string;
  readonly font: NamedFont;
  /** Embedding level: odd is right to left (Unicode Standard Annex 9). */
  readonly level: number;
  /** A non-joiner stood before it: it does not connect to the letter before. */
  readonly startsRun: boolean;
}

const NON_JOINER = '\u200c';
const ISOLATE = '\u2066';
const END_OF_ISOLATE = '\u2069';
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** Inside right-to-left text the groups of a phone number would change places: a driver would dial another. */
const PHONE_NUMBER = /[+0]\d(?:[ .\u00a0-]?\d){6,14}/gu;
const REPLACEMENT = '\ufffd';
/** What is left out where no font has it: a symbol is not a part of a name's spelling. */
const ORNAMENT = /^[\p{S}\p{P}\p{C}\p{M}]$/u;
const bidi = bidiFactory();

/** A letter with its marks: they are in one font, on one line, and are cut together. */
export const LETTERS_WITH_MARKS = /\P{M}[\p{M}\u200d]*|\p{M}+/gu;

/**
 * Gives each letter of one paragraph (no line breaks, already cleaned) its font and direction. With `auto` the paragraph's
 * direction is that of its first strong letter. A letter that no font has becomes one visible U+FFFD, a symbol is left out.
 */
export function typesetParagraph(
  text: string,
  face: FontFace,
  fonts: FontSet,
  direction: 'auto' | 'ltr',
): TypesetParagraph {
  const isolated = RIGHT_TO_LEFT.test(text)
    ? text.replace(PHONE_NUMBER, `${ISOLATE}$&${END_OF_ISOLATE}`)
    : text;
  const levels = bidi.getEmbeddingLevels(isolated, direction);
  const hanForm = fonts.hanFormOf(text);
  const letters: Letter[] = [];
  let startsRun = false;
  let hasGap = false;
  for (const { 0: source, index } of isolated.matchAll(LETTERS_WITH_MARKS)) {
    if (source === ISOLATE || source === END_OF_ISOLATE) continue;
    if (source === NON_JOINER) {
      startsRun = true;
      continue;
    }
    // What is left out leaves two spaces: one of them goes as well.
    if (hasGap && source === ' ' && (letters.at(-1)?.text ?? ' ') === ' ') continue;
    const level = levels.levels[index] ?? 0;
    const drawn = drawLetter(source, level, face, { fonts, hanForm, previous: letters.at(-1) });
    hasGap = drawn === undefined;
    if (drawn !== undefined) letters.push({ source, ...drawn, level, startsRun });
    startsRun = false;
  }
  return { letters, isRightToLeft: (levels.paragraphs[0]?.level ?? 0) % 2 === 1 };
}

interface Surroundings {
  readonly fonts: FontSet;
  readonly hanForm: HanForm | undefined;
  readonly previous: Letter | undefined;
}

/** How a letter with its marks is drawn: as it is, in its plain form, without the marks, or not at all. */
function drawLetter(
  source: string,
  level: number,
  face: FontFace,
  surroundings: Surroundings,
): Pick<Letter, 'text' | 'font'> | undefined {
  const { fonts, hanForm, previous } = surroundings;
  const find = (text: string) => fonts.find(text, face, hanForm, previous?.font);
  const mirrored = (level % 2 === 1 ? bidi.getMirroredCharacter(source) : null) ?? source;
  const ownFont = find(mirrored);
  if (ownFont !== undefined) return { text: mirrored, font: ownFont };
  const plain = source.normalize('NFKC');
  const plainFont = find(plain);
  if (plainFont !== undefined) return { text: plain, font: plainFont };
  const [letter = ''] = source;
  if (letter !== source) return drawLetter(letter, level, face, surroundings);
  const isKnown = previous?.text === REPLACEMENT && source !== REPLACEMENT;
  const font = fonts.find(REPLACEMENT, face, hanForm, undefined);
  return ORNAMENT.test(source) || isKnown || font === undefined ? undefined : { text: REPLACEMENT, font };
}

/**
 * Joins the letters of one line (without spaces at its end) into runs, in the order in which they stand from
 * left to right (UAX 9, L2).
 */
export function orderRuns(letters: readonly Letter[], isRightToLeft: boolean): TextRun[] {
  const baseLevel = isRightToLeft ? 1 : 0;
  const runs: { font: NamedFont; level: number; text: string }[] = [];
  letters.forEach((letter) => {
    const run = runs.at(-1);
    if (run?.font === letter.font && run.level === letter.level && !letter.startsRun) {
      run.text += letter.text;
      return;
    }
    runs.push({ font: letter.font, level: letter.level, text: letter.text });
  });
  return reverseByLevel(runs, baseLevel).map(({ font, level, text }) => toTextRun(font, level, text));
}

function reverseByLevel<Run extends { level: number }>(runs: readonly Run[], baseLevel: number): Run[] {
  const ordered = [...runs];
  const highest = Math.max(baseLevel, ...ordered.map((run) => run.level));
  for (let level = highest; level >= 1; level -= 1) {
    let start = 0;
    while (start < ordered.length) {
      let end = start;
      while ((ordered[end]?.level ?? -1) >= level) end += 1;
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end + 1;
    }
  }
  return ordered;
}

function toTextRun(font: NamedFont, level: number, text: string): TextRun {
  const isRightToLeft = level % 2 === 1;
  const reversed = Array.from(text).reverse().join('');
  // The shaper turns a run round when it sees a letter or digit of such a script in it, whatever its level.
  const isTurnedByShaper = RIGHT_TO_LEFT.test(text);
  return {
    font,
    text: isTurnedByShaper === isRightToLeft ? text : reversed,
    visualText: isRightToLeft ? reversed : text,
    isRightToLeft,
  };
}
