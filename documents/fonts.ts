import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import { create } from 'fontkit';
import type { Font, GlyphPosition, GlyphRun } from 'fontkit';

const require = createRequire(import.meta.url);
/** Number of contours and four bounds. */
const GLYPH_HEADER_BYTES = 10;
const files = new Map<string, Promise<Uint8Array>>();

/** Reads a file of a font package, once per process. Rejects when the package is not installed. */
export function readFontFile(path: string): Promise<Uint8Array> {
  const file = files.get(path) ?? readFile(require.resolve(path)).then(padFontFile);
  files.set(path, file);
  return file;
}

/** Adds room at the end of a font's bytes: fontkit reads the measures of an empty last glyph, a space often, beyond it. */
export function padFontFile(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(bytes.length + GLYPH_HEADER_BYTES);
  padded.set(bytes);
  return padded;
}

/** Opens a font out of its file's bytes. Throws when they are a collection of fonts, or none. */
export function openFont(bytes: Uint8Array): Font {
  const font = create(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (!('layout' in font)) throw new Error('The file is a font collection; a single font is needed.');
  extractInReadingOrder(font);
  return font;
}

/**
 * Makes text come back out of the PDF as it was written. Readers of PDF (poppler, pdfium, mupdf, pdf.js) reverse a right-to-left
 * line letter by letter, so a ligature such as lam-alef must state its letters in visual order; Latin ligatures are
 * switched off, for their letters would be found as one.
 *
 * Each text is shaped once, for measuring and drawing ask for the same one; its positions are given out as fresh copies
 * because pdfkit scales them in place.
 */
function extractInReadingOrder(font: Font): void {
  const shape = font.layout.bind(font);
  const shapedTexts = new Map<string, { run: GlyphRun; positions: readonly GlyphPosition[] }>();
  const reversed = new WeakSet<object>();
  font.layout = (text) => {
    let shaped = shapedTexts.get(text);
    if (shaped === undefined) {
      const run = JOINED.test(text) ? shape(text) : shape(splitVowelAm(text), { liga: false });
      if (run.direction === 'rtl') reverseLigatures(run, reversed);
      shaped = { run, positions: run.positions };
      shapedTexts.set(text, shaped);
    }
    shaped.run.positions = shaped.positions.map((position) => ({ ...position }));
    return shaped.run;
  };
}

/** Scripts whose ligatures are spelling, not ornament. */
const JOINED = /[\p{Script=Arabic}\p{Script=Devanagari}]/u;

/** The Thai vowel am is a ring above the letter and a stroke after it; a tone mark stands above the ring. Fontkit leaves them joined. */
function splitVowelAm(text: string): string {
  return text.replace(/([\u0e48-\u0e4b])\u0e33/gu, '\u0e4d$1\u0e32');
}

/** A glyph is shared by all runs of its font: it is turned round once. */
function reverseLigatures(run: GlyphRun, reversed: WeakSet<object>): void {
  for (const glyph of run.glyphs) {
    if (glyph.codePoints.length < 2 || reversed.has(glyph)) continue;
    glyph.codePoints = glyph.codePoints.toReversed();
    reversed.add(glyph);
  }
}
