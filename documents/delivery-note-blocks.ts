import { drawCode, shapeBarcode, shapeQrCode } from './codes.ts';
import type { DocumentParty } from './document-data.ts';
import { formatInstant, formatTown, formatWeight } from './document-format.ts';
import {
  CONTENT_WIDTH_PT,
  drawRule,
  INK,
  LEFT_PT,
  QUIET_INK,
  RIGHT_PT,
  RULE,
  setCaption,
  STYLE,
  write,
} from './delivery-note-style.ts';
import type { NoteContext } from './delivery-note-style.ts';
import { drawSymbol, hasSymbol } from './handling-symbols.ts';
import type { TagElement } from './page-canvas.ts';
import type { FlowBlock } from './page-flow.ts';
import { splitLines } from './text-layout.ts';
import type { TextBlock } from './text-layout.ts';
import { mm } from './units.ts';
import { translateWord } from './words.ts';
import type { TextName } from './words.ts';

/** Widest first: the first that leaves room for the tracking number is taken. */
const BARCODE = { modulesMm: [0.375, 0.34, 0.3, 0.27, 0.25], maxWidthMm: 100, heightMm: 13 } as const;
const QR_MODULE_MM = 0.75;

/** Title, issuer and QR code. */
export function noteHead(context: NoteContext): FlowBlock {
  const { canvas, section, note, say } = context;
  const qrCode = shapeQrCode(note.trackingNumber, QR_MODULE_MM);
  const qrSidePt = mm(qrCode.widthMm);
  const widthPt = CONTENT_WIDTH_PT - qrSidePt - mm(4);
  const issuer = canvas.typesetter.line(note.organizationName, STYLE.issuer, { widthPt, maxLines: 2 });
  const title = canvas.typesetter.line(say('title'), STYLE.title);
  return {
    gapPt: 0,
    heightPt: Math.max(qrSidePt - mm(3), issuer.heightPt + title.heightPt + mm(3)),
    draw: (topPt) => {
      write(context, issuer, LEFT_PT, topPt, QUIET_INK);
      const titleTopPt = topPt + issuer.heightPt + mm(1);
      canvas.taggedText(section, 'H1', title, { xPt: LEFT_PT, yPt: titleTopPt, color: INK });
      drawCode(canvas, section, qrCode, { xPt: RIGHT_PT - qrSidePt + mm(3), yPt: topPt - mm(3) });
    },
  };
}

/** Tracking number on the left, its Code 128 on the right, between two rules. */
export function trackingBand(context: NoteContext): FlowBlock {
  const { canvas, section, note, say, locale } = context;
  const barcode = shapeBarcode(note.trackingNumber, BARCODE);
  const widthPt = CONTENT_WIDTH_PT - mm(barcode.widthMm);
  const created = `${say('createdAt')} ${formatInstant(note.createdAt, note.timezone, locale)}`;
  const texts = [
    setCaption(context, 'trackingNumber'),
    canvas.typesetter.line(note.trackingNumber, STYLE.tracking, { widthPt: widthPt + mm(3) }),
    canvas.typesetter.line(created, STYLE.small, { widthPt }),
  ];
  const barcodeHeightPt = mm(barcode.heightMm);
  const heightPt = Math.max(barcodeHeightPt, heightOf(texts)) + mm(7);
  return {
    gapPt: mm(5),
    heightPt,
    draw: (topPt) => {
      drawRule(context, topPt, 'strong');
      drawRule(context, topPt + heightPt, 'fine');
      writeStack(context, texts, LEFT_PT, topPt + (heightPt - heightOf(texts)) / 2);
      // Its quiet zone reaches into the margin.
      const xPt = LEFT_PT + widthPt + mm(barcode.moduleMm * 10);
      drawCode(canvas, section, barcode, { xPt, yPt: topPt + (heightPt - barcodeHeightPt) / 2 });
    },
  };
}

function heightOf(blocks: readonly TextBlock[]): number {
  return blocks.reduce((sum, block) => sum + block.heightPt, 0);
}

function writeStack(context: NoteContext, blocks: readonly TextBlock[], xPt: number, topPt: number): void {
  let yPt = topPt;
  for (const block of blocks) {
    const isQuiet = block.style === STYLE.caption || block.style === STYLE.small;
    write(context, block, xPt, yPt, isQuiet ? QUIET_INK : INK);
    yPt += block.heightPt;
  }
}

/** Sender and recipient side by side. */
export function parties(context: NoteContext): FlowBlock {
  const gutterPt = mm(8);
  const widthPt = (CONTENT_WIDTH_PT - gutterPt) / 2;
  const stacks = (['sender', 'recipient'] as const).map((role) => setParty(context, role, widthPt));
  return {
    gapPt: mm(5),
    heightPt: Math.max(...stacks.map(heightOf)),
    draw: (topPt) =>
      stacks.forEach((stack, index) => {
        writeStack(context, stack, LEFT_PT + index * (widthPt + gutterPt), topPt);
      }),
  };
}

function setParty(context: NoteContext, role: 'sender' | 'recipient', widthPt: number): TextBlock[] {
  const { typesetter } = context.canvas;
  const { name, address, phoneNumber, email }: DocumentParty = context.note[role];
  const setLine = (text: string | null | undefined, direction: 'auto' | 'ltr' = 'auto'): TextBlock[] => {
    const isBlank = text === null || text === undefined || text.trim() === '';
    return isBlank ? [] : [typesetter.line(text, STYLE.body, { widthPt, direction })];
  };
  return [
    setCaption(context, role),
    typesetter.line(name, STYLE.name, { widthPt }),
    ...setLine(address?.street),
    ...setLine(formatTown(address), 'ltr'),
    ...setLine(address?.landmark),
    ...setLine(phoneNumber),
    ...setLine(email),
  ];
}

/** Reference, priority, parcel and driver in one row of four. */
export function facts(context: NoteContext): FlowBlock {
  const { canvas, note, say, locale } = context;
  const gutterPt = mm(5);
  const widthPt = (CONTENT_WIDTH_PT - 3 * gutterPt) / 4;
  const driver = [note.driverName, note.driverPhoneNumber].filter((line) => line !== null).join('\n');
  const values = [
    ['reference', note.externalReference ?? '–'],
    ['priority', translateWord(note.priority, locale)],
    ['parcel', `${translateWord(note.packageSize, locale)}${formatWeight(note.weightGrams, locale)}`],
    ['driver', driver === '' ? say('notAssigned') : driver],
  ] as const;
  const stacks = values.map(([name, value]) => [
    setCaption(context, name),
    canvas.typesetter.paragraphs(value, STYLE.strong, { widthPt }),
  ]);
  return {
    gapPt: mm(5),
    heightPt: Math.max(...stacks.map(heightOf)) + mm(4),
    draw: (topPt) => {
      drawRule(context, topPt, 'fine');
      stacks.forEach((stack, index) => {
        writeStack(context, stack, LEFT_PT + index * (widthPt + gutterPt), topPt + mm(3));
      });
    },
  };
}

/** Handling options, each with its symbol, wrapped over as many rows as they need; none for no option. */
export function handling(context: NoteContext): FlowBlock[] {
  const { canvas, note, locale } = context;
  if (note.handlingOptions.length === 0) return [];
  const symbolPt = 13;
  const rowPt = 18;
  const caption = setCaption(context, 'handling');
  let xPt = LEFT_PT;
  let row = 0;
  const options = [...new Set(note.handlingOptions)].map((option) => {
    const name = canvas.typesetter.line(translateWord(option, locale), STYLE.strong);
    const symbolWidthPt = hasSymbol(option) ? symbolPt + 5 : 0;
    const widthPt = symbolWidthPt + name.widthPt;
    if (xPt > LEFT_PT && xPt + widthPt > RIGHT_PT) {
      xPt = LEFT_PT;
      row += 1;
    }
    const place = { option, name, xPt, topPt: caption.heightPt + 3 + row * rowPt, symbolWidthPt };
    xPt += widthPt + mm(6);
    return place;
  });
  return [
    {
      gapPt: mm(4),
      heightPt: caption.heightPt + 2 + (row + 1) * rowPt,
      draw: (topPt) => {
        write(context, caption, LEFT_PT, topPt, QUIET_INK);
        for (const { option, name, symbolWidthPt, ...place } of options) {
          const yPt = topPt + place.topPt;
          canvas.decoration(() =>
            drawSymbol(canvas.vector, option, { xPt: place.xPt, yPt, sizePt: symbolPt }),
          );
          write(context, name, place.xPt + symbolWidthPt, yPt);
        }
      },
    },
  ];
}

/** Free text, line by line so that long notes can go over to the next page. */
export function freeText(context: NoteContext): FlowBlock[] {
  const { canvas, section, note } = context;
  if (note.notes === null || note.notes.trim() === '') return [];
  const caption = setCaption(context, 'notes');
  const text = canvas.typesetter.paragraphs(note.notes, STYLE.body, { widthPt: CONTENT_WIDTH_PT });
  let paragraph: TagElement | undefined;
  const head: FlowBlock = {
    gapPt: mm(4),
    heightPt: caption.heightPt,
    keepWithNext: true,
    draw: (topPt) => {
      write(context, caption, LEFT_PT, topPt, QUIET_INK);
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

/**
 * Who received the parcel and when: printed once it is delivered, before that lines to write on; next to it
 * the box for the recipient's signature.
 */
export function signatureBox(context: NoteContext): FlowBlock {
  const { canvas, note, locale } = context;
  const heightPt = mm(34);
  const paddingPt = mm(3.5);
  const middlePt = LEFT_PT + CONTENT_WIDTH_PT / 2;
  const xPt = LEFT_PT + paddingPt;
  const widthPt = CONTENT_WIDTH_PT / 2 - 2 * paddingPt;
  const setField = (name: TextName, value: string | null) => ({
    caption: setCaption(context, name),
    value: value === null ? null : canvas.typesetter.line(value, STYLE.strong, { widthPt, maxLines: 3 }),
  });
  const { deliveredAt } = note;
  const fields =
    deliveredAt === null
      ? [setField('receiverName', null), setField('receivedOn', null)]
      : [
          setField('deliveredAt', formatInstant(deliveredAt, note.timezone, locale)),
          setField('receivedBy', note.receivedBy),
        ];
  return {
    gapPt: mm(8),
    heightPt,
    draw: (topPt) => {
      canvas.decoration(() => {
        canvas.vector.lineWidth(0.8).roundedRect(LEFT_PT, topPt, CONTENT_WIDTH_PT, heightPt, 4).stroke(INK);
        canvas.vector.rect(middlePt, topPt, 0.5, heightPt).fill(RULE);
      });
      let yPt = topPt + paddingPt;
      for (const { caption, value } of fields) {
        write(context, caption, xPt, yPt, QUIET_INK);
        const valueTopPt = yPt + caption.heightPt;
        yPt = valueTopPt + (value === null ? mm(9) : value.heightPt + mm(2));
        if (value !== null) write(context, value, xPt, valueTopPt);
        else
          canvas.decoration(() => canvas.vector.rect(xPt, valueTopPt + mm(7), widthPt, 0.5).fill(QUIET_INK));
      }
      write(context, setCaption(context, 'signature'), middlePt + paddingPt, topPt + paddingPt, QUIET_INK);
    },
  };
}
