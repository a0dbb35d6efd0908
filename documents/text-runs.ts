import bidiFactory from 'bidi-js/dist/bidi.mjs';
import type { EmbeddingLevels } from 'bidi-js';

import { FALLBACKS } from './fonts.ts';
import type { FontFace, FontName, FontSet } from './fonts.ts';

/** A stretch of one line in one font and one direction, ready to be shaped and drawn. */
export interface TextRun {
  readonly font: FontName;
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

export interface Letter {
  /** As it was written; `text` is what is drawn: a bracket mirrored, a missing letter replaced. */
  readonly source: string;
  readonly text: string;
  readonly font: FontName;
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
const bidi = bidiFactory();

/**
 * Gives each letter of one paragraph (no line breaks, already cleaned) its font and direction. With
 * `auto` the paragraph's direction is that of its first strong letter. A letter that no font has becomes one
 * visible U+FFFD.
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
  const letters: Letter[] = [];
  let startsRun = false;
  let index = 0;
  for (const character of isolated) {
    const at = index;
    index += character.length;
    if (character === ISOLATE || character === END_OF_ISOLATE) continue;
    if (character === NON_JOINER) {
      startsRun = true;
      continue;
    }
    const letter = toLetter(character, levels, at, letters.at(-1), face, fonts);
    const isSecondReplacement = letter.text === REPLACEMENT && letters.at(-1)?.text === REPLACEMENT;
    if (!isSecondReplacement || character === REPLACEMENT) letters.push({ ...letter, startsRun });
    startsRun = false;
  }
  return { letters, isRightToLeft: (levels.paragraphs[0]?.level ?? 0) % 2 === 1 };
}

function toLetter(
  character: string,
  levels: EmbeddingLevels,
  at: number,
  previous: Letter | undefined,
  face: FontFace,
  fonts: FontSet,
): Letter {
  const level = levels.levels[at] ?? 0;
  const mirrored = level % 2 === 1 ? bidi.getMirroredCharacter(character) : null;
  const text = mirrored ?? character;
  const font = chooseFont(text, previous, face, fonts);
  if (font !== null) return { source: character, text, font, level, startsRun: false };
  return { source: character, text: REPLACEMENT, font: FALLBACKS[face][2], level, startsRun: false };
}

/** Keeps marks, punctuation and spaces in the font of the letter before them, where that font has them. */
function chooseFont(
  character: string,
  previous: Letter | undefined,
  face: FontFace,
  fonts: FontSet,
): FontName | null {
  const codePoint = character.codePointAt(0) ?? 0;
  const follows = /[\p{M}\p{P}\p{Z}]/u.test(character);
  if (follows && previous !== undefined && fonts[previous.font].hasGlyphForCodePoint(codePoint)) {
    return previous.font;
  }
  return FALLBACKS[face].find((name) => fonts[name].hasGlyphForCodePoint(codePoint)) ?? null;
}

/**
 * Joins the letters of one line (without spaces at its end) into runs, in the order in which they stand from
 * left to right (UAX 9, L2).
 */
export function orderRuns(letters: readonly Letter[], isRightToLeft: boolean): TextRun[] {
  const baseLevel = isRightToLeft ? 1 : 0;
  const runs: { font: FontName; level: number; text: string }[] = [];
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

function toTextRun(font: FontName, level: number, text: string): TextRun {
  const isRightToLeft = level % 2 === 1;
  const reversed = Array.from(text).reverse().join('');
  // The shaper turns a run round when it sees an Arabic letter or digit in it, whatever its level.
  const isTurnedByShaper = /\p{Script=Arabic}/u.test(text);
  return {
    font,
    text: isTurnedByShaper === isRightToLeft ? text : reversed,
    visualText: isRightToLeft ? reversed : text,
    isRightToLeft,
  };
}
