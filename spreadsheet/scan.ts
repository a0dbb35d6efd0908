import type { SheetRow } from './cell.ts';
import { findParts } from './parts.ts';
import type { MergedRange } from './references.ts';
import { SheetScan } from './sheet.ts';
import { readSharedStrings } from './strings.ts';
import { readStyles } from './styles.ts';
import { readXml } from './xml.ts';

/** The first visible sheet as it is written: its header not found yet, its merged cells not spread. */
export interface ScannedSheet {
  readonly name: string;
  readonly otherSheetNames: readonly string[];
  /** Rows with a value, in the order of the sheet. */
  readonly rows: readonly SheetRow[];
  readonly hiddenRows: readonly number[];
  readonly merges: readonly MergedRange[];
}

/**
 * Goes through a package to the end of its first visible sheet, under all limits. Nothing is done with a row before:
 * merged cells are written below the rows, and what is damaged may come last.
 *
 * @throws WorkbookError for any file that is not to be read.
 */
export async function scanPackage(file: Buffer): Promise<ScannedSheet> {
  const { sheetName: name, otherSheetNames, countsFrom1904, ...parts } = await findParts(file);
  const sharedStrings = await readSharedStrings(parts.sharedStrings);
  const formats = await readStyles(parts.styles);
  const scan = new SheetScan({ sharedStrings, formats, countsFrom1904 });
  await readXml(parts.sheet.unpack(), parts.sheet.name, scan);
  const { rows, hiddenRows, merges } = scan;
  return { name, otherSheetNames, rows, hiddenRows, merges };
}
