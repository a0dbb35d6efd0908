import type { OrganizationId } from '../../../../domain/ids.ts';
import type { Said } from '../../../../domain/messages.ts';
import { newId } from '../../../../store/new-id.ts';
import type { ImportContext } from '../../../../api/shipments/import/check-rows.ts';
import type { SheetHeader, SheetRow } from '../../../../spreadsheet/cell.ts';
import { readSheet } from '../../../../api/shipments/import/read-sheet.ts';
import type { WorkbookProblem } from '../../../../spreadsheet/workbook-error.ts';
import { WorkbookError } from '../../../../spreadsheet/workbook-error.ts';
import { rowReader, warnOfUnknownHeaders } from '../../../../api/shipments/import/rows.ts';
import type { ReadRow } from '../../../../api/shipments/import/rows.ts';
import type { WorkbookReader } from '../../../../api/shipments/import/workbook.ts';

/** A sheet with all its rows. */
export interface WholeSheet {
  readonly headers: readonly SheetHeader[];
  readonly rows: readonly SheetRow[];
  readonly warnings: readonly string[];
}

/** Reads a workbook to the cell, in this process. Rejects with WorkbookError. */
export async function wholeSheet(file: Uint8Array): Promise<WholeSheet> {
  const { headers, rows, warnings } = await readSheet(Buffer.from(file));
  return { headers, rows: [...rows], warnings: textsOf(warnings) };
}

/** Reads the rows of a sheet as bodies. */
export function readRows(
  { headers, rows }: Pick<WholeSheet, 'headers' | 'rows'>,
  context: Parameters<typeof rowReader>[1],
): { readonly rows: readonly ReadRow[]; readonly warnings: readonly string[] } {
  return { rows: rows.map(rowReader(headers, context)), warnings: textsOf(warnOfUnknownHeaders(headers)) };
}

function textsOf(warnings: readonly Said[]): readonly string[] {
  return warnings.map(({ message }) => message);
}

/** What an organization without pickup points imports. */
export const PLAIN_CONTEXT: ImportContext = {
  importId: 'test',
  timezone: 'Africa/Algiers',
  points: [],
  merchants: [],
  ownMerchantId: null,
  defaultMerchantId: null,
  now: new Date('2026-03-12T10:00:00Z'),
};

const ORGANIZATION = newId<'organization'>();

/** Sends a file through the import process: how many rows are good and failed, or why it is refused. */
export async function readOrReject(
  reader: WorkbookReader,
  file: Uint8Array,
  organizationId: OrganizationId = ORGANIZATION,
): Promise<
  | { readonly kind: 'read'; readonly good: number; readonly failed: number }
  | { readonly kind: 'refused'; readonly problem: WorkbookProblem }
> {
  const reading = reader.read(file, PLAIN_CONTEXT, organizationId);
  try {
    const { failed } = await reading.end;
    let good = 0;
    for await (const part of reading.parts) good += part.good.length;
    return { kind: 'read', good, failed: failed.length };
  } catch (error) {
    if (error instanceof WorkbookError) return { kind: 'refused', problem: error.problem };
    throw error;
  }
}
