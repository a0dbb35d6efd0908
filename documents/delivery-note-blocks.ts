import { drawCode, shapeBarcode, shapeQrCode } from './codes.ts';
import type { DeliveryNoteData, DocumentLocale, DocumentParty } from './document-data.ts';
import { formatInstant, formatNumber } from './document-format.ts';
import { CONTENT_WIDTH_PT, INK, LEFT_PT, QUIET_INK, RIGHT_PT, RULE, STYLE } from './delivery-note-style.ts';
import { translateWord } from './delivery-note-texts.ts';
import type { DeliveryNoteTexts } from './delivery-note-texts.ts';
import { drawSymbol, hasSymbol, nameHandlingOption } from './handling-symbols.ts';
import { mm } from './page-canvas.ts';
import type { PageCanvas, TagElement } from './page-canvas.ts';
import type { FlowBlock } from './page-flow.ts';
import { splitLines } from './text-layout.ts';
import type { TextBlock } from './text-layout.ts';

/** What every block of one note draws with. */
export interface NoteContext {
  readonly canvas: PageCanvas;
  readonly section: TagElement;
  readonly note: DeliveryNoteData;
  readonly texts: DeliveryNoteTexts;
  readonly locale: DocumentLocale;
}

const GUTTER_PT = mm(8);
/** Widths of the narrowest bar, widest first: the first that leaves room for the tracking number is taken. */
const BAR_MODULES_MM = [0.375, 0.34, 0.3, 0.27, 0.25] as const;
const BARCODE_WIDTH_MM = 100;

/** A caption in small type over a value; the value `null` leaves both out. */
interface Fact {
  readonly caption: string;
  readonly value: TextBlock;
}

/** Title, tracking number and both codes. */
export function noteHead(context: NoteContext): FlowBlock {
  const { canvas, note, texts } = context;
  const qrCode = shapeQrCode(note.trackingNumber);
  const qrModulePt = mm(0.75);
  const qrSidePt = qrCode.widthModules * qrModulePt;
  const titleWidthPt = CONTENT_WIDTH_PT - qrSidePt - mm(4);
  const issuer = canvas.typesetter.line(note.organizationName, STYLE.issuer, {
    widthPt: titleWidthPt,
    maxLines: 2,
  });
  const title = canvas.typesetter.line(texts.title, STYLE.title);
  const heightPt = Math.max(qrSidePt - mm(3), issuer.heightPt + title.heightPt + mm(3));
  return {
    gapPt: 0,
    heightPt,
    draw: (topPt) => {
      canvas.taggedText(context.section, 'P', issuer, { xPt: LEFT_PT, yPt: topPt, color: QUIET_INK });
      const titleTopPt = topPt + issuer.heightPt + mm(1);
      canvas.taggedText(context.section, 'H1', title, { xPt: LEFT_PT, yPt: titleTopPt, color: INK });
      const xPt = RIGHT_PT - qrSidePt + mm(3);
      const place = { xPt, yPt: topPt - mm(3), modulePt: qrModulePt };
      const alt = `QR code ${note.trackingNumber}`;
      const bbox: [number, number, number, number] = [xPt, place.yPt, xPt + qrSidePt, place.yPt + qrSidePt];
      canvas.tagged(context.section, 'Figure', { alt, bbox }, () => drawCode(canvas.vector, qrCode, place));
    },
  };
}

/** Tracking number on the left, its Code 128 on the right, between two rules. */
export function trackingBand(context: NoteContext): FlowBlock {
  const { canvas, note, texts, locale } = context;
  const { widthModules } = shapeBarcode(note.trackingNumber, 1);
  const moduleMm = BAR_MODULES_MM.find((each) => widthModules * each <= BARCODE_WIDTH_MM) ?? 0.25;
  const barcodeHeightPt = mm(13);
  const shape = shapeBarcode(note.trackingNumber, barcodeHeightPt / mm(moduleMm));
  const barcodeWidthPt = mm(widthModules * moduleMm);
  const caption = canvas.typesetter.line(texts.trackingNumber.toUpperCase(), STYLE.caption);
  const number = canvas.typesetter.line(note.trackingNumber, STYLE.tracking, {
    widthPt: CONTENT_WIDTH_PT - barcodeWidthPt + mm(3),
  });
  const created = `${texts.createdAt} ${formatInstant(note.createdAt, note.timezone, locale)}`;
  const date = canvas.typesetter.line(created, STYLE.small, { widthPt: CONTENT_WIDTH_PT - barcodeWidthPt });
  const leftHeightPt = caption.heightPt + number.heightPt + date.heightPt;
  const heightPt = Math.max(barcodeHeightPt, leftHeightPt) + mm(7);
  return {
    gapPt: mm(5),
    heightPt,
    draw: (topPt) => {
      canvas.decoration(() => {
        canvas.vector.rect(LEFT_PT, topPt, CONTENT_WIDTH_PT, 1.1).fill(INK);
        canvas.vector.rect(LEFT_PT, topPt + heightPt, CONTENT_WIDTH_PT, 0.5).fill(RULE);
      });
      const leftTopPt = topPt + (heightPt - leftHeightPt) / 2;
      stack(context, [caption, number, date], LEFT_PT, leftTopPt);
      const xPt = RIGHT_PT - barcodeWidthPt + mm(moduleMm * 10);
      const place = { xPt, yPt: topPt + (heightPt - barcodeHeightPt) / 2, modulePt: mm(moduleMm) };
      const alt = `Code 128 ${note.trackingNumber}`;
      const bottomPt = place.yPt + barcodeHeightPt;
      const bbox: [number, number, number, number] = [xPt, place.yPt, xPt + barcodeWidthPt, bottomPt];
      canvas.tagged(context.section, 'Figure', { alt, bbox }, () => drawCode(canvas.vector, shape, place));
    },
  };
}

function stack(context: NoteContext, blocks: readonly TextBlock[], xPt: number, topPt: number): number {
  let yPt = topPt;
  blocks.forEach((block) => {
    const isCaption = block.style === STYLE.caption || block.style === STYLE.small;
    const place = { xPt, yPt, color: isCaption ? QUIET_INK : INK };
    context.canvas.taggedText(context.section, 'P', block, place);
    yPt += block.heightPt;
  });
  return yPt;
}

/** Sender and recipient side by side; a shipment without a sender shows the organization. */
export function parties(context: NoteContext): FlowBlock {
  const { note, texts } = context;
  const widthPt = (CONTENT_WIDTH_PT - GUTTER_PT) / 2;
  const fromNobody = { name: note.organizationName, phoneNumber: null, email: null, address: null };
  const sender = setParty(context, texts.sender, note.sender ?? fromNobody, widthPt);
  const recipient = setParty(context, texts.recipient, note.recipient, widthPt);
  const height = (blocks: readonly TextBlock[]) => blocks.reduce((sum, block) => sum + block.heightPt, 0);
  return {
    gapPt: mm(5),
    heightPt: Math.max(height(sender), height(recipient)),
    draw: (topPt) => {
      stack(context, sender, LEFT_PT, topPt);
      stack(context, recipient, LEFT_PT + widthPt + GUTTER_PT, topPt);
    },
  };
}

function setParty(context: NoteContext, caption: string, party: DocumentParty, widthPt: number): TextBlock[] {
  const { typesetter } = context.canvas;
  const { address } = party;
  const town = [address?.postalCode, address?.city].filter((part) => part !== null).join(' ');
  const lines = [address?.street, town, address?.landmark, party.phoneNumber, party.email];
  return [
    typesetter.line(caption.toUpperCase(), STYLE.caption),
    typesetter.line(party.name, STYLE.name, { widthPt }),
    ...lines
      .filter((line) => line !== null && line !== undefined && line.trim() !== '')
      .map((line) => {
        const fit = line === town ? ({ widthPt, direction: 'ltr' } as const) : { widthPt };
        return typesetter.line(line ?? '', STYLE.body, fit);
      }),
  ];
}

/** Reference, priority, parcel and driver in one row of four. */
export function facts(context: NoteContext): FlowBlock {
  const { canvas, section, note, texts, locale } = context;
  const weight = note.weightKg === null ? '' : ` · ${formatNumber(note.weightKg, locale)} kg`;
  const driver = [note.driver?.name, note.driver?.phoneNumber].filter(
    (line) => line !== null && line !== undefined,
  );
  const widthPt = (CONTENT_WIDTH_PT - 3 * mm(5)) / 4;
  const fact = (caption: string, value: string): Fact => ({
    caption: caption.toUpperCase(),
    value: canvas.typesetter.paragraphs(value, STYLE.strong, { widthPt }),
  });
  const row = [
    fact(texts.reference, note.externalReference ?? '–'),
    fact(texts.priority, translateWord(texts, note.priority)),
    fact(texts.parcel, `${translateWord(texts, note.packageSize)}${weight}`),
    fact(texts.driver, driver.length === 0 ? texts.notAssigned : driver.join('\n')),
  ];
  const heightPt = STYLE.caption.leadingPt + Math.max(...row.map(({ value }) => value.heightPt)) + mm(4);
  return {
    gapPt: mm(5),
    heightPt,
    draw: (topPt) => {
      canvas.decoration(() => canvas.vector.rect(LEFT_PT, topPt, CONTENT_WIDTH_PT, 0.5).fill(RULE));
      row.forEach(({ caption, value }, index) => {
        const xPt = LEFT_PT + index * (widthPt + mm(5));
        const yPt = topPt + mm(3);
        const heading = canvas.typesetter.line(caption, STYLE.caption);
        canvas.taggedText(section, 'P', heading, { xPt, yPt, color: QUIET_INK });
        canvas.taggedText(section, 'P', value, { xPt, yPt: yPt + STYLE.caption.leadingPt, color: INK });
      });
    },
  };
}

/** Handling options, each with its symbol, wrapped over as many rows as they need; none for no option. */
export function handling(context: NoteContext): FlowBlock[] {
  const { canvas, section, note, texts, locale } = context;
  if (note.handlingOptions.length === 0) return [];
  const symbolPt = 13;
  const rowPt = 18;
  const caption = canvas.typesetter.line(texts.handling.toUpperCase(), STYLE.caption);
  let xPt = LEFT_PT;
  let row = 0;
  const options = [...new Set(note.handlingOptions)].map((option) => {
    const name = canvas.typesetter.line(nameHandlingOption(option, locale), STYLE.strong);
    const symbolWidthPt = hasSymbol(option) ? symbolPt + 5 : 0;
    const widthPt = symbolWidthPt + name.widthPt;
    if (xPt > LEFT_PT && xPt + widthPt > RIGHT_PT) {
      xPt = LEFT_PT;
      row += 1;
    }
    const place = { option, name, xPt, row, symbolWidthPt };
    xPt += widthPt + mm(6);
    return place;
  });
  return [
    {
      gapPt: mm(4),
      heightPt: caption.heightPt + 2 + (row + 1) * rowPt,
      draw: (topPt) => {
        canvas.taggedText(section, 'P', caption, { xPt: LEFT_PT, yPt: topPt, color: QUIET_INK });
        for (const option of options) {
          const yPt = topPt + caption.heightPt + 2 + option.row * rowPt;
          const place = { xPt: option.xPt, yPt: yPt + 1, sizePt: symbolPt };
          canvas.decoration(() => drawSymbol(canvas.vector, option.option, place));
          const textPlace = { xPt: option.xPt + option.symbolWidthPt, yPt: yPt + 1, color: INK };
          canvas.taggedText(section, 'P', option.name, textPlace);
        }
      },
    },
  ];
}

/** Free text, line by line so that long notes can go over to the next page. */
export function freeText(context: NoteContext): FlowBlock[] {
  const { canvas, section, note, texts } = context;
  if (note.notes === null || note.notes.trim() === '') return [];
  const caption = canvas.typesetter.line(texts.notes.toUpperCase(), STYLE.caption);
  const text = canvas.typesetter.paragraphs(note.notes, STYLE.body, { widthPt: CONTENT_WIDTH_PT });
  let paragraph: TagElement | undefined;
  const head: FlowBlock = {
    gapPt: mm(4),
    heightPt: caption.heightPt,
    keepWithNext: true,
    draw: (topPt) => {
      canvas.taggedText(section, 'P', caption, { xPt: LEFT_PT, yPt: topPt, color: QUIET_INK });
      paragraph = canvas.group('P', section);
    },
  };
  const lines = splitLines(text).map((line): FlowBlock => {
    const place = { xPt: LEFT_PT, widthPt: CONTENT_WIDTH_PT, align: 'start', color: INK } as const;
    return {
      gapPt: 0,
      heightPt: line.heightPt,
      draw: (yPt) => canvas.taggedText(paragraph ?? section, 'Span', line, { ...place, yPt }),
    };
  });
  return [head, ...lines];
}
