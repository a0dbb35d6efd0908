import ExcelJS from 'exceljs';
import type { MadeUser } from '../../../harness/make.ts';
import { send } from '../../../harness/request.ts';
import type { HttpAnswer } from '../../../harness/request.ts';
import type { TestService } from '../../../harness/service.ts';

export const HEADERS = [
  'recipient_first_name',
  'recipient_phone',
  'address_street',
  'address_city',
  'cod_amount',
  'notes',
];

/** A row under these headers that is created. */
export const GOOD = ['Amina', '+33612345678', '1 rue de Rivoli', 'Paris', '12.50', 'ring twice'];

/** A workbook of one sheet, its header first. */
export async function workbook(
  rows: readonly (readonly unknown[])[],
  headers: readonly string[] = HEADERS,
): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Shipments');
  sheet.addRow([...headers]);
  for (const row of rows) sheet.addRow([...row]);
  return Buffer.from(await book.xlsx.writeBuffer());
}

/** Uploads a file as a user, with further headers of the request and fields of the form. */
type Upload = (
  user: Pick<MadeUser, 'token'>,
  file: Buffer,
  headers?: Readonly<Record<string, string>>,
  fields?: Readonly<Record<string, string>>,
  options?: { readonly query?: string; readonly fileName?: string },
) => Promise<HttpAnswer>;

/** Makes what uploads workbooks to a service. */
export function uploadTo(service: Pick<TestService, 'baseUrl'>): Upload {
  return ({ token }, file, headers = {}, fields = {}, { query = '', fileName = 'shipments.xlsx' } = {}) => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(file)]), fileName);
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return send(service, 'POST', `/shipments/import${query}`, { token, body: form, headers });
  };
}
