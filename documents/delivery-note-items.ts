import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Item } from '../domain/shipment.ts';
import type { DocumentLocale } from './document-data.ts';
import { formatAmount, formatMoney, formatNumber } from './document-format.ts';
import {
  CONTENT_WIDTH_PT,
  drawRule,
  INK,
  LEFT_PT,
  QUIET_INK,
  RIGHT_PT,
  STYLE,
  write,
} from './delivery-note-style.ts';
import type { NoteContext } from './delivery-note-style.ts';
import type { TagElement, TextAlign } from './page-canvas.ts';
import type { FlowBlock } from './page-flow.ts';
import { mm } from './units.ts';
import { translateWord } from './words.ts';

/** A column of the table: where it stands, and what it says. */
interface Column {
  readonly widthMm: number;
  readonly align: TextAlign;
  readonly caption: (context: NoteContext) => string;
  readonly text: (item: Item, locale: DocumentLocale, index: number) => string;
}

const ROWS_PER_TURN = 20;
const ROW_PADDING_PT = 4;
const HEAD_PADDING_PT = 4.5;
const GAP_PT = mm(3);
/** Its texts are wrapped, those of the others set smaller where they are too wide. */
const NAME: Column = {
  widthMm: 82,
  align: 'start',
  caption: ({ say }) => say('item'),
  text: ({ name }) => name,
};

const COLUMNS = placeColumns([
  { widthMm: 8, align: 'left', caption: () => '#', text: (_item, _locale, index) => String(index + 1) },
  NAME,
  {
    widthMm: 19,
    align: 'right',
    caption: ({ say }) => say('quantity'),
    text: ({ quantity }, locale) => formatNumber(quantity, locale),
  },
  {
    widthMm: 15,
    align: 'left',
    caption: ({ say }) => say('unit'),
    text: ({ unitType }, locale) => translateWord(unitType, locale),
  },
  {
    widthMm: 27,
    align: 'right',
    caption: ({ say, note }) => `${say('unitPrice')} (${note.currency})`,
    text: ({ unitPriceCents }, locale) => formatPrice(unitPriceCents, locale),
  },
  {
    widthMm: 27,
    align: 'right',
    caption: ({ say, note }) => `${say('lineTotal')} (${note.currency})`,
    text: (item, locale) => formatPrice(item.unitPriceCents === null ? null : lineTotalCents(item), locale),
  },
]);

/** Columns from the left margin on; the last one ends at the right margin. */
function placeColumns(columns: readonly Column[]) {
  let xPt = LEFT_PT;
  return columns.map((column, index) => {
    const isLast = index === columns.length - 1;
    const widthPt = isLast ? RIGHT_PT - xPt : mm(column.widthMm) - GAP_PT;
    const placed = { column, place: { xPt, widthPt, align: column.align } };
    xPt += mm(column.widthMm);
    return placed;
  });
}

/**
 * The items as a table whose header is on each page; a sentence where there are none. Other requests get
 * their turn between every few rows.
 */
export async function itemTable(context: NoteContext): Promise<FlowBlock[]> {
  const { canvas, note, say, section } = context;
  if (note.items.length === 0) {
    const sentence = canvas.typesetter.line(say('noItems'), STYLE.body, { widthPt: CONTENT_WIDTH_PT });
    const draw = (yPt: number) => write(context, sentence, LEFT_PT, yPt, QUIET_INK);
    return [{ gapPt: mm(7), heightPt: sentence.heightPt, draw }];
  }
  // The section's children are read in the order in which they are added: this one when its head is drawn.
  let table: TagElement | undefined;
  const addRow = () => canvas.group('TR', (table ??= canvas.group('Table', section)));
  const head = tableHead(context);
  const blocks: FlowBlock[] = [
    {
      gapPt: mm(7),
      heightPt: head.heightPt,
      keepWithNext: true,
      draw: (topPt) => head.draw(topPt, addRow()),
    },
  ];
  const repeatedHead = { heightPt: head.heightPt, draw: (topPt: number) => head.draw(topPt, null) };
  for (const [index, item] of note.items.entries()) {
    const row = tableRow(context, item, index);
    blocks.push({
      gapPt: 0,
      heightPt: row.heightPt,
      draw: (topPt) => row.draw(topPt, addRow()),
      repeatedHead,
      // The last row goes along with the totals, which would otherwise be on a page without their table.
      keepWithNext: index === note.items.length - 1,
    });
    if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
  }
  return blocks;
}

/** Without a row to hang its cells on, the head is drawn as a repetition that a screen reader passes over. */
function tableHead(context: NoteContext) {
  const { canvas } = context;
  const heightPt = STYLE.caption.leadingPt + 2 * HEAD_PADDING_PT;
  const cells = COLUMNS.map(({ column, place }) => {
    const block = canvas.typesetter.line(column.caption(context), STYLE.caption);
    // A caption may be wider than its column: it then grows to the left, where the column before has room.
    const xPt = place.align === 'right' ? place.xPt + place.widthPt - block.widthPt : place.xPt;
    return (topPt: number) => canvas.text(block, { xPt, yPt: topPt + HEAD_PADDING_PT, color: QUIET_INK });
  });
  return {
    heightPt,
    draw: (topPt: number, row: TagElement | null): void => {
      drawRule(context, topPt, 'strong');
      drawRule(context, topPt + heightPt, 'fine');
      if (row === null) {
        canvas.decoration(() => cells.forEach((drawCell) => drawCell(topPt)), 'Pagination');
        return;
      }
      for (const drawCell of cells) canvas.tagged(row, 'TH', { scope: 'Column' }, () => drawCell(topPt));
    },
  };
}

function tableRow(context: NoteContext, item: Item, index: number) {
  const { canvas, locale } = context;
  const { line, shrinkToFit } = canvas.typesetter;
  const cells = COLUMNS.map(({ column, place }, columnIndex) => {
    const { widthPt } = place;
    const text = column.text(item, locale, index);
    const isName = column === NAME;
    return {
      place: { ...place, color: columnIndex === 0 ? QUIET_INK : INK },
      block: isName ? line(text, STYLE.body, { widthPt }) : shrinkToFit(text, STYLE.body, widthPt),
      below: isName && item.sku !== null ? line(item.sku, STYLE.small, { widthPt }) : null,
    };
  });
  const heights = cells.map(({ block, below }) => block.heightPt + (below?.heightPt ?? 0));
  const heightPt = Math.max(...heights) + 2 * ROW_PADDING_PT;
  return {
    heightPt,
    draw: (topPt: number, row: TagElement): void => {
      drawRule(context, topPt + heightPt, 'fine');
      for (const { block, below, place } of cells) {
        const yPt = topPt + ROW_PADDING_PT;
        if (below === null) {
          canvas.taggedText(row, 'TD', block, { ...place, yPt });
          continue;
        }
        const cell = canvas.group('TD', row);
        canvas.taggedText(cell, 'P', block, { ...place, yPt });
        canvas.taggedText(cell, 'P', below, { ...place, yPt: yPt + block.heightPt, color: QUIET_INK });
      }
    },
  };
}

function formatPrice(cents: number | null, locale: DocumentLocale): string {
  return cents === null ? '–' : formatAmount(cents, locale);
}

function lineTotalCents(item: Item): number {
  return Math.round((item.unitPriceCents ?? 0) * item.quantity);
}

/** Sum of the items, COD, fee and what is to be collected, its amounts under those of the table. */
export function totals(context: NoteContext): FlowBlock {
  const { canvas, section } = context;
  const lines = describeTotals(context).map(([label, value], index, { length }) => {
    const isTotal = index === length - 1;
    const style = isTotal ? STYLE.total : STYLE.body;
    return {
      label: canvas.typesetter.line(label, style),
      value: canvas.typesetter.line(value, style),
      isTotal,
      spaceAbovePt: isTotal ? 7 : 2,
    };
  });
  const widestPt = Math.max(...lines.map(({ label, value }) => label.widthPt + value.widthPt + mm(8)));
  const leftPt = Math.min(LEFT_PT + CONTENT_WIDTH_PT * 0.5, RIGHT_PT - widestPt);
  return {
    gapPt: mm(3),
    heightPt: lines.reduce((sum, { label, spaceAbovePt }) => sum + label.heightPt + spaceAbovePt, 0),
    keepWithNext: true,
    draw: (topPt) => {
      let yPt = topPt;
      for (const { label, value, isTotal, spaceAbovePt } of lines) {
        if (isTotal) drawRule(context, yPt + 3, 'strong', leftPt);
        yPt += spaceAbovePt;
        write(context, label, leftPt, yPt, isTotal ? INK : QUIET_INK);
        const place = { xPt: leftPt, yPt, widthPt: RIGHT_PT - leftPt, align: 'right', color: INK } as const;
        canvas.taggedText(section, 'P', value, place);
        yPt += label.heightPt;
      }
    },
  };
}

/** Labels and amounts; the last is what is to be collected. */
function describeTotals({ note, say, locale }: NoteContext): (readonly [label: string, value: string])[] {
  const money = (cents: number) => formatMoney(cents, note.currency, locale);
  const itemsCents = note.items.reduce((sum, item) => sum + lineTotalCents(item), 0);
  const hasPrices = note.items.some((item) => item.unitPriceCents !== null);
  const isFeeCollected = note.totalCodToCollectCents === note.codAmountCents + note.deliveryFeeCents;
  const isNothing = note.totalCodToCollectCents === 0;
  return [
    ...(hasPrices ? [[say('itemsTotal'), money(itemsCents)] as const] : []),
    [say('codAmount'), money(note.codAmountCents)],
    [say(isFeeCollected ? 'deliveryFee' : 'deliveryFeePaidBySender'), money(note.deliveryFeeCents)],
    [say(isNothing ? 'nothingToCollect' : 'totalToCollect'), money(note.totalCodToCollectCents)],
  ];
}
