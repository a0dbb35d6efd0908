import bwipjs from 'bwip-js';
import QRCode from 'qrcode';

import type { PageCanvas, TagElement } from './page-canvas.ts';
import { mm } from './units.ts';

/** Modules of light margin that each standard asks for: ISO/IEC 18004 (QR), ISO/IEC 15417 (Code 128). */
const QR_QUIET_MODULES = 4;
const CODE_128_QUIET_MODULES = 10;

/** A code as the label-assets endpoint gives it: both as data URIs that carry the tracking number. */
export interface CodeImages {
  readonly qrCode: string;
  readonly barcode: string;
}

/**
 * Draws the QR code and the Code 128 of a tracking number with their quiet zones, as data URIs: `image/png`
 * (8 pixels a QR module, 3 a bar) or `image/svg+xml`. The barcode has no text under it: the tracking number is
 * in the answer. Throws a RangeError for a number that is not printable ASCII (interpretation 32).
 */
export async function renderCodes(trackingNumber: string, format: 'png' | 'svg'): Promise<CodeImages> {
  requirePrintable(trackingNumber);
  const qr = { errorCorrectionLevel: 'Q', margin: QR_QUIET_MODULES } as const;
  const bars = {
    bcid: 'code128',
    text: trackingNumber,
    height: 15,
    scale: 3,
    paddingwidth: CODE_128_QUIET_MODULES,
    paddingheight: 2,
    backgroundcolor: 'FFFFFF',
  };
  if (format === 'svg') {
    const qrSvg = await QRCode.toString(trackingNumber, { ...qr, type: 'svg' });
    return { qrCode: dataUri('image/svg+xml', qrSvg), barcode: dataUri('image/svg+xml', bwipjs.toSVG(bars)) };
  }
  const [qrPng, barsPng] = await Promise.all([
    QRCode.toBuffer(trackingNumber, { ...qr, type: 'png', scale: 8 }),
    bwipjs.toBuffer(bars),
  ]);
  return { qrCode: dataUri('image/png', qrPng), barcode: dataUri('image/png', barsPng) };
}

function dataUri(type: string, content: string | Uint8Array): string {
  return `data:${type};base64,${Buffer.from(content).toString('base64')}`;
}

/** A code as dark rectangles in modules, its quiet zone counted in. */
interface CodeShape {
  /** What a screen reader says. */
  readonly alt: string;
  readonly moduleMm: number;
  readonly widthMm: number;
  readonly heightMm: number;
  readonly darkRectangles: readonly { x: number; y: number; width: number; height: number }[];
}

/** The QR code as a shape; one rectangle for each horizontal stretch of dark modules. */
export function shapeQrCode(text: string, moduleMm: number): CodeShape {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'Q' });
  const numbers = Array.from({ length: modules.size }, (_, index) => index);
  const darkRectangles = numbers.flatMap((row) => {
    const bits = numbers.map((column) => modules.get(row, column)).join('');
    return Array.from(bits.matchAll(/1+/gu), ({ index, 0: dark }) => ({
      x: index + QR_QUIET_MODULES,
      y: row + QR_QUIET_MODULES,
      width: dark.length,
      height: 1,
    }));
  });
  const sideMm = (modules.size + 2 * QR_QUIET_MODULES) * moduleMm;
  return { alt: `QR code ${text}`, moduleMm, widthMm: sideMm, heightMm: sideMm, darkRectangles };
}

/**
 * The Code 128 as a shape: of the given widths of a module, the first with which it is not wider than `maxWidthMm`, else
 * the last. Throws a RangeError for a text that is not printable ASCII.
 */
export function shapeBarcode(
  text: string,
  size: { readonly modulesMm: readonly number[]; readonly maxWidthMm: number; readonly heightMm: number },
): CodeShape {
  const { modulesMm, maxWidthMm, heightMm } = size;
  const widths = readBarWidths(text);
  const widthModules = widths.reduce((sum, width) => sum + width, 2 * CODE_128_QUIET_MODULES);
  const moduleMm = modulesMm.find((each) => widthModules * each <= maxWidthMm) ?? modulesMm.at(-1) ?? 0;
  let x = CODE_128_QUIET_MODULES;
  const stripes = widths.map((width) => {
    x += width;
    return { x: x - width, y: 0, width, height: heightMm / moduleMm };
  });
  const darkRectangles = stripes.filter((_, index) => index % 2 === 0);
  return { alt: `Code 128 ${text}`, moduleMm, widthMm: widthModules * moduleMm, heightMm, darkRectangles };
}

/** Widths in modules: bar, space, bar and so on. */
function readBarWidths(text: string): number[] {
  requirePrintable(text);
  const [symbol] = bwipjs.raw('code128', text, {});
  if (symbol === undefined || !('sbs' in symbol)) {
    throw new Error(`No Code 128 could be made of the tracking number ${text}.`);
  }
  return symbol.sbs;
}

/** bwip-js would encode other letters byte by byte, and a scanner read something else. */
function requirePrintable(trackingNumber: string): void {
  if (/^[\x20-\x7e]+$/u.test(trackingNumber)) return;
  throw new RangeError(
    `The tracking number ${trackingNumber} has a letter that Code 128 has not: use A-Z, 0-9, -.`,
  );
}

/** Draws a code, its quiet zone's top left corner given, as a figure: one filled path without hairlines between modules. */
export function drawCode(
  canvas: PageCanvas,
  section: TagElement,
  { alt, moduleMm, widthMm, heightMm, darkRectangles }: CodeShape,
  { xPt, yPt }: { readonly xPt: number; readonly yPt: number },
): void {
  const bbox: [number, number, number, number] = [xPt, yPt, xPt + mm(widthMm), yPt + mm(heightMm)];
  const modulePt = mm(moduleMm);
  canvas.tagged(section, 'Figure', { alt, bbox }, () => {
    for (const { x, y, width, height } of darkRectangles) {
      canvas.vector.rect(xPt + x * modulePt, yPt + y * modulePt, width * modulePt, height * modulePt);
    }
    canvas.vector.fill('#000000');
  });
}
