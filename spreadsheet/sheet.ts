import { say } from '../domain/messages.ts';
import { cellText } from './cell.ts';
import type { Cell, DateCell, SheetRow } from './cell.ts';
import { MAX_COLUMNS, MAX_DATA_ROWS, MAX_MERGED_CELLS, MAX_SHEET_ROWS, MAX_TEXT_LENGTH } from './limits.ts';
import { unescapeFormulas } from './formula-text.ts';
import { damaged, tooLarge, WorkbookError } from './workbook-error.ts';
import { columnName, columnNumber, parseRange } from './references.ts';
import type { MergedRange } from './references.ts';
import { TextCapture, tooMuchText } from './strings.ts';
import { showDigits } from './styles.ts';
import type { NumberFormat } from './styles.ts';
import { isTrue } from './xml.ts';
import type { XmlHandlers } from './xml.ts';

export interface SheetDictionary {
  readonly sharedStrings: readonly string[];
  readonly formats: readonly NumberFormat[];
  /** Days are counted from 1904 instead of 1900: workbooks of old Macs. */
  readonly countsFrom1904: boolean;
}

/** Stands for the value of a formula that was never calculated. */
const NOT_CALCULATED: Cell = { error: '#NOT_CALCULATED' };

const LAST_ROW = 1_048_576;
const LAST_COLUMN = 16_384;
/** The serial number of 31 December 9999. */
const LAST_DAY = 2_958_465;
/** The serial numbers of 1 January 1970. */
const UNIX_DAY = 25_569;
const UNIX_DAY_FROM_1904 = 24_107;
const SECONDS_PER_DAY = 86_400;
/** A header and a few title lines come on top of the shipments. */
const ROWS_ABOVE_DATA = 20;

/**
 * Handlers that read a sheet part: its rows with a value; blank rows and cells are left out. `merges` fills up at the end
 * of the part, where they are written.
 *
 * They throw WorkbookError as soon as a limit is passed, long before the part ends.
 */
export class SheetScan implements XmlHandlers {
  /** Those over several rows: over columns, and below the last row, a merge means nothing here. */
  readonly merges: MergedRange[] = [];
  /** The numbers of the rows with a value that are not shown. */
  readonly hiddenRows: number[] = [];
  /** The rows with a value, in the order of the sheet. */
  readonly rows: SheetRow[] = [];
  readonly #dictionary: SheetDictionary;
  readonly #text = new TextCapture((limit) => say('workbook_long_cell', { row: this.#row, limit }));
  #rowElements = 0;
  #textLength = 0;
  #mergedCells = 0;
  #row = 0;
  #hidden = false;
  #cells = new Map<number, Cell>();
  #column = 0;
  #type = 'n';
  #style = 0;
  #hasValue = false;
  #hasFormula = false;

  constructor(dictionary: SheetDictionary) {
    this.#dictionary = dictionary;
  }

  readonly open = (name: string, attributes: Readonly<Record<string, string>>): void => {
    if (name === 'c') this.#openCell(attributes);
    else if (name === 'row') this.#openRow(attributes);
    else if (name === 'f') this.#hasFormula = true;
    else if (name === 'mergeCell') this.#addMerge(attributes['ref'] ?? '');
    else {
      if (name === 'v') this.#hasValue = true;
      this.#text.open(name);
    }
  };

  readonly text = (text: string): void => this.#text.write(text);

  readonly close = (name: string): void => {
    if (name === 'c') this.#closeCell();
    else if (name === 'row') this.#closeRow();
    else this.#text.close(name);
  };

  #openRow({ r: number, hidden }: Readonly<Record<string, string>>): void {
    const row = number === undefined ? this.#row + 1 : Number(number);
    if (!Number.isInteger(row) || row <= this.#row || row > LAST_ROW)
      throw damaged(`its rows are not in order after row ${this.#row}`, this.#row);
    this.#rowElements += 1;
    if (this.#rowElements > MAX_SHEET_ROWS) {
      throw new WorkbookError('too_many_rows', say('workbook_blank_rows', { limit: MAX_SHEET_ROWS }));
    }
    this.#row = row;
    this.#hidden = isTrue(hidden);
    this.#cells = new Map();
    this.#column = 0;
  }

  #openCell({ r: reference, t: type, s: style }: Readonly<Record<string, string>>): void {
    const column = reference === undefined ? this.#column + 1 : columnNumber(reference.replace(/\d+$/u, ''));
    if (!(column > this.#column && column <= LAST_COLUMN))
      throw damaged(`the cells of row ${this.#row} are not in order`, this.#row);
    this.#column = column;
    this.#type = type ?? 'n';
    this.#style = Number(style ?? 0);
    this.#hasValue = false;
    this.#hasFormula = false;
  }

  #closeCell(): void {
    const value = this.#cellValue();
    if (value === undefined) return;
    const column = this.#column;
    if (column > MAX_COLUMNS) {
      throw tooLarge(
        say('workbook_columns', {
          row: this.#row,
          column: columnName(column),
          limit: MAX_COLUMNS,
          lastColumn: columnName(MAX_COLUMNS),
        }),
      );
    }
    this.#textLength += (typeof value === 'string' ? value : cellText(value)).length;
    if (this.#textLength > MAX_TEXT_LENGTH) throw tooMuchText();
    this.#cells.set(column, value);
  }

  #cellValue(): Cell | undefined {
    const value = this.#text.take();
    // A formula that gives an empty text has an empty value; one without any was never calculated.
    if (this.#hasFormula && !this.#hasValue) return NOT_CALCULATED;
    if (this.#type === 's') return this.#textCell(this.#sharedString(value));
    if (['str', 'd', 'inlineStr'].includes(this.#type)) return this.#textCell(value);
    if (value.trim() === '') return this.#hasFormula ? NOT_CALCULATED : undefined;
    if (this.#type === 'b') return isTrue(value);
    if (this.#type === 'e') return { error: value };
    return this.#numberCell(Number(value));
  }

  /** A cell with the text format holds what was written. Any other may come out of our CSV, which a program opened and saved. */
  #textCell(value: string): string | undefined {
    if (value.trim() === '') return undefined;
    return this.#dictionary.formats[this.#style]?.kind === 'text' ? value : unescapeFormulas(value);
  }

  #numberCell(value: number): Cell {
    if (!Number.isFinite(value)) throw damaged(`row ${this.#row} has a number that is none`, this.#row);
    const { formats, countsFrom1904 } = this.#dictionary;
    const format = formats[this.#style];
    if (format?.kind === 'date' && value >= 0 && value <= LAST_DAY) return dateCell(value, countsFrom1904);
    const shown = format?.kind === 'digits' ? showDigits(value, format.template) : undefined;
    return shown ?? value;
  }

  #sharedString(index: string): string {
    const string = this.#dictionary.sharedStrings[Number(index)];
    if (string === undefined) throw damaged(`row ${this.#row} refers to a text that is missing`, this.#row);
    return string;
  }

  #closeRow(): void {
    if (this.#cells.size === 0) return;
    if (this.rows.length >= MAX_DATA_ROWS + ROWS_ABOVE_DATA) throw tooManyShipments();
    this.rows.push({ row: this.#row, cells: this.#cells, mergedFrom: new Map() });
    if (this.#hidden) this.hiddenRows.push(this.#row);
  }

  #addMerge(reference: string): void {
    const merge = parseRange(reference);
    if (merge === undefined) return;
    this.#mergedCells += (merge.bottom - merge.top + 1) * (merge.right - merge.left + 1);
    if (this.#mergedCells > MAX_MERGED_CELLS) {
      throw tooLarge(say('workbook_merged', { range: reference, limit: MAX_MERGED_CELLS }));
    }
    const holdsForRows = merge.bottom > merge.top && merge.top <= this.#row;
    if (holdsForRows) this.merges.push(merge);
  }
}

/** The error for more shipments than one import accepts. */
export function tooManyShipments(): WorkbookError {
  return new WorkbookError('too_many_rows', say('workbook_too_many_rows', { limit: MAX_DATA_ROWS }));
}

/** A date is a number of days, with the time as its fraction, to the second. */
function dateCell(days: number, countsFrom1904: boolean): DateCell {
  const unixDay = countsFrom1904 ? UNIX_DAY_FROM_1904 : UNIX_DAY;
  const seconds = Math.round((days - unixDay) * SECONDS_PER_DAY);
  return { date: new Date(seconds * 1_000).toISOString().slice(0, 19) };
}
