import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import { PDFiumLibrary } from '@hyzyla/pdfium';
import type { PDFiumDocument, PDFiumPage } from '@hyzyla/pdfium';
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

/** What a page says, and its size. */
export type ReadText = Omit<ReadPage, 'picture'>;

/** Renders each page in grey at the given resolution and extracts its text. */
export async function readPages(pdf: Uint8Array, dpi: number): Promise<ReadPage[]> {
  return withDocument(pdf, async (document) => {
    const pages: ReadPage[] = [];
    for (const page of document.pages()) pages.push(await readPage(page, dpi));
    return pages;
  });
}

/** As `readPages`, for one page, counted from 0. Throws where there is no such page. */
export async function readPageAt(pdf: Uint8Array, dpi: number, index = 0): Promise<ReadPage> {
  return withDocument(pdf, (document) => readPage(document.getPage(index), dpi));
}

/** Extracts each page's text and draws nothing. */
export async function readTexts(pdf: Uint8Array): Promise<ReadText[]> {
  return withDocument(pdf, (document) => Promise.resolve(Array.from(document.pages(), readText)));
}

async function withDocument<Result>(
  pdf: Uint8Array,
  read: (document: PDFiumDocument) => Promise<Result>,
): Promise<Result> {
  // One library per process: a second one would share its memory.
  library ??= PDFiumLibrary.init();
  const document = await (await library).loadDocument(pdf);
  try {
    return await read(document);
  } finally {
    document.destroy();
  }
}

async function readPage(page: PDFiumPage, dpi: number): Promise<ReadPage> {
  // Before it is rendered: the library closes a page that it has rendered.
  const text = readText(page);
  const scale = dpi / POINTS_PER_INCH;
  const { width, height, data } = await page.render({ scale, colorSpace: 'Gray', render: 'bitmap' });
  return { ...text, picture: { width, height, grey: Uint8Array.from(data) } };
}

function readText(page: PDFiumPage): ReadText {
  const { originalWidth: widthPt, originalHeight: heightPt } = page.getOriginalSize();
  const text = page
    .getText()
    .replace(/\r\n/gu, '\n')
    .replace(/[\u200e\u200f\u202a-\u202e\0]/gu, '');
  return { widthPt, heightPt, text };
}

/** A code found in a picture. */
export interface ReadCode {
  readonly format: string;
  readonly text: string;
}

/** Reads all QR codes and Code 128 of a picture or a PNG with zxing-cpp, in the order of their formats' names. */
export async function readCodes(picture: Picture | Uint8Array): Promise<ReadCode[]> {
  await prepareDecoder();
  const image = picture instanceof Uint8Array ? picture : { ...picture, data: toRgba(picture) };
  const results = await readBarcodes(image, { formats: ['QRCode', 'Code128'] });
  return results
    .map(({ format, text }) => ({ format, text }))
    .sort((one, other) => one.format.localeCompare(other.format) || one.text.localeCompare(other.text));
}

let decoder: Promise<void> | undefined;

/** Gives the decoder its WebAssembly from the package: it would fetch it from the network. */
function prepareDecoder(): Promise<void> {
  decoder ??= readFile(require.resolve('zxing-wasm/reader/zxing_reader.wasm')).then((wasm) => {
    prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });
  });
  return decoder;
}
