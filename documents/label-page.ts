import { drawCode, shapeBarcode, shapeQrCode } from './codes.ts';
import type { LabelData } from './document-data.ts';
import { formatAmount, formatMoney, formatTown, formatWeight } from './document-format.ts';
import { drawSymbol, hasSymbol } from './handling-symbols.ts';
import { layOutRecipient } from './label-recipient.ts';
import type { PageCanvas, TagElement } from './page-canvas.ts';
import type { TextBlock, TextStyle } from './text-layout.ts';
import { mm } from './units.ts';
import { translateWord } from './words.ts';

/** A6 in millimetres. */
export const LABEL_WIDTH_MM = 105;
export const LABEL_HEIGHT_MM = 148;

const EDGE_MM = 5;
const INNER_MM = LABEL_WIDTH_MM - 2 * EDGE_MM;
/** Tops of the label's bands, in millimetres. */
const HEAD_MM = 4.5;
const SENDER_MM = 14;
const RECIPIENT_MM = 32.5;
const MONEY_MM = 85;
const BARCODE_MM = 115.5;
/** Thermal printers of 203 dpi have 8 dots a millimetre: modules of whole dots keep their edges sharp. */
const BARCODE = { modulesMm: [0.5, 0.375, 0.25], maxWidthMm: LABEL_WIDTH_MM - 4, heightMm: 21 } as const;
const QR_MODULE_MM = 0.875;
const MONEY_LEFT_MM = 33;
const MONEY_WIDTH_MM = LABEL_WIDTH_MM - EDGE_MM - MONEY_LEFT_MM;
const LEFT_PT = mm(EDGE_MM);

const CAPTION: TextStyle = { face: 'bold', sizePt: 5.6, leadingPt: 7.5 };
const SMALL: TextStyle = { face: 'regular', sizePt: 7.6, leadingPt: 9.4 };
const SMALL_BOLD: TextStyle = { face: 'bold', sizePt: 8.4, leadingPt: 10 };
const HEAD: TextStyle = { face: 'bold', sizePt: 12, leadingPt: 14 };
const AMOUNT: TextStyle = { face: 'bold', sizePt: 22, leadingPt: 23 };
const FINE_PRINT: TextStyle = { face: 'bold', sizePt: 6.8, leadingPt: 8 };
const NUMBER: TextStyle = { face: 'mono', sizePt: 14, leadingPt: 17 };

/** What every part of one label draws with. */
interface LabelContext {
  readonly canvas: PageCanvas;
  readonly section: TagElement;
  readonly label: LabelData;
}

/**
 * Draws one label into an A6 area at the vector's current origin, in pure black for thermal printers. Its fixed
 * words are English and French, because people of both languages read it (interpretation 32).
 */
export function drawLabel(canvas: PageCanvas, label: LabelData): void {
  const context = { canvas, section: canvas.group('Sect'), label };
  drawHead(context);
  drawRule(canvas, SENDER_MM);
  drawSender(context);
  drawDetails(context);
  drawRule(canvas, RECIPIENT_MM);
  drawRecipient(context);
  drawRule(canvas, MONEY_MM);
  // The quiet zone reaches into the label's white edge, so that the code lines up with the text above it.
  const qrPlace = { xPt: mm(EDGE_MM - 3.5), yPt: mm(MONEY_MM - 0.75) };
  drawCode(canvas, context.section, shapeQrCode(label.trackingNumber, QR_MODULE_MM), qrPlace);
  drawMoney(context);
  drawHandling(context);
  drawRule(canvas, BARCODE_MM);
  drawBarcode(context);
}

/** Above the band that begins at `topMm`. */
function drawRule(canvas: PageCanvas, topMm: number): void {
  canvas.decoration(() => canvas.vector.rect(LEFT_PT, mm(topMm - 1.5), mm(INNER_MM), 0.9).fill('#000000'));
}

function write({ canvas, section }: LabelContext, block: TextBlock, xPt: number, yPt: number): void {
  canvas.taggedText(section, 'P', block, { xPt, yPt });
}

function drawHead(context: LabelContext): void {
  const { canvas, section, label } = context;
  const { line } = canvas.typesetter;
  const topPt = mm(HEAD_MM);
  const parcel = line(`${label.parcelNumber} / ${label.parcelCount}`, HEAD);
  const parcelXPt = mm(LABEL_WIDTH_MM - EDGE_MM) - parcel.widthPt;
  const caption = line('PARCEL / COLIS', CAPTION);
  const isPressing = label.priority === 'urgent' || label.priority === 'high';
  const badge = line(label.priority.toUpperCase(), { ...HEAD, sizePt: 10 });
  const badgeWidthPt = isPressing ? badge.widthPt + mm(4) : 0;
  const captionXPt = parcelXPt - caption.widthPt - mm(1.5);
  const badgeXPt = captionXPt - badgeWidthPt - mm(3);
  const widthPt = badgeXPt - LEFT_PT - mm(2);
  const name = line(label.organizationName, HEAD, { widthPt, maxLines: 1 });
  canvas.taggedText(section, 'H1', name, { xPt: LEFT_PT, yPt: topPt + 2 });
  if (isPressing) {
    canvas.decoration(() => canvas.vector.rect(badgeXPt, topPt, badgeWidthPt, mm(6.4)).fill('#000000'));
    const place = { xPt: badgeXPt + mm(2), yPt: topPt + 2.1, color: '#ffffff' };
    canvas.taggedText(section, 'P', badge, place);
  }
  write(context, caption, captionXPt, topPt + 6);
  write(context, parcel, parcelXPt, topPt + 2);
}

function drawSender(context: LabelContext): void {
  const { line } = context.canvas.typesetter;
  const { name, address, phoneNumber } = context.label.sender;
  const lines = [
    { text: name, style: SMALL_BOLD },
    { text: address?.street ?? '', style: SMALL },
    { text: formatTown(address), style: SMALL, direction: 'ltr' as const },
    { text: phoneNumber ?? '', style: SMALL },
  ].filter(({ text }) => text.trim() !== '');
  write(context, line('FROM / EXPÉDITEUR', CAPTION), LEFT_PT, mm(SENDER_MM));
  let yPt = mm(SENDER_MM) + CAPTION.leadingPt;
  const bottomPt = mm(RECIPIENT_MM - 2);
  for (const [index, { text, style, direction = 'auto' }] of lines.entries()) {
    const left = Math.floor((bottomPt - yPt) / style.leadingPt) - (lines.length - 1 - index);
    const maxLines = Math.max(1, Math.min(left, 2));
    const block = line(text, style, { widthPt: mm(58), maxLines, direction });
    if (yPt + block.heightPt > bottomPt + 1) continue;
    write(context, block, LEFT_PT, yPt);
    yPt += block.heightPt;
  }
}

function drawDetails(context: LabelContext): void {
  const { canvas, label } = context;
  const { line } = canvas.typesetter;
  const xPt = mm(EDGE_MM + 62);
  const size = label.packageSize.replaceAll('_', ' ');
  const rows = [
    ['PACKAGE / COLIS', `${size}${formatWeight(label.weightGrams, 'neutral')}`],
    ['REFERENCE / RÉFÉRENCE', label.externalReference ?? ''],
  ] as const;
  let yPt = mm(SENDER_MM);
  for (const [caption, value] of rows) {
    if (value === '') continue;
    const block = line(value, SMALL_BOLD, { widthPt: mm(INNER_MM - 62), maxLines: 2 });
    write(context, line(caption, CAPTION), xPt, yPt);
    write(context, block, xPt, yPt + CAPTION.leadingPt);
    yPt += CAPTION.leadingPt + block.heightPt + 2;
  }
}

function drawRecipient(context: LabelContext): void {
  const { canvas, label } = context;
  let yPt = mm(RECIPIENT_MM);
  write(context, canvas.typesetter.line('TO / DESTINATAIRE', CAPTION), LEFT_PT, yPt);
  yPt += CAPTION.leadingPt + 1;
  const space = { widthPt: mm(INNER_MM), heightPt: mm(MONEY_MM - 2.5) - yPt };
  for (const { block, gapPt } of layOutRecipient(canvas, label.recipient, space)) {
    write(context, block, LEFT_PT, yPt + gapPt);
    yPt += gapPt + block.heightPt;
  }
}

function drawMoney({ canvas, section, label }: LabelContext): void {
  const isPrepaid = label.totalCodToCollectCents <= 0;
  const [xPt, topPt, widthPt] = [mm(MONEY_LEFT_MM), mm(MONEY_MM + 1.2), mm(MONEY_WIDTH_MM)];
  const heightPt = mm(label.handlingOptions.length > 0 ? 14.8 : 24.5);
  canvas.decoration(() => {
    const { vector } = canvas;
    if (isPrepaid)
      vector
        .lineWidth(1.4)
        .rect(xPt + 0.7, topPt + 0.7, widthPt - 1.4, heightPt - 1.4)
        .stroke('#000000');
    else vector.rect(xPt, topPt, widthPt, heightPt).fill('#000000');
  });
  const lines = describeMoney(label).map(([text, style]) =>
    canvas.typesetter.shrinkToFit(text, style, widthPt - mm(5)),
  );
  let yPt = topPt + (heightPt - lines.reduce((sum, line) => sum + line.heightPt, 0)) / 2;
  for (const line of lines) {
    const place = { xPt: xPt + mm(2.5), yPt, color: isPrepaid ? '#000000' : '#ffffff' };
    canvas.taggedText(section, 'P', line, place);
    yPt += line.heightPt;
  }
}

function describeMoney(label: LabelData): (readonly [text: string, style: TextStyle])[] {
  const { codAmountCents, deliveryFeeCents, totalCodToCollectCents, currency } = label;
  if (totalCodToCollectCents <= 0) {
    return [
      ['PREPAID', AMOUNT],
      ['Nothing to collect / Rien à encaisser', FINE_PRINT],
    ];
  }
  const sum = `${formatAmount(codAmountCents, 'neutral')} + ${formatAmount(deliveryFeeCents, 'neutral')}`;
  const isSum = totalCodToCollectCents !== codAmountCents;
  return [
    ['COD / CONTRE-REMBOURSEMENT', CAPTION],
    [formatMoney(totalCodToCollectCents, currency, 'neutral'), AMOUNT],
    ...(isSum ? [[`${sum} delivery / livraison`, FINE_PRINT] as const] : []),
  ];
}

function drawHandling({ canvas, section, label }: LabelContext): void {
  const topPt = mm(MONEY_MM + 17.4);
  const widthPt = mm(MONEY_WIDTH_MM / 6);
  const sizePt = mm(6.8);
  const word: TextStyle = { face: 'bold', sizePt: 4.9, leadingPt: 6 };
  for (const [index, option] of [...new Set(label.handlingOptions)].slice(0, 6).entries()) {
    const xPt = mm(MONEY_LEFT_MM) + index * widthPt;
    if (hasSymbol(option)) {
      const place = { xPt: xPt + (widthPt - sizePt) / 2, yPt: topPt, sizePt };
      canvas.decoration(() => drawSymbol(canvas.vector, option, place));
    }
    const name = translateWord(option, 'neutral');
    const block = canvas.typesetter.line(name, word, { widthPt: widthPt - 1, maxLines: 1 });
    const yPt = topPt + sizePt + 1.2;
    canvas.taggedText(section, 'P', block, { xPt, yPt, widthPt, align: 'center' });
  }
}

function drawBarcode({ canvas, section, label }: LabelContext): void {
  const barcode = shapeBarcode(label.trackingNumber, BARCODE);
  const leftMm = Math.round(((LABEL_WIDTH_MM - barcode.widthMm) / 2) * 8) / 8;
  drawCode(canvas, section, barcode, { xPt: mm(leftMm), yPt: mm(BARCODE_MM + 1) });
  const widthPt = mm(INNER_MM);
  const number = canvas.typesetter.line(label.trackingNumber, NUMBER, { widthPt });
  const yPt = mm(BARCODE_MM + 1 + BARCODE.heightMm) + 4;
  canvas.taggedText(section, 'P', number, { xPt: LEFT_PT, yPt, widthPt, align: 'center' });
}
