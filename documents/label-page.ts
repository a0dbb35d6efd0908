import { drawCode, shapeBarcode, shapeQrCode } from './codes.ts';
import type { DocumentParty, LabelData } from './document-data.ts';
import { formatAmount, formatMoney, formatNumber } from './document-format.ts';
import { drawSymbol, hasSymbol, nameHandlingOption } from './handling-symbols.ts';
import { layOutRecipient } from './label-recipient.ts';
import { mm } from './page-canvas.ts';
import type { PageCanvas, TagElement } from './page-canvas.ts';
import type { TextStyle } from './text-layout.ts';

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
const BAR_MODULES_MM = [0.5, 0.375, 0.25] as const;
const QR_MODULE_MM = 0.875;
const MONEY_LEFT_MM = 33;
const MONEY_WIDTH_MM = LABEL_WIDTH_MM - EDGE_MM - MONEY_LEFT_MM;
const BARCODE_HEIGHT_MM = 21;

const CAPTION: TextStyle = { face: 'bold', sizePt: 5.6, leadingPt: 7.5 };
const SMALL: TextStyle = { face: 'regular', sizePt: 7.6, leadingPt: 9.4 };
const SMALL_BOLD: TextStyle = { face: 'bold', sizePt: 8.4, leadingPt: 10 };
const HEAD: TextStyle = { face: 'bold', sizePt: 12, leadingPt: 14 };
const AMOUNT: TextStyle = { face: 'bold', sizePt: 22, leadingPt: 23 };
const FINE_PRINT: TextStyle = { face: 'bold', sizePt: 6.8, leadingPt: 8 };
const NUMBER: TextStyle = { face: 'mono', sizePt: 14, leadingPt: 17 };

/**
 * Draws one label into an A6 area at the vector's current origin, in pure black for thermal printers. Its fixed
 * words are English and French, because people of both languages read it (interpretation 32).
 */
export function drawLabel(canvas: PageCanvas, label: LabelData): void {
  const section = canvas.group('Sect');
  drawHead(canvas, section, label);
  drawRule(canvas, SENDER_MM - 1.5);
  drawSender(canvas, section, label);
  drawDetails(canvas, section, label);
  drawRule(canvas, RECIPIENT_MM - 1.5);
  drawRecipient(canvas, section, label.recipient);
  drawRule(canvas, MONEY_MM - 1.5);
  drawQrCode(canvas, section, label);
  drawMoney(canvas, section, label);
  drawHandling(canvas, section, label.handlingOptions);
  drawRule(canvas, BARCODE_MM - 1.5);
  drawBarcode(canvas, section, label);
}

function drawRule(canvas: PageCanvas, yMm: number): void {
  canvas.decoration(() => {
    canvas.vector.rect(mm(EDGE_MM), mm(yMm), mm(INNER_MM), 0.9).fill('#000000');
  });
}

function drawHead(canvas: PageCanvas, section: TagElement, label: LabelData): void {
  const parcel = canvas.typesetter.line(`${label.parcelNumber} / ${label.parcelCount}`, HEAD);
  const parcelXPt = mm(LABEL_WIDTH_MM - EDGE_MM) - parcel.widthPt;
  const caption = canvas.typesetter.line('PARCEL / COLIS', CAPTION);
  const isPressing = label.priority === 'urgent' || label.priority === 'high';
  const badge = canvas.typesetter.line(label.priority.toUpperCase(), { ...HEAD, sizePt: 10 });
  const badgeWidthPt = isPressing ? badge.widthPt + mm(4) : 0;
  const captionXPt = parcelXPt - caption.widthPt - mm(1.5);
  const badgeXPt = captionXPt - badgeWidthPt - mm(3);
  const name = canvas.typesetter.line(label.organizationName, HEAD, {
    widthPt: badgeXPt - mm(EDGE_MM) - mm(2),
    maxLines: 1,
  });
  canvas.taggedText(section, 'H1', name, { xPt: mm(EDGE_MM), yPt: mm(HEAD_MM) + 2 });
  if (isPressing) {
    canvas.decoration(() => canvas.vector.rect(badgeXPt, mm(HEAD_MM), badgeWidthPt, mm(6.4)).fill('#000000'));
    const place = { xPt: badgeXPt + mm(2), yPt: mm(HEAD_MM) + 2.1, color: '#ffffff' };
    canvas.taggedText(section, 'P', badge, place);
  }
  canvas.taggedText(section, 'P', caption, { xPt: captionXPt, yPt: mm(HEAD_MM) + 6 });
  canvas.taggedText(section, 'P', parcel, { xPt: parcelXPt, yPt: mm(HEAD_MM) + 2 });
}

function drawSender(canvas: PageCanvas, section: TagElement, label: LabelData): void {
  const xPt = mm(EDGE_MM);
  const widthPt = mm(58);
  canvas.taggedText(section, 'P', canvas.typesetter.line('FROM / EXPÉDITEUR', CAPTION), {
    xPt,
    yPt: mm(SENDER_MM),
  });
  let yPt = mm(SENDER_MM) + CAPTION.leadingPt;
  const lines = describeSender(label.sender ?? { ...EMPTY_PARTY, name: label.organizationName });
  const bottomPt = mm(RECIPIENT_MM - 2);
  lines.forEach(({ text, direction }, index) => {
    const style = index === 0 ? SMALL_BOLD : SMALL;
    const left = Math.floor((bottomPt - yPt) / style.leadingPt) - (lines.length - 1 - index);
    const maxLines = Math.max(1, Math.min(left, 2));
    const block = canvas.typesetter.line(text, style, { widthPt, maxLines, direction });
    if (yPt + block.heightPt > bottomPt + 1) return;
    canvas.taggedText(section, 'P', block, { xPt, yPt });
    yPt += block.heightPt;
  });
}

const EMPTY_PARTY: DocumentParty = { name: '', phoneNumber: null, email: null, address: null };

interface SenderLine {
  readonly text: string;
  readonly direction: 'auto' | 'ltr';
}

function describeSender(sender: DocumentParty): SenderLine[] {
  const { address } = sender;
  const town = [address?.postalCode, address?.city].filter((part) => part !== null).join(' ');
  const line = (text: string | null | undefined, direction: SenderLine['direction'] = 'auto') => {
    return { text: text ?? '', direction };
  };
  return [line(sender.name), line(address?.street), line(town, 'ltr'), line(sender.phoneNumber)].filter(
    ({ text }) => text.trim() !== '',
  );
}

function drawDetails(canvas: PageCanvas, section: TagElement, label: LabelData): void {
  const xPt = mm(EDGE_MM + 62);
  const widthPt = mm(INNER_MM - 62);
  const weight = label.weightKg === null ? '' : ` · ${formatNumber(label.weightKg, 'neutral')} kg`;
  const rows = [
    ['PACKAGE / COLIS', `${label.packageSize.replaceAll('_', ' ')}${weight}`],
    ['REFERENCE / RÉFÉRENCE', label.externalReference ?? ''],
  ] as const;
  let yPt = mm(SENDER_MM);
  for (const [caption, value] of rows) {
    if (value === '') continue;
    canvas.taggedText(section, 'P', canvas.typesetter.line(caption, CAPTION), { xPt, yPt });
    const block = canvas.typesetter.line(value, SMALL_BOLD, { widthPt, maxLines: 2 });
    canvas.taggedText(section, 'P', block, { xPt, yPt: yPt + CAPTION.leadingPt });
    yPt += CAPTION.leadingPt + block.heightPt + 2;
  }
}

function drawRecipient(canvas: PageCanvas, section: TagElement, recipient: DocumentParty): void {
  const xPt = mm(EDGE_MM);
  const caption = canvas.typesetter.line('TO / DESTINATAIRE', CAPTION);
  canvas.taggedText(section, 'P', caption, { xPt, yPt: mm(RECIPIENT_MM) });
  const topPt = mm(RECIPIENT_MM) + CAPTION.leadingPt + 1;
  const space = { widthPt: mm(INNER_MM), heightPt: mm(MONEY_MM - 2.5) - topPt };
  const fields = layOutRecipient(canvas, recipient, space);
  let yPt = topPt;
  for (const { block, gapPt } of fields) {
    yPt += gapPt;
    canvas.taggedText(section, 'P', block, { xPt, yPt });
    yPt += block.heightPt;
  }
}

function drawQrCode(canvas: PageCanvas, section: TagElement, label: LabelData): void {
  const shape = shapeQrCode(label.trackingNumber);
  // The quiet zone reaches into the label's white edge, so that the code lines up with the text above it.
  const place = { xPt: mm(EDGE_MM - 3.5), yPt: mm(MONEY_MM - 0.75), modulePt: mm(QR_MODULE_MM) };
  const sidePt = shape.widthModules * place.modulePt;
  canvas.tagged(
    section,
    'Figure',
    {
      alt: `QR code ${label.trackingNumber}`,
      bbox: [place.xPt, place.yPt, place.xPt + sidePt, place.yPt + sidePt],
    },
    () => drawCode(canvas.vector, shape, place),
  );
}

function drawMoney(canvas: PageCanvas, section: TagElement, label: LabelData): void {
  const isPrepaid = label.totalCodToCollectCents <= 0;
  const heightMm = label.handlingOptions.length > 0 ? 14.8 : 24.5;
  const box = { xPt: mm(MONEY_LEFT_MM), yPt: mm(MONEY_MM + 1.2), widthPt: mm(MONEY_WIDTH_MM) };
  canvas.decoration(() => {
    const { vector } = canvas;
    if (isPrepaid) {
      vector.lineWidth(1.4).rect(box.xPt + 0.7, box.yPt + 0.7, box.widthPt - 1.4, mm(heightMm) - 1.4);
      vector.stroke('#000000');
      return;
    }
    vector.rect(box.xPt, box.yPt, box.widthPt, mm(heightMm)).fill('#000000');
  });
  const lines = describeMoney(label).map(({ text, style }) => {
    return canvas.typesetter.shrinkToFit(text, style, box.widthPt - mm(5));
  });
  const textHeightPt = lines.reduce((sum, line) => sum + line.heightPt, 0);
  let yPt = box.yPt + (mm(heightMm) - textHeightPt) / 2;
  for (const line of lines) {
    const place = { xPt: box.xPt + mm(2.5), yPt, color: isPrepaid ? '#000000' : '#ffffff' };
    canvas.taggedText(section, 'P', line, place);
    yPt += line.heightPt;
  }
}

function describeMoney(label: LabelData): { text: string; style: TextStyle }[] {
  const { codAmountCents, deliveryFeeCents, totalCodToCollectCents, currency } = label;
  if (totalCodToCollectCents <= 0) {
    return [
      { text: 'PREPAID', style: AMOUNT },
      { text: 'Nothing to collect / Rien à encaisser', style: FINE_PRINT },
    ];
  }
  const sum = `${formatAmount(codAmountCents, 'neutral')} + ${formatAmount(deliveryFeeCents, 'neutral')}`;
  const isSum = totalCodToCollectCents !== codAmountCents;
  return [
    { text: 'COD / CONTRE-REMBOURSEMENT', style: CAPTION },
    { text: formatMoney(totalCodToCollectCents, currency, 'neutral'), style: AMOUNT },
    ...(isSum ? [{ text: `${sum} delivery / livraison`, style: FINE_PRINT }] : []),
  ];
}

function drawHandling(canvas: PageCanvas, section: TagElement, handlingOptions: readonly string[]): void {
  const topPt = mm(MONEY_MM + 17.4);
  const stepPt = mm(MONEY_WIDTH_MM / 6);
  const sizePt = mm(6.8);
  const word: TextStyle = { face: 'bold', sizePt: 4.9, leadingPt: 6 };
  [...new Set(handlingOptions)].slice(0, 6).forEach((option, index) => {
    const xPt = mm(MONEY_LEFT_MM) + index * stepPt;
    const name = nameHandlingOption(option, 'neutral');
    const block = canvas.typesetter.line(name, word, { widthPt: stepPt - 1, maxLines: 1 });
    if (hasSymbol(option)) {
      const place = { xPt: xPt + (stepPt - sizePt) / 2, yPt: topPt, sizePt };
      canvas.decoration(() => drawSymbol(canvas.vector, option, place));
    }
    canvas.taggedText(section, 'P', block, {
      xPt,
      yPt: topPt + sizePt + 1.2,
      widthPt: stepPt,
      align: 'center',
    });
  });
}

function drawBarcode(canvas: PageCanvas, section: TagElement, label: LabelData): void {
  const { widthModules } = shapeBarcode(label.trackingNumber, 1);
  const moduleMm = BAR_MODULES_MM.find((each) => widthModules * each <= LABEL_WIDTH_MM - 4) ?? 0.25;
  const shape = shapeBarcode(label.trackingNumber, BARCODE_HEIGHT_MM / moduleMm);
  const widthMm = widthModules * moduleMm;
  const leftMm = Math.round(((LABEL_WIDTH_MM - widthMm) / 2) * 8) / 8;
  const place = { xPt: mm(leftMm), yPt: mm(BARCODE_MM + 1), modulePt: mm(moduleMm) };
  const bottomPt = place.yPt + mm(BARCODE_HEIGHT_MM);
  canvas.tagged(
    section,
    'Figure',
    {
      alt: `Code 128 ${label.trackingNumber}`,
      bbox: [place.xPt, place.yPt, place.xPt + mm(widthMm), bottomPt],
    },
    () => drawCode(canvas.vector, shape, place),
  );
  const number = canvas.typesetter.line(label.trackingNumber, NUMBER, { widthPt: mm(INNER_MM) });
  canvas.taggedText(section, 'P', number, {
    xPt: mm(EDGE_MM),
    yPt: bottomPt + 4,
    widthPt: mm(INNER_MM),
    align: 'center',
  });
}
