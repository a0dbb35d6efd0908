import type { DocumentParty } from './document-data.ts';
import type { PageCanvas } from './page-canvas.ts';
import type { TextBlock, TextStyle } from './text-layout.ts';

/** One line of the address at full size, and how many lines it may take before the whole block shrinks. */
interface RecipientField {
  readonly text: string;
  readonly face: TextStyle['face'];
  readonly sizePt: number;
  readonly smallestPt: number;
  readonly gapPt: number;
  readonly isTown: boolean;
}

const SCALES = [1, 0.92, 0.84, 0.76, 0.68, 0.6, 0.54, 0.48, 0.42, 0.36, 0.3] as const;
const LEADING = 1.2;
/** A text may shrink this much to save a line, rather than leave a single word on another. */
const FEWER_LINES_SCALE = 0.84;
/** A long city name is better smaller on one line than large on two. */
const FEWER_TOWN_LINES_SCALE = 0.66;

/**
 * Sets a recipient as large as the space allows: name, street and landmark, then postal code and city larger
 * still, then the phone number. Everything shrinks together; only where even the smallest size (5 pt) is too
 * large are fields cut, each with an ellipsis.
 */
export function layOutRecipient(
  canvas: PageCanvas,
  recipient: DocumentParty,
  space: { readonly widthPt: number; readonly heightPt: number },
): { readonly block: TextBlock; readonly gapPt: number }[] {
  const fields = toFields(recipient);
  for (const scale of SCALES) {
    const blocks = fields.map((field) => setField(canvas, field, scale, space.widthPt));
    if (totalHeight(blocks) <= space.heightPt) return blocks;
  }
  const smallest = SCALES[SCALES.length - 1] ?? 1;
  return fields.map((field) => setField(canvas, field, smallest, space.widthPt, 3));
}

function toFields(recipient: DocumentParty): RecipientField[] {
  const { address, name, phoneNumber } = recipient;
  const town = [address?.postalCode, address?.city].filter((part) => part !== null).join(' ');
  const field = (
    text: string | null | undefined,
    face: TextStyle['face'],
    sizePt: number,
    gapPt: number,
    isTown = false,
  ): RecipientField => ({ text: text ?? '', face, sizePt, smallestPt: isTown ? 8 : 5, gapPt, isTown });
  return [
    field(name, 'bold', 18, 0),
    field(address?.street, 'regular', 13, 3),
    field(address?.landmark, 'regular', 10.5, 1),
    field(town, 'bold', 27, 4, true),
    field(phoneNumber, 'bold', 13, 4),
  ].filter(({ text }) => text.trim() !== '');
}

function setField(
  canvas: PageCanvas,
  field: RecipientField,
  scale: number,
  widthPt: number,
  maxLines?: number,
): { block: TextBlock; gapPt: number } {
  const set = (sizePt: number) =>
    canvas.typesetter.line(
      field.text,
      { face: field.face, sizePt, leadingPt: sizePt * LEADING },
      // The postal code stays on the left, where sorters look for it, whatever the city is written in.
      {
        widthPt,
        ...(field.isTown ? { direction: 'ltr' } : {}),
        ...(maxLines === undefined ? {} : { maxLines }),
      },
    );
  const sizePt = Math.max(field.smallestPt, field.sizePt * scale);
  const block = set(sizePt);
  if (block.lines.length < 2) return { block, gapPt: field.gapPt * scale };
  const fewerLinesScale = field.isTown ? FEWER_TOWN_LINES_SCALE : FEWER_LINES_SCALE;
  const smaller = set(Math.max(field.smallestPt, sizePt * fewerLinesScale));
  return { block: smaller.lines.length < block.lines.length ? smaller : block, gapPt: field.gapPt * scale };
}

function totalHeight(blocks: readonly { readonly block: TextBlock; readonly gapPt: number }[]): number {
  return blocks.reduce((sum, { block, gapPt }) => sum + block.heightPt + gapPt, 0);
}
