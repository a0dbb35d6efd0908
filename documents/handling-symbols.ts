type Vector = PDFKit.PDFDocument;

const STROKE_UNITS = 1.9;
const SYMBOL_UNITS = 24;

/**
 * Each draws a symbol in a square of 24 units whose top left corner is the origin: line art, after the pictures that ISO 780
 * describes where it has one.
 */
const SYMBOLS: Readonly<Record<string, (vector: Vector) => void>> = {
  fragile: (vector) => {
    vector
      .path('M6.5 2.5 H17.5 L17.5 8.5 C17.5 12.2 15.2 14.5 12 14.5 C8.8 14.5 6.5 12.2 6.5 8.5 Z')
      .stroke();
    vector.path('M12 14.5 V21').stroke();
    vector.path('M7 21.5 H17').stroke();
    vector.path('M13.6 2.8 L11.4 6 L13.4 8 L11.6 11').lineWidth(1.4).stroke();
  },
  keep_upright: (vector) => {
    for (const x of [7, 17]) {
      vector.path(`M${x - 4.2} 8.6 L${x} 2 L${x + 4.2} 8.6 Z`).fillAndStroke('#000000', '#000000');
      vector.path(`M${x} 8.6 V17.6`).lineWidth(3.2).lineCap('butt').stroke();
    }
    vector.lineWidth(STROKE_UNITS).path('M2.5 21.5 H21.5').stroke();
  },
  refrigerated: (vector) => {
    for (const angle of [0, 60, 120, 180, 240, 300]) {
      vector.save().rotate(angle, { origin: [12, 12] });
      vector.path('M12 12 V2 M8.8 3.6 L12 6.8 L15.2 3.6').stroke();
      vector.restore();
    }
  },
  id_check: (vector) => {
    vector.roundedRect(1.8, 4.5, 20.4, 15, 2).stroke();
    vector.circle(7.8, 10, 2.1).fill('#000000');
    vector.path('M4.4 16.4 C4.4 13.9 5.9 13.1 7.8 13.1 C9.7 13.1 11.2 13.9 11.2 16.4 Z').fill('#000000');
    vector.path('M14 9.5 H19 M14 14.5 H19').stroke();
  },
  signature_required: (vector) => {
    vector.path('M2.5 21.5 H21.5').stroke();
    vector.path('M7 13.2 L17.2 3 L21 6.8 L10.8 17 L6.2 17.8 Z M14.6 5.6 L18.4 9.4').stroke();
  },
  do_not_bend: (vector) => {
    vector.path('M3 17.5 C7.5 17.5 9.2 15.2 12 10.8 C14.8 15.2 16.5 17.5 21 17.5').stroke();
    vector.path('M5 3 L19 21.5 M19 3 L5 21.5').lineWidth(2.4).stroke();
  },
};

/** Whether a handling option has a symbol; others are printed as words. */
export function hasSymbol(handlingOption: string): boolean {
  return Object.hasOwn(SYMBOLS, handlingOption);
}

/** Draws an option's symbol into a square; nothing for an option that has none. */
export function drawSymbol(
  vector: Vector,
  handlingOption: string,
  place: { readonly xPt: number; readonly yPt: number; readonly sizePt: number },
): void {
  const draw = Object.hasOwn(SYMBOLS, handlingOption) ? SYMBOLS[handlingOption] : undefined;
  if (draw === undefined) return;
  vector.save();
  vector.translate(place.xPt, place.yPt).scale(place.sizePt / SYMBOL_UNITS);
  vector.lineWidth(STROKE_UNITS).lineCap('round').lineJoin('round').strokeColor('#000000');
  draw(vector);
  vector.restore();
}
