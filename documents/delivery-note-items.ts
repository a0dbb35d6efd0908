import { setImmediate as nextTurn } from 'node:timers/promises';

import type { DeliveryNoteItem, DocumentLocale } from './document-data.ts';
import type { NoteContext } from './delivery-note-blocks.ts';
import { formatAmount, formatMoney, formatNumber } from './document-format.ts';
import { CONTENT_WIDTH_PT, INK, LEFT_PT, QUIET_INK, RIGHT_PT, RULE, STYLE } from './delivery-note-style.ts';
import { translateWord } from './delivery-note-texts.ts';
import { mm } from './page-canvas.ts';
import type { TagElement, TextAlign } from './page-canvas.ts';
import type { FlowBlock } from './page-flow.ts';
import type { TextBlock } from './text-layout.ts';

interface Column {
  readonly xPt: number;
  readonly widthPt: number;
  readonly align: TextAlign;
}

const ROWS_PER_TURN = 20;
const ROW_PADDING_PT = 4;
const HEAD_PADDING_PT = 4.5;
const GAP_PT = mm(3);

const COLUMNS = placeColumns([
  { widthMm: 8, align: 'left' },
  { widthMm: 82, align: 'start' },
  { widthMm: 19, align: 'right' },
  { widthMm: 15, align: 'left' },
  { widthMm: 27, align: 'right' },
  { widthMm: 27, align: 'right' },
]);

/** Columns from the left margin on; the last one ends at the right margin. */
function placeColumns(columns: readonly { widthMm: number; align: TextAlign }[]): readonly Column[] {
  let xPt = LEFT_PT;
  return columns.map(({ widthMm, align }, index) => {
    const isLast = index === columns.length - 1;
    const column = { xPt, widthPt: isLast ? RIGHT_PT - xPt : mm(widthMm) - GAP_PT, align };
    xPt += mm(widthMm);
    return column;
  });
}

/**
 * The items as a table whose header is on each page; a sentence where there are none. Other requests get
 * their turn between every few rows.
 */
export async function itemTable(context: NoteContext): Promise<FlowBlock[]> {
  const { canvas, note, texts } = context;
  if (note.items.length === 0) {
    const sentence = canvas.typesetter.line(texts.noItems, STYLE.body, { widthPt: CONTENT_WIDTH_PT });
    const draw = (yPt: number) =>
      canvas.taggedText(context.section, 'P', sentence, { xPt: LEFT_PT, yPt, color: QUIET_INK });
    return [{ gapPt: mm(7), heightPt: sentence.heightPt, draw }];
  }
  // The section's children are read in the order in which they are added: this one when its head is drawn.
  let table: TagElement | undefined;
  const openTable = () => (table ??= canvas.group('Table', context.section));
  const head = tableHead(context);
  const headBlock: FlowBlock = {
    gapPt: mm(7),
    heightPt: head.heightPt,
    keepWithNext: true,
    draw: (topPt) => head.draw(topPt, canvas.group('TR', openTable())),
  };
  const repeatedHead = { heightPt: head.heightPt, draw: (topPt: number) => head.draw(topPt, null) };
  const blocks = [headBlock];
  for (const [index, item] of note.items.entries()) {
    const row = tableRow(context, item, index);
    const draw = (topPt: number) => row.draw(topPt, canvas.group('TR', openTable()));
    // The last row goes along with the totals, which would otherwise be on a page without their table.
    const keepWithNext = index === note.items.length - 1;
    blocks.push({ gapPt: 0, heightPt: row.heightPt, draw, repeatedHead, keepWithNext });
    if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
  }
  return blocks;
}

interface TableRow {
  readonly heightPt: number;
  /** Without a row to hang its cells on, it is drawn as a repetition that a screen reader passes over. */
  readonly draw: (topPt: number, row: TagElement | null) => void;
}

function tableHead(context: NoteContext): TableRow {
  const { canvas, note, texts } = context;
  const captions = [
    '#',
    texts.item,
    texts.quantity,
    texts.unit,
    `${texts.unitPrice} (${note.currency})`,
    `${texts.lineTotal} (${note.currency})`,
  ];
  const cells = captions.map((caption) => canvas.typesetter.line(caption, STYLE.caption));
  const heightPt = STYLE.caption.leadingPt + 2 * HEAD_PADDING_PT;
  return {
    heightPt,
    draw: (topPt, row) => {
      const drawCell = (cell: TextBlock, index: number) => {
        const column = COLUMNS[index];
        if (column === undefined) return;
        const { align, widthPt } = column;
        // A caption may be wider than its column: it then grows to the left, where the column before has room.
        const xPt = align === 'right' ? column.xPt + widthPt - cell.widthPt : column.xPt;
        canvas.text(cell, { xPt, yPt: topPt + HEAD_PADDING_PT, color: QUIET_INK });
      };
      canvas.decoration(() => {
        canvas.vector.rect(LEFT_PT, topPt, CONTENT_WIDTH_PT, 1.1).fill(INK);
        canvas.vector.rect(LEFT_PT, topPt + heightPt, CONTENT_WIDTH_PT, 0.5).fill(RULE);
      });
      if (row === null) {
        canvas.decoration(() => cells.forEach(drawCell), 'Pagination');
        return;
      }
      cells.forEach((cell, index) => {
        canvas.tagged(row, 'TH', { scope: 'Column' }, () => drawCell(cell, index));
      });
    },
  };
}

function tableRow(context: NoteContext, item: DeliveryNoteItem, index: number): TableRow {
  const { canvas, texts, locale } = context;
  const { typesetter } = canvas;
  const { unitPriceCents, quantity, sku } = item;
  const shrinkToFit = (text: string, column: number) =>
    typesetter.shrinkToFit(text, STYLE.body, COLUMNS[column]?.widthPt ?? 0);
  const nameWidthPt = COLUMNS[1]?.widthPt ?? 0;
  const name = typesetter.line(item.name, STYLE.body, { widthPt: nameWidthPt });
  const code = sku === null ? null : typesetter.line(sku, STYLE.small, { widthPt: nameWidthPt });
  const cells = [
    shrinkToFit(String(index + 1), 0),
    name,
    shrinkToFit(formatNumber(quantity, locale), 2),
    shrinkToFit(translateWord(texts, item.unitType), 3),
    shrinkToFit(formatPrice(unitPriceCents, locale), 4),
    shrinkToFit(formatPrice(unitPriceCents === null ? null : lineTotalCents(item), locale), 5),
  ];
  const heightPt = name.heightPt + (code?.heightPt ?? 0) + 2 * ROW_PADDING_PT;
  return {
    heightPt,
    draw: (topPt, row) => {
      const ruleTopPt = topPt + heightPt;
      canvas.decoration(() => canvas.vector.rect(LEFT_PT, ruleTopPt, CONTENT_WIDTH_PT, 0.5).fill(RULE));
      cells.forEach((cell, columnIndex) => {
        const column = COLUMNS[columnIndex];
        if (column === undefined || row === null) return;
        const color = columnIndex === 0 ? QUIET_INK : INK;
        const place = { ...column, yPt: topPt + ROW_PADDING_PT, color };
        if (columnIndex !== 1 || code === null) {
          canvas.taggedText(row, 'TD', cell, place);
          return;
        }
        const cellTag = canvas.group('TD', row);
        canvas.taggedText(cellTag, 'P', cell, place);
        const codePlace = { ...place, yPt: place.yPt + name.heightPt, color: QUIET_INK };
        canvas.taggedText(cellTag, 'P', code, codePlace);
      });
    },
  };
}

function formatPrice(cents: number | null, locale: DocumentLocale): string {
  return cents === null ? '–' : formatAmount(cents, locale);
}

function lineTotalCents(item: DeliveryNoteItem): number {
  return Math.round((item.unitPriceCents ?? 0) * item.quantity);
}

interface TotalLine {
  readonly label: string;
  readonly value: string;
  readonly isTotal: boolean;
}

/** Sum of the items, COD, fee and what is to be collected, its amounts under those of the table. */
export function totals(context: NoteContext): FlowBlock {
  const { canvas, section } = context;
  const lines = describeTotals(context).map(({ label, value, isTotal }) => {
    const style = isTotal ? STYLE.total : STYLE.body;
    return {
      label: canvas.typesetter.line(label, style),
      value: canvas.typesetter.line(value, style),
      isTotal,
    };
  });
  const leftPt = Math.min(LEFT_PT + CONTENT_WIDTH_PT * 0.5, RIGHT_PT - widest(lines));
  const spaceAbove = (isTotal: boolean) => (isTotal ? 7 : 2);
  const heightPt = lines.reduce((sum, { label, isTotal }) => sum + label.heightPt + spaceAbove(isTotal), 0);
  return {
    gapPt: mm(3),
    heightPt,
    keepWithNext: true,
    draw: (topPt) => {
      let yPt = topPt;
      for (const { label, value, isTotal } of lines) {
        const ruleTopPt = yPt + 3;
        if (isTotal) {
          canvas.decoration(() => canvas.vector.rect(leftPt, ruleTopPt, RIGHT_PT - leftPt, 1.1).fill(INK));
        }
        yPt += spaceAbove(isTotal);
        canvas.taggedText(section, 'P', label, { xPt: leftPt, yPt, color: isTotal ? INK : QUIET_INK });
        const place = { xPt: leftPt, yPt, widthPt: RIGHT_PT - leftPt, align: 'right', color: INK } as const;
        canvas.taggedText(section, 'P', value, place);
        yPt += label.heightPt;
      }
    },
  };
}

function widest(lines: readonly { label: TextBlock; value: TextBlock }[]): number {
  return Math.max(...lines.map(({ label, value }) => label.widthPt + value.widthPt + mm(8)));
}

function describeTotals({ note, texts, locale }: NoteContext): TotalLine[] {
  const money = (cents: number) => formatMoney(cents, note.currency, locale);
  const line = (label: string, cents: number): TotalLine => ({ label, value: money(cents), isTotal: false });
  const itemsCents = note.items.reduce((sum, item) => sum + lineTotalCents(item), 0);
  const hasPrices = note.items.some((item) => item.unitPriceCents !== null);
  const isFeeCollected = note.totalCodToCollectCents === note.codAmountCents + note.deliveryFeeCents;
  const feeLabel = isFeeCollected ? texts.deliveryFee : texts.deliveryFeePaidBySender;
  const isNothing = note.totalCodToCollectCents === 0;
  return [
    ...(hasPrices ? [line(texts.itemsTotal, itemsCents)] : []),
    line(texts.codAmount, note.codAmountCents),
    line(feeLabel, note.deliveryFeeCents),
    {
      label: isNothing ? texts.nothingToCollect : texts.totalToCollect,
      value: money(note.totalCodToCollectCents),
      isTotal: true,
    },
  ];
}
