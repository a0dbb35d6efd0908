import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import { create } from 'fontkit';
import type { Font, GlyphPosition, GlyphRun } from 'fontkit';

/** What a text is set in; each falls back from Latin to Arabic letters and back. */
export type FontFace = 'regular' | 'bold' | 'mono';

export type FontName = 'sans' | 'sans-bold' | 'arabic' | 'arabic-bold' | 'mono';

const FILES = {
  sans: '@expo-google-fonts/ibm-plex-sans/400Regular/IBMPlexSans_400Regular.ttf',
  'sans-bold': '@expo-google-fonts/ibm-plex-sans/600SemiBold/IBMPlexSans_600SemiBold.ttf',
  arabic: '@expo-google-fonts/ibm-plex-sans-arabic/400Regular/IBMPlexSansArabic_400Regular.ttf',
  'arabic-bold': '@expo-google-fonts/ibm-plex-sans-arabic/600SemiBold/IBMPlexSansArabic_600SemiBold.ttf',
  mono: '@expo-google-fonts/ibm-plex-mono/600SemiBold/IBMPlexMono_600SemiBold.ttf',
} as const satisfies Record<FontName, string>;

/** Fonts to try for a character, best first. The last of each has the replacement character. */
export const FALLBACKS = {
  regular: ['sans', 'arabic', 'sans'],
  bold: ['sans-bold', 'arabic-bold', 'sans-bold'],
  mono: ['mono', 'arabic-bold', 'sans-bold'],
} as const satisfies Record<FontFace, readonly FontName[]>;

export type FontSet = Readonly<Record<FontName, Font>>;

const require = createRequire(import.meta.url);
const fileBytes = new Map<FontName, Promise<Buffer>>();

/**
 * Opens the fonts again for each document, so that what one document draws never changes another's bytes; the
 * files are read once per process. Throws when a font package is not installed.
 */
export async function openFonts(): Promise<FontSet> {
  const [sans, sansBold, arabic, arabicBold, mono] = await Promise.all([
    openFont('sans'),
    openFont('sans-bold'),
    openFont('arabic'),
    openFont('arabic-bold'),
    openFont('mono'),
  ]);
  return { sans, 'sans-bold': sansBold, arabic, 'arabic-bold': arabicBold, mono };
}

async function openFont(name: FontName): Promise<Font> {
  let bytes = fileBytes.get(name);
  if (bytes === undefined) {
    bytes = readFile(require.resolve(FILES[name]));
    fileBytes.set(name, bytes);
  }
  const font = create(await bytes);
  if (!('layout' in font)) throw new Error(`${FILES[name]} is a font collection; a single font is needed.`);
  extractInReadingOrder(font, name.startsWith('arabic'));
  return font;
}

/**
 * Makes text come back out of the PDF as it was written. Readers of PDF (poppler, pdfium, mupdf, pdf.js)
 * reverse a right-to-left line letter by letter, so a ligature such as lam-alef must state its letters in
 * visual order; Latin ligatures are switched off, for their letters would be found as one.
 *
 * Each text is shaped once, for measuring and drawing ask for the same one; its positions are given out as
 * fresh copies because pdfkit scales them in place.
 */
function extractInReadingOrder(font: Font, isArabic: boolean): void {
  const shape = font.layout.bind(font);
  const shapedTexts = new Map<string, { run: GlyphRun; positions: readonly GlyphPosition[] }>();
  const reversed = new WeakSet<object>();
  font.layout = (text) => {
    let shaped = shapedTexts.get(text);
    if (shaped === undefined) {
      const run = isArabic ? shape(text) : shape(text, { liga: false });
      if (run.direction === 'rtl') reverseLigatures(run, reversed);
      shaped = { run, positions: run.positions };
      shapedTexts.set(text, shaped);
    }
    shaped.run.positions = shaped.positions.map((position) => ({ ...position }));
    return shaped.run;
  };
}

/** A glyph is shared by all runs of its font: it is turned round once. */
function reverseLigatures(run: GlyphRun, reversed: WeakSet<object>): void {
  for (const glyph of run.glyphs) {
    if (glyph.codePoints.length < 2 || reversed.has(glyph)) continue;
    glyph.codePoints = glyph.codePoints.toReversed();
    reversed.add(glyph);
  }
}
