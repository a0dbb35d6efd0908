import type { Font } from 'fontkit';

import { BASE_FONTS, FALLBACK_FAMILIES } from './font-chain.ts';
import type { FallbackFamily, FontFace, Weight } from './font-chain.ts';
import { findSlice, readSlice } from './font-slices.ts';
import { openFont, readFontFile } from './fonts.ts';
import { hanFormOf } from './han-form.ts';
import type { HanForm } from './han-form.ts';

/** A font of a document, under the name by which the document knows it. */
export interface NamedFont {
  readonly name: string;
  readonly font: Font;
  readonly hanForm?: HanForm | undefined;
}

const FACES = ['regular', 'bold', 'mono'] as const satisfies readonly FontFace[];
const FACES_OF = { regular: ['regular'], bold: ['bold', 'mono'] } as const satisfies Record<
  Weight,
  readonly FontFace[]
>;
const WEIGHT_NAMES = ['regular', 'bold'] as const satisfies readonly Weight[];
/** Letters that the base fonts have for certain: most texts have no others. */
const BASIC = /^[\n\u0020-\u007e\u00a0-\u00ff]*$/u;
/** Marks, punctuation and spaces stay in the font of the letter before them, where that has them. */
const FOLLOWER = /^[\p{M}\p{P}\p{Z}]+$/u;
/** A letter with marks for which Unicode has no single character: the texts are composed (NFC). */
const ACCENTED = /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]\p{Mn}+/gu;

/** The fonts of one document. */
export class FontSet {
  /** In the order in which they are tried. */
  private readonly faces: Record<FontFace, NamedFont[]> = { regular: [], bold: [], mono: [] };
  private readonly found = new Map<string, NamedFont | undefined>();
  private readonly hanForm: HanForm | undefined;

  private constructor(hanForm: HanForm | undefined) {
    this.hanForm = hanForm;
  }

  /**
   * Opens the fonts that these texts need, again for each document, so that what one document draws never changes another's
   * bytes; the files are read once per process. Throws when a font package is not installed.
   */
  static async open(texts: readonly string[]): Promise<FontSet> {
    const fonts = new FontSet(hanFormOf(texts.join('\n')));
    for (const face of FACES) {
      fonts.faces[face].push({ name: face, font: openFont(await readFontFile(BASE_FONTS[face])) });
    }
    fonts.faces.mono.push(...fonts.faces.bold);
    const seen = new Set<string>();
    for (const text of texts) {
      if (BASIC.test(text)) continue;
      const hanForm = fonts.hanFormOf(text);
      for (const letter of Array.from(text).concat(text.match(ACCENTED) ?? [])) {
        const key = `${hanForm ?? ''} ${letter}`;
        if (!seen.has(key)) await fonts.openFor(letter, hanForm);
        seen.add(key);
      }
    }
    return fonts;
  }

  /** All fonts, to be registered with the document. */
  get all(): readonly NamedFont[] {
    return [...new Set(FACES.flatMap((face) => this.faces[face]))];
  }

  /** Returns whose forms of Chinese characters a text is set in: one that does not say follows the document. */
  hanFormOf(text: string): HanForm | undefined {
    return hanFormOf(text) ?? this.hanForm;
  }

  /**
   * Returns the font for a letter with its marks: that of the letter before, where it goes on, else the first that has all of
   * it and places the marks, else the first that has all of it; undefined where none has.
   */
  find(
    letter: string,
    face: FontFace,
    hanForm: HanForm | undefined,
    previous: NamedFont | undefined,
  ): NamedFont | undefined {
    if (previous !== undefined && FOLLOWER.test(letter) && hasAll(previous.font, letter)) return previous;
    const key = `${face} ${hanForm ?? ''} ${letter}`;
    if (this.found.has(key)) return this.found.get(key);
    const having = this.faces[face].filter(({ font }) => hasAll(font, letter));
    const placing = having.filter(({ font }) => placesMarks(font, letter));
    const fonts = placing.length > 0 ? placing : having;
    const [first] = fonts;
    const own = fonts.find((each) => each.hanForm === hanForm);
    const font = first?.hanForm === undefined ? first : (own ?? first);
    this.found.set(key, font);
    return font;
  }

  /** Opens the first fallback that has a letter with its marks, in each weight, where the base font cannot draw it. */
  private async openFor(letter: string, hanForm: HanForm | undefined): Promise<boolean> {
    const base = this.faces.regular[0]?.font;
    if (base !== undefined && hasAll(base, letter) && placesMarks(base, letter)) return true;
    const families = FALLBACK_FAMILIES.filter(({ letters }) => letters.test(letter));
    const own = families.filter((family) => family.hanForm !== undefined && family.hanForm === hanForm);
    for (const family of new Set([...own, ...families])) {
      if (await this.openFamily(family, letter)) return true;
    }
    // What is a plain letter in a form of its own, such as 𝐀, can be drawn as the plain one.
    const plain = letter.normalize('NFKC');
    if (plain === letter) return false;
    for (const each of plain) if (!(await this.openFor(each, hanForm))) return false;
    return true;
  }

  private async openFamily(family: FallbackFamily, letter: string): Promise<boolean> {
    const file = await findFile(family, letter.codePointAt(0) ?? 0);
    if (file === undefined) return false;
    for (const weight of WEIGHT_NAMES) {
      const name = `${file.name} ${weight}`;
      const known = this.faces[weight].find((each) => each.name === name);
      const font = known?.font ?? openFont(await file.read(weight));
      if (!hasAll(font, letter)) return false;
      if (known !== undefined) continue;
      const opened = { name, font, hanForm: family.hanForm };
      for (const face of FACES_OF[weight]) this.faces[face].push(opened);
    }
    return true;
  }
}

interface FontFile {
  readonly name: string;
  readonly read: (weight: Weight) => Promise<Uint8Array>;
}

async function findFile({ name, source }: FallbackFamily, codePoint: number): Promise<FontFile | undefined> {
  if (!('slicesOf' in source)) return { name, read: (weight) => readFontFile(source[weight]) };
  const slice = await findSlice(source.slicesOf, codePoint);
  if (slice === undefined) return undefined;
  return { name: `${name} ${slice.name}`, read: (weight) => readSlice(source.slicesOf, slice, weight) };
}

function hasAll(font: Font, letter: string): boolean {
  if (letter.length === 1) return font.hasGlyphForCodePoint(letter.charCodeAt(0));
  return Array.from(letter).every((character) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0));
}

/** A font that stacks marks (`mkmk`) has a place for each. The base fonts do not: some marks stand after the letter. */
function placesMarks(font: Font, letter: string): boolean {
  return letter.match(ACCENTED)?.[0] !== letter || font.availableFeatures.includes('mkmk');
}
