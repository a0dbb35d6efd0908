import { findParts } from './parts.ts';
import type { MergedRange } from './references.ts';
import { SheetScan } from './sheet.ts';
import type { RawRow } from './sheet.ts';
import { readSharedStrings } from './strings.ts';
import { readStyles } from './styles.ts';
import { readXml } from './xml.ts';
import { unpack } from './zip.ts';

/** The first visible sheet before exceljs has seen its cells. */
export interface ScannedSheet {
  readonly name: string;
  readonly otherSheetNames: readonly string[];
  readonly countsFrom1904: boolean;
  /** Rows with a value, in the order of the sheet. */
  readonly rows: RawRow[];
  readonly merges: readonly MergedRange[];
}

/**
 * Goes through a package to the end of its first visible sheet, under all limits. Nothing is done with a row before:
 * merged cells are written below the rows, and what is damaged may come last.
 *
 * @throws WorkbookError for any file that is not to be read.
 */
export async function scanPackage(file: Buffer): Promise<ScannedSheet> {
  const parts = await findParts(file);
  const sharedStrings = await readSharedStrings(file, parts.sharedStrings);
  const formats = await readStyles(file, parts.styles);
  const rows: RawRow[] = [];
  const scan = new SheetScan({ sharedStrings, formats }, (row) => rows.push(row));
  await readXml(unpack(file, parts.sheet), parts.sheet.name, scan);
  const { sheetName: name, otherSheetNames, countsFrom1904 } = parts;
  return { name, otherSheetNames, countsFrom1904, rows, merges: scan.merges };
}
