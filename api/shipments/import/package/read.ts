import type { ReadingMessage } from '../reading-message.ts';
import { findParts } from './parts.ts';
import { SheetScan } from './sheet.ts';
import type { RawRow } from './sheet.ts';
import { readCells } from './slice.ts';
import { readSharedStrings } from './strings.ts';
import { readStyles } from './styles.ts';
import { readXml } from './xml.ts';
import { unpack } from './zip.ts';

/** Rows that exceljs holds at once. */
const SLICE_ROWS = 1000;
/** Characters that exceljs holds at once. */
const SLICE_LENGTH = 512 * 1024;
/** Rows per message: the API's event loop needs a few milliseconds to take one. */
const MESSAGE_ROWS = 200;

/**
 * Reads the first visible sheet and posts its rows, then its end. Runs in the reading process.
 *
 * @throws RefusedWorkbook for any file that is not to be read.
 */
export async function readPackage(file: Buffer, post: (message: ReadingMessage) => void): Promise<void> {
  const parts = await findParts(file);
  const sharedStrings = await readSharedStrings(file, parts.sharedStrings);
  const looks = await readStyles(file, parts.styles);
  const waiting: RawRow[] = [];
  const scan = new SheetScan({ sharedStrings, looks }, (row) => waiting.push(row));
  const postingMeanwhile = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of unpack(file, parts.sheet)) {
      yield chunk;
      while (waiting.length >= SLICE_ROWS) await postRows(takeSlice(waiting), parts.countsFrom1904, post);
    }
  };
  await readXml(postingMeanwhile(), parts.sheet.name, scan);
  while (waiting.length > 0) await postRows(takeSlice(waiting), parts.countsFrom1904, post);
  const { sheetName: name, otherSheetNames } = parts;
  post({ kind: 'end', sheet: { name, otherSheetNames, merges: scan.merges } });
}

/** Removes the first rows: at least one, and no more than exceljs shall hold at once. */
function takeSlice(waiting: RawRow[]): readonly RawRow[] {
  let length = 0;
  let count = 0;
  for (const row of waiting) {
    length += row.cells.reduce((sum, cell) => sum + cell.value.length, 0);
    if (count > 0 && (count === SLICE_ROWS || length > SLICE_LENGTH)) break;
    count += 1;
  }
  return waiting.splice(0, count);
}

async function postRows(
  rows: readonly RawRow[],
  countsFrom1904: boolean,
  post: (message: ReadingMessage) => void,
): Promise<void> {
  const read = await readCells(rows, countsFrom1904);
  for (let at = 0; at < read.length; at += MESSAGE_ROWS) {
    post({ kind: 'rows', rows: read.slice(at, at + MESSAGE_ROWS) });
  }
}
