import ExcelJS from 'exceljs';
import { COLUMNS } from '../api/shipments/import/columns.ts';
import type { HttpClient, HttpRequest } from '../test/harness/http.ts';
import { at } from '../test/harness/json.ts';
import type { TeamWithDriver } from '../test/harness/make.ts';

/** A workbook with how many rows it has, and as an import's request takes it. */
export interface MadeWorkbook {
  readonly rows: number;
  readonly file: Uint8Array<ArrayBuffer>;
  readonly request: Pick<HttpRequest, 'body' | 'contentType'>;
}

/** Makes a workbook of valid rows in every column that import knows; `cells` are other values by the header of their column. */
export async function makeWorkbook(
  rows: number,
  cells: Readonly<Record<string, string>> = {},
): Promise<MadeWorkbook> {
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet('Shipments');
  sheet.addRow(COLUMNS.map(({ header }) => header));
  for (let row = 1; row <= rows; row += 1) {
    const own: Readonly<Record<string, string>> = {
      external_reference: `ORDER-${row}`,
      pickup_point: '',
      ...cells,
    };
    sheet.addRow(COLUMNS.map(({ header, example }) => (own[header] ?? example) || null));
  }
  const file = new Uint8Array(await workbook.xlsx.writeBuffer());
  const form = new FormData();
  form.append('file', new Blob([file]), 'shipments.xlsx');
  const encoded = new Response(form);
  const contentType = encoded.headers.get('content-type') ?? '';
  return { rows, file, request: { body: new Uint8Array(await encoded.arrayBuffer()), contentType } };
}

/** Imports a workbook. Throws unless each row became a shipment. */
export async function importWorkbook(
  http: HttpClient,
  { token }: Pick<TeamWithDriver, 'token'>,
  { rows, request }: MadeWorkbook,
): Promise<void> {
  const { status, body } = await http.send('POST', '/shipments/import', { token, ...request });
  if (status === 200 && at(body, 'created') === rows) return;
  throw new Error(`an import was answered ${status}: ${JSON.stringify(body).slice(0, 300)}`);
}
