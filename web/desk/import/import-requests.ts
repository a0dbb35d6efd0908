import type { Schemas } from '../../shared/client.ts';
import { answer, api } from '../../shared/client.ts';

export type ImportRow = Schemas['ImportMember'];
export type ImportRecord = Schemas['Import'];
export type Preview = Schemas['ImportResult'];
export type PreviewRow = NonNullable<Preview['rows']>[number];

/** The largest file that the service takes. */
export const MAX_FILE_BYTES = 5 * 1_048_576;

/** A workbook as it was chosen: its bytes are kept, so that what is imported is what was previewed. */
export interface ChosenFile {
  readonly file: File;
  /** The IRI of the merchant of rows that name none; empty for none. */
  readonly merchant: string;
}

export function previewFile(chosen: ChosenFile): Promise<Preview> {
  return answer(
    api.POST('/shipments/import', {
      params: { query: { preview: true } },
      body: { file: chosen.file.name },
      bodySerializer: () => formOf(chosen),
    }),
  );
}

export function importFile(chosen: ChosenFile, key: string): Promise<Preview> {
  return answer(
    api.POST('/shipments/import', {
      params: { header: { 'Idempotency-Key': key } },
      body: { file: chosen.file.name },
      bodySerializer: () => formOf(chosen),
    }),
  );
}

function formOf({ file, merchant }: ChosenFile): FormData {
  const form = new FormData();
  form.append('file', file, file.name);
  if (merchant !== '') form.append('merchant', merchant);
  return form;
}

const IMPORTS_SHOWN = 30;

/** The newest imports; they are kept for a day. */
export async function readImports(): Promise<readonly ImportRow[]> {
  const query = { itemsPerPage: IMPORTS_SHOWN };
  return (await answer(api.GET('/imports', { params: { query } }))).member;
}

export function readImport(id: string): Promise<ImportRecord> {
  return answer(api.GET('/imports/{id}', { params: { path: { id } } }));
}

/** Whether an import still works. */
export function isUnderWay({ status }: Pick<ImportRow, 'status'>): boolean {
  return status === 'reading' || status === 'creating';
}
