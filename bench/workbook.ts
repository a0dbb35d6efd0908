import ExcelJS from 'exceljs';
import { COLUMNS } from '../api/shipments/import/columns.ts';

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
