import { setImmediate as nextTurn } from 'node:timers/promises';

import type { DeliveryNoteData, DeliveryNoteOptions } from './document-data.ts';
import {
  facts,
  freeText,
  handling,
  noteHead,
  parties,
  signatureBox,
  trackingBand,
} from './delivery-note-blocks.ts';
import { itemTable, totals } from './delivery-note-items.ts';
import { BOTTOM_PT, LEFT_PT, PAGE, QUIET_INK, RIGHT_PT, RULE, STYLE, TOP_PT } from './delivery-note-style.ts';
import type { NoteContext } from './delivery-note-style.ts';
import { textsOf } from './document-texts.ts';
import { PageCanvas } from './page-canvas.ts';
import { placeBlocks } from './page-flow.ts';
import { mm } from './units.ts';
import { sayIn } from './words.ts';

const FOOTER_TOP_PT = PAGE.heightPt - mm(14);

/**
 * Renders delivery notes as one tagged A4 PDF: a page each where it fits, more where it must, numbered per
 * note. Other requests get their turn after each page. Throws a RangeError for an empty list, an instant or
 * time zone that does not exist, or a tracking number that is not printable ASCII (interpretation 33).
 */
export async function renderDeliveryNotes(
  notes: readonly DeliveryNoteData[],
  options: DeliveryNoteOptions,
): Promise<Uint8Array> {
  const [first] = notes;
  if (first === undefined) throw new RangeError('Give at least one delivery note to render.');
  const { locale } = options;
  const say = sayIn(locale);
  const canvas = await PageCanvas.open({
    title:
      notes.length === 1
        ? `${say('title')} ${first.trackingNumber}`
        : `${say('titleOfMany')} (${notes.length})`,
    author: first.organizationName,
    language: locale,
    createdAt: options.createdAt,
    page: PAGE,
    texts: textsOf(notes),
  });
  for (const note of notes) {
    await drawNote({ canvas, section: canvas.group('Sect'), note, say, locale });
  }
  return canvas.close();
}

async function drawNote(context: NoteContext): Promise<void> {
  const blocks = [
    noteHead(context),
    trackingBand(context),
    parties(context),
    facts(context),
    ...handling(context),
    ...freeText(context),
    ...(await itemTable(context)),
    totals(context),
    signatureBox(context),
  ];
  const pages = placeBlocks(blocks, { firstTopPt: TOP_PT, nextTopPt: TOP_PT + mm(9), bottomPt: BOTTOM_PT });
  for (const [index, page] of pages.entries()) {
    context.canvas.vector.addPage();
    if (index > 0) drawRunningHead(context);
    for (const { topPt, draw } of page) draw(topPt);
    drawFooter(context, index + 1, pages.length);
    await nextTurn();
  }
}

/** Says on each further page which note it belongs to. */
function drawRunningHead({ canvas, note, say }: NoteContext): void {
  const title = canvas.typesetter.line(say('title'), STYLE.strong);
  const number = canvas.typesetter.line(note.trackingNumber, { ...STYLE.tracking, sizePt: 9.4 });
  canvas.decoration(() => {
    canvas.text(title, { xPt: LEFT_PT, yPt: TOP_PT - mm(2) });
    canvas.text(number, { xPt: RIGHT_PT - number.widthPt, yPt: TOP_PT - mm(2) - 2 });
  }, 'Pagination');
}

function drawFooter({ canvas, note, say }: NoteContext, page: number, pageCount: number): void {
  const text = `${say('page')} ${page} ${say('of')} ${pageCount}`;
  const number = canvas.typesetter.line(text, STYLE.small);
  const issuer = canvas.typesetter.line(`${note.organizationName} · ${note.trackingNumber}`, STYLE.small, {
    widthPt: RIGHT_PT - LEFT_PT - number.widthPt - mm(6),
    maxLines: 1,
  });
  canvas.decoration(() => {
    canvas.vector.rect(LEFT_PT, FOOTER_TOP_PT - mm(2), RIGHT_PT - LEFT_PT, 0.5).fill(RULE);
    canvas.text(issuer, { xPt: LEFT_PT, yPt: FOOTER_TOP_PT, color: QUIET_INK });
    canvas.text(number, { xPt: RIGHT_PT - number.widthPt, yPt: FOOTER_TOP_PT, color: QUIET_INK });
  }, 'Pagination');
}
