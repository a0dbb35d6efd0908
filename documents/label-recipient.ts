import type { DocumentParty } from './document-data.ts';
import { formatTown } from './document-format.ts';
import type { PageCanvas } from './page-canvas.ts';
import type { TextBlock, TextStyle } from './text-layout.ts';

/** One line of the address at full size. */
interface RecipientField {
  readonly text: string;
  readonly face: TextStyle['face'];
  readonly sizePt: number;
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
  return fields.map((field) => setField(canvas, field, SCALES.at(-1) ?? 1, space.widthPt, 3));
}

function toFields(recipient: DocumentParty): RecipientField[] {
  const { address, name, phoneNumber } = recipient;
  const fields: RecipientField[] = [
    { text: name, face: 'bold', sizePt: 18, gapPt: 0, isTown: false },
    { text: address?.street ?? '', face: 'regular', sizePt: 13, gapPt: 3, isTown: false },
    { text: address?.landmark ?? '', face: 'regular', sizePt: 10.5, gapPt: 1, isTown: false },
    { text: formatTown(address), face: 'bold', sizePt: 27, gapPt: 4, isTown: true },
    { text: phoneNumber ?? '', face: 'bold', sizePt: 13, gapPt: 4, isTown: false },
  ];
  return fields.filter(({ text }) => text.trim() !== '');
}

function setField(
  canvas: PageCanvas,
  { text, face, isTown, ...field }: RecipientField,
  scale: number,
  widthPt: number,
  maxLines = Infinity,
): { block: TextBlock; gapPt: number } {
  const smallestPt = isTown ? 8 : 5;
  const set = (scaledPt: number): TextBlock => {
    const sizePt = Math.max(smallestPt, scaledPt);
    const style = { face, sizePt, leadingPt: sizePt * LEADING };
    // The postal code stays on the left, where sorters look for it, whatever the city is written in.
    return canvas.typesetter.line(text, style, { widthPt, maxLines, direction: isTown ? 'ltr' : 'auto' });
  };
  const gapPt = field.gapPt * scale;
  const block = set(field.sizePt * scale);
  if (block.lines.length < 2) return { block, gapPt };
  const smaller = set(block.style.sizePt * (isTown ? FEWER_TOWN_LINES_SCALE : FEWER_LINES_SCALE));
  return { block: smaller.lines.length < block.lines.length ? smaller : block, gapPt };
}

function totalHeight(blocks: readonly { readonly block: TextBlock; readonly gapPt: number }[]): number {
  return blocks.reduce((sum, { block, gapPt }) => sum + block.heightPt + gapPt, 0);
}
