import { say } from '../domain/messages.ts';
import { MAX_FILE_BYTES } from './limits.ts';
import { encrypted, notXlsx, tooLarge, WorkbookError } from './workbook-error.ts';

const ZIP_BEGINNING = Buffer.from('PK\u0003\u0004', 'latin1');
/** OLE compound files: workbooks of Excel 97 and encrypted workbooks of any age ([MS-CFB] 2.2). */
const COMPOUND_BEGINNING = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const ENCRYPTED_STREAM = Buffer.from('EncryptedPackage', 'utf16le');

/** Looks at the size and the first bytes of an upload. Throws WorkbookError when it cannot be a workbook. */
export function checkSignature(file: Buffer): void {
  if (file.length === 0) throw new WorkbookError('empty', say('workbook_no_file'));
  if (file.length > MAX_FILE_BYTES) {
    throw tooLarge(say('workbook_megabytes', { megabytes: MAX_FILE_BYTES / 1024 / 1024 }));
  }
  if (startsWith(file, ZIP_BEGINNING)) return;
  if (startsWith(file, COMPOUND_BEGINNING) && file.includes(ENCRYPTED_STREAM)) throw encrypted();
  throw notXlsx(formatOf(file));
}

function formatOf(file: Buffer): string | undefined {
  if (startsWith(file, COMPOUND_BEGINNING)) return '.xls (Excel 97)';
  if (startsWith(file, Buffer.from('%PDF-'))) return 'PDF';
  const beginning = file.toString('latin1', 0, 512).trimStart().toLowerCase();
  if (beginning.startsWith('<')) return 'HTML / XML';
  // Text has no zero bytes.
  return beginning.includes('\0') ? undefined : 'CSV / TXT';
}

function startsWith(file: Buffer, beginning: Buffer): boolean {
  return file.subarray(0, beginning.length).equals(beginning);
}
