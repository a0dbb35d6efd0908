import ExcelJS from 'exceljs';
import { COLUMNS } from '../api/shipments/import/columns.ts';

const BOUNDARY = 'bench-boundary';

/** Makes a workbook of valid rows in every column that import knows. */
export async function makeWorkbook(rows: number): Promise<Uint8Array<ArrayBuffer>> {
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet('Shipments');
  sheet.addRow(COLUMNS.map(({ header }) => header));
  for (let row = 1; row <= rows; row += 1) {
    sheet.addRow(
      COLUMNS.map(({ header, example }) => {
        if (header === 'external_reference') return `ORDER-${row}`;
        return header === 'pickup_point' ? null : example || null;
      }),
    );
  }
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

/** The body of an import's request, as multipart form data. */
export function workbookRequest(workbook: Uint8Array): {
  readonly body: Uint8Array;
  readonly contentType: string;
} {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="shipments.xlsx"\r\nContent-Type: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet\r\n\r\n`;
  return {
    body: Buffer.concat([Buffer.from(head), workbook, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
  };
}
