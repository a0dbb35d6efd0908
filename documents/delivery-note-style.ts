import type { DeliveryNoteData, DocumentLocale } from './document-data.ts';
import type { PageCanvas, TagElement } from './page-canvas.ts';
import type { TextBlock, TextStyle } from './text-layout.ts';
import { mm } from './units.ts';
import type { TextName } from './words.ts';

/** A4 and the margins inside which a delivery note is set. */
export const PAGE = { widthPt: mm(210), heightPt: mm(297) } as const;
export const LEFT_PT = mm(16);
export const RIGHT_PT = PAGE.widthPt - mm(16);
export const CONTENT_WIDTH_PT = RIGHT_PT - LEFT_PT;
export const TOP_PT = mm(15);
/** Content ends here; the footer stands below. */
export const BOTTOM_PT = PAGE.heightPt - mm(19);

export const INK = '#111111';
export const QUIET_INK = '#5c6066';
export const RULE = '#c9ccd1';

const bold = (sizePt: number, leadingPt: number): TextStyle => ({ face: 'bold', sizePt, leadingPt });
const regular = (sizePt: number, leadingPt: number): TextStyle => ({ face: 'regular', sizePt, leadingPt });

/** The note's scale of type. */
export const STYLE = {
  title: bold(23, 28),
  issuer: bold(11, 14),
  tracking: { face: 'mono', sizePt: 13, leadingPt: 17 },
  caption: bold(7.2, 11),
  name: bold(11.5, 15),
  body: regular(9.4, 13),
  strong: bold(9.4, 13),
  small: regular(7.8, 10.5),
  total: bold(13.5, 19),
} as const satisfies Record<string, TextStyle>;

/** What every block of one note draws with. */
export interface NoteContext {
  readonly canvas: PageCanvas;
  readonly section: TagElement;
  readonly note: DeliveryNoteData;
  /** Returns a fixed text in the note's language. */
  readonly say: (name: TextName) => string;
  readonly locale: DocumentLocale;
}

/** Sets a caption: small capitals over a value. */
export function setCaption({ canvas, say }: NoteContext, name: TextName): TextBlock {
  return canvas.typesetter.line(say(name).toUpperCase(), STYLE.caption);
}

/** Draws a text as a paragraph. */
export function write(
  { canvas, section }: NoteContext,
  block: TextBlock,
  xPt: number,
  yPt: number,
  color: string = INK,
): void {
  canvas.taggedText(section, 'P', block, { xPt, yPt, color });
}

/** Draws a line to the right margin: a strong one begins a part, a fine one stands within. */
export function drawRule({ canvas }: NoteContext, yPt: number, kind: 'strong' | 'fine', xPt = LEFT_PT): void {
  const [thicknessPt, color] = kind === 'strong' ? [1.1, INK] : [0.5, RULE];
  canvas.decoration(() => canvas.vector.rect(xPt, yPt, RIGHT_PT - xPt, thicknessPt).fill(color));
}
