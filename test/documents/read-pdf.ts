import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import { PDFiumLibrary } from '@hyzyla/pdfium';
import type { PDFiumDocument } from '@hyzyla/pdfium';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

import { toRgba } from './picture.ts';
import type { Picture } from './picture.ts';

const require = createRequire(import.meta.url);
let library: ReturnType<typeof PDFiumLibrary.init> | undefined;
const POINTS_PER_INCH = 72;

/** A page as a person and a scanner meet it, read by pdfium: not by what wrote it. */
export interface ReadPage {
  readonly widthPt: number;
  readonly heightPt: number;
  /** Lines joined by `\n`, without marks of direction. */
  readonly text: string;
  readonly picture: Picture;
}

/** Renders each page in grey at the given resolution and extracts its text. */
export async function readPages(pdf: Uint8Array, dpi: number): Promise<ReadPage[]> {
  // One library per process: a second one would share its memory.
  library ??= PDFiumLibrary.init();
  const document = await (await library).loadDocument(pdf);
  try {
    return await readDocument(document, dpi);
  } finally {
    document.destroy();
  }
}

async function readDocument(document: PDFiumDocument, dpi: number): Promise<ReadPage[]> {
  const pages: ReadPage[] = [];
  for (const page of document.pages()) {
    const { originalWidth: widthPt, originalHeight: heightPt } = page.getOriginalSize();
    // Before it is rendered: the library closes a page that it has rendered.
    const text = page
      .getText()
      .replace(/\r\n/gu, '\n')
      .replace(/[\u200e\u200f\u202a-\u202e\0]/gu, '');
    const scale = dpi / POINTS_PER_INCH;
    const { width, height, data } = await page.render({ scale, colorSpace: 'Gray', render: 'bitmap' });
    pages.push({ widthPt, heightPt, text, picture: { width, height, grey: Uint8Array.from(data) } });
  }
  return pages;
}

/** A code found in a picture. */
export interface ReadCode {
  readonly format: string;
  readonly text: string;
}

/** Reads all QR codes and Code 128 of a picture or a PNG with zxing-cpp, in the order of their formats' names. */
export async function readCodes(picture: Picture | Uint8Array): Promise<ReadCode[]> {
  const wasmBinary = await readFile(require.resolve('zxing-wasm/reader/zxing_reader.wasm'));
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasmBinary).buffer } });
  const image = picture instanceof Uint8Array ? picture : { ...picture, data: toRgba(picture) };
  const results = await readBarcodes(image, { formats: ['QRCode', 'Code128'] });
  return results
    .map(({ format, text }) => ({ format, text }))
    .sort((one, other) => one.format.localeCompare(other.format) || one.text.localeCompare(other.text));
}
