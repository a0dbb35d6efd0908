import bwipjs from 'bwip-js';
import QRCode from 'qrcode';

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

/** Where a code stands: its top left corner with the quiet zone, and the width of one module. */
export interface CodePlace {
  readonly xPt: number;
  readonly yPt: number;
  readonly modulePt: number;
}

/** A code as dark rectangles on the module grid, the quiet zone counted in. */
export interface CodeShape {
  readonly widthModules: number;
  readonly heightModules: number;
  readonly darkRectangles: readonly { x: number; y: number; width: number; height: number }[];
}

/** The QR code as a shape; one rectangle for each horizontal stretch of dark modules. */
export function shapeQrCode(text: string): CodeShape {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'Q' });
  const darkRectangles: { x: number; y: number; width: number; height: number }[] = [];
  for (let row = 0; row < modules.size; row += 1) {
    let start = 0;
    while (start < modules.size) {
      let end = start;
      while (end < modules.size && modules.get(row, end) !== 0) end += 1;
      if (end > start) {
        darkRectangles.push({
          x: start + QR_QUIET_MODULES,
          y: row + QR_QUIET_MODULES,
          width: end - start,
          height: 1,
        });
      }
      start = end + 1;
    }
  }
  const side = modules.size + 2 * QR_QUIET_MODULES;
  return { widthModules: side, heightModules: side, darkRectangles };
}

/** The Code 128 as a shape of the given height; throws a RangeError for a text that is not printable ASCII. */
export function shapeBarcode(text: string, heightModules: number): CodeShape {
  const darkRectangles: { x: number; y: number; width: number; height: number }[] = [];
  let x = CODE_128_QUIET_MODULES;
  readBarWidths(text).forEach((width, index) => {
    if (index % 2 === 0) darkRectangles.push({ x, y: 0, width, height: heightModules });
    x += width;
  });
  return { widthModules: x + CODE_128_QUIET_MODULES, heightModules, darkRectangles };
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

/**
 * Draws a code as vectors, in one filled path without hairlines between neighbouring modules.
 */
export function drawCode(vector: PDFKit.PDFDocument, shape: CodeShape, place: CodePlace): void {
  for (const { x, y, width, height } of shape.darkRectangles) {
    vector.rect(
      place.xPt + x * place.modulePt,
      place.yPt + y * place.modulePt,
      width * place.modulePt,
      height * place.modulePt,
    );
  }
  vector.fill('#000000');
}
