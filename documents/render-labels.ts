import { setImmediate as nextTurn } from 'node:timers/promises';

import type { LabelData, LabelOptions } from './document-data.ts';
import { textsOf } from './document-texts.ts';
import { drawLabel, LABEL_HEIGHT_MM, LABEL_WIDTH_MM } from './label-page.ts';
import { PageCanvas } from './page-canvas.ts';
import { mm } from './units.ts';

const A6 = { widthPt: mm(LABEL_WIDTH_MM), heightPt: mm(LABEL_HEIGHT_MM) };
const A4 = { widthPt: mm(210), heightPt: mm(297) };
const LABELS_PER_SHEET = 4;

/**
 * Renders one label per package as a PDF: an A6 page (105 × 148 mm) each, or four on each A4 sheet with marks
 * where to cut. Other requests get their turn after each label. Throws a RangeError for an empty list
 * or a tracking number that is not printable ASCII (interpretation 32).
 */
export async function renderLabels(labels: readonly LabelData[], options: LabelOptions): Promise<Uint8Array> {
  const [first] = labels;
  if (first === undefined) throw new RangeError('Give at least one label to render.');
  const canvas = await PageCanvas.open({
    title: isOneShipment(labels) ? `Label ${first.trackingNumber}` : `Labels (${labels.length})`,
    author: first.organizationName,
    language: 'en',
    createdAt: options.createdAt,
    page: options.layout === 'a6' ? A6 : A4,
    texts: textsOf(labels),
  });
  for (const [index, label] of labels.entries()) {
    const slot = options.layout === 'a6' ? 0 : index % LABELS_PER_SHEET;
    if (slot === 0) canvas.vector.addPage();
    if (slot === 0 && options.layout === 'a4') drawCutMarks(canvas);
    canvas.vector.save();
    canvas.vector.translate((slot % 2) * A6.widthPt, Math.floor(slot / 2) * A6.heightPt);
    drawLabel(canvas, label);
    canvas.vector.restore();
    await nextTurn();
  }
  return canvas.close();
}

/** However many packages it has. */
function isOneShipment(labels: readonly LabelData[]): boolean {
  return labels.every(({ trackingNumber }) => trackingNumber === labels[0]?.trackingNumber);
}

/** Short marks at the sheet's edges and a cross in the middle: nothing is printed into a label's quiet zones. */
function drawCutMarks(canvas: PageCanvas): void {
  const { vector } = canvas;
  const markPt = mm(3);
  canvas.decoration(() => {
    vector.lineWidth(0.4);
    vector.moveTo(A6.widthPt, 0).lineTo(A6.widthPt, markPt);
    vector.moveTo(A6.widthPt, A6.heightPt - markPt).lineTo(A6.widthPt, A6.heightPt + markPt);
    vector.moveTo(A6.widthPt, A4.heightPt - markPt).lineTo(A6.widthPt, A4.heightPt);
    vector.moveTo(0, A6.heightPt).lineTo(markPt, A6.heightPt);
    vector.moveTo(A6.widthPt - markPt, A6.heightPt).lineTo(A6.widthPt + markPt, A6.heightPt);
    vector.moveTo(A4.widthPt - markPt, A6.heightPt).lineTo(A4.widthPt, A6.heightPt);
    vector.stroke('#000000');
  });
}
