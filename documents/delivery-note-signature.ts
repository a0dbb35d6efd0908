import type { NoteContext } from './delivery-note-blocks.ts';
import { formatInstant } from './document-format.ts';
import { CONTENT_WIDTH_PT, INK, LEFT_PT, QUIET_INK, RULE, STYLE } from './delivery-note-style.ts';
import { mm } from './page-canvas.ts';
import type { FlowBlock } from './page-flow.ts';
import type { TextBlock } from './text-layout.ts';

const HEIGHT_PT = mm(34);
const PADDING_PT = mm(3.5);

interface Field {
  readonly caption: string;
  /** Null leaves a line to write on. */
  readonly value: string | null;
}

/**
 * Who received the parcel and when: printed once it is delivered, before that lines to write on; beside it
 * the box for the recipient's signature.
 */
export function signatureBox(context: NoteContext): FlowBlock {
  const { canvas, section, texts } = context;
  const halfPt = CONTENT_WIDTH_PT / 2;
  const fields = describeReceipt(context).map(({ caption, value }) => ({
    caption: canvas.typesetter.line(caption.toUpperCase(), STYLE.caption),
    value:
      value === null
        ? null
        : canvas.typesetter.line(value, STYLE.strong, { widthPt: halfPt - 2 * PADDING_PT, maxLines: 3 }),
  }));
  const signature = canvas.typesetter.line(texts.signature.toUpperCase(), STYLE.caption);
  return {
    gapPt: mm(8),
    heightPt: HEIGHT_PT,
    draw: (topPt) => {
      canvas.decoration(() => {
        canvas.vector.lineWidth(0.8).roundedRect(LEFT_PT, topPt, CONTENT_WIDTH_PT, HEIGHT_PT, 4).stroke(INK);
        canvas.vector.rect(LEFT_PT + halfPt, topPt, 0.5, HEIGHT_PT).fill(RULE);
      });
      let yPt = topPt + PADDING_PT;
      for (const { caption, value } of fields) {
        canvas.taggedText(section, 'P', caption, { xPt: LEFT_PT + PADDING_PT, yPt, color: QUIET_INK });
        yPt += caption.heightPt;
        yPt += drawValue(context, value, yPt, halfPt - 2 * PADDING_PT);
      }
      const signaturePlace = { xPt: LEFT_PT + halfPt + PADDING_PT, yPt: topPt + PADDING_PT };
      canvas.taggedText(section, 'P', signature, { ...signaturePlace, color: QUIET_INK });
    },
  };
}

/** Answers the height that it took. */
function drawValue(context: NoteContext, value: TextBlock | null, yPt: number, widthPt: number): number {
  const { canvas, section } = context;
  const xPt = LEFT_PT + PADDING_PT;
  if (value === null) {
    canvas.decoration(() => canvas.vector.rect(xPt, yPt + mm(7), widthPt, 0.5).fill(QUIET_INK));
    return mm(9);
  }
  canvas.taggedText(section, 'P', value, { xPt, yPt, color: INK });
  return value.heightPt + mm(2);
}

function describeReceipt({ note, texts, locale }: NoteContext): Field[] {
  if (note.deliveredAt === null) {
    return [
      { caption: texts.receiverName, value: null },
      { caption: texts.receivedOn, value: null },
    ];
  }
  return [
    { caption: texts.deliveredAt, value: formatInstant(note.deliveredAt, note.timezone, locale) },
    { caption: texts.receivedBy, value: note.receivedBy },
  ];
}
