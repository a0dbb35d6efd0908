import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import { WEIGHTS } from './font-chain.ts';
import type { Weight } from './font-chain.ts';
import { padFontFile } from './fonts.ts';

const require = createRequire(import.meta.url);

/** A part of a family's letters, in a file of its own. */
interface Slice {
  readonly name: string;
  /** All its letters, as one text. */
  readonly letters: string;
}

interface Range {
  readonly first: number;
  readonly last: number;
  readonly slice: Slice;
}

const indexes = new Map<string, Promise<readonly Range[]>>();
const files = new Map<string, Promise<Uint8Array>>();

/** Finds the slice of a package that has a character; undefined where none says that it has. */
export async function findSlice(packageName: string, codePoint: number): Promise<Slice | undefined> {
  const index = indexes.get(packageName) ?? readIndex(packageName);
  indexes.set(packageName, index);
  return (await index).find(({ first, last }) => first <= codePoint && codePoint <= last)?.slice;
}

async function readIndex(packageName: string): Promise<readonly Range[]> {
  const slices: unknown = JSON.parse(await readFile(require.resolve(`${packageName}/unicode.json`), 'utf8'));
  if (typeof slices !== 'object' || slices === null) {
    throw new TypeError(`${packageName}/unicode.json lists no slices.`);
  }
  return Object.entries(slices).flatMap(([key, ranges]) =>
    readRanges(key.replace(/[[\]]/gu, ''), String(ranges)),
  );
}

/** `U+4e00,U+4e03-4e08`. */
function readRanges(name: string, text: string): Range[] {
  const bounds = text.split(',').map((range) => {
    const [first = 0, last = first] = range
      .trim()
      .replace(/^U\+/iu, '')
      .split('-')
      .map((digits) => Number.parseInt(digits, 16));
    return { first, last };
  });
  const letters = bounds
    .flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, index) => first + index))
    .map((codePoint) => String.fromCodePoint(codePoint))
    .join('');
  const slice = { name, letters };
  return bounds.map((bound) => ({ ...bound, slice }));
}

/**
 * Returns a slice at one weight as a TrueType font. The packages have variable fonts as WOFF2, which pdfkit cannot embed. Each
 * is converted once per process (10 to 40 ms).
 */
export function readSlice(packageName: string, slice: Slice, weight: Weight): Promise<Uint8Array> {
  const family = packageName.replace(/^.*\//u, '');
  const path = `${packageName}/files/${family}-${slice.name}-wght-normal.woff2`;
  const key = `${path} ${weight}`;
  const file = files.get(key) ?? instantiate(path, slice.letters, weight);
  files.set(key, file);
  return file;
}

/** The converter is loaded by the first document that needs it: Latin ones do not. */
async function instantiate(path: string, letters: string, weight: Weight): Promise<Uint8Array> {
  const [{ default: subsetFont }, bytes] = await Promise.all([
    import('subset-font'),
    readFile(require.resolve(path)),
  ]);
  const font = await subsetFont(bytes, letters, {
    targetFormat: 'truetype',
    variationAxes: { wght: WEIGHTS[weight] },
  });
  return padFontFile(font);
}
