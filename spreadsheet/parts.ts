import { posix } from 'node:path';

import { damaged, WorkbookError } from './workbook-error.ts';
import { isTrue, readXml } from './xml.ts';
import { readZip } from './zip.ts';
import type { ZipPart } from './zip.ts';

/** The parts of a workbook that hold the cells of its first visible sheet. */
export interface WorkbookParts {
  readonly sheetName: string;
  readonly otherSheetNames: readonly string[];
  /** Days are counted from 1904 instead of 1900: workbooks of old Macs. */
  readonly countsFrom1904: boolean;
  readonly sheet: ZipPart;
  readonly sharedStrings: ZipPart | undefined;
  readonly styles: ZipPart | undefined;
}

interface Relationship {
  readonly id: string;
  /** The last word of its type, such as `worksheet`: strict and transitional files differ before it. */
  readonly type: string;
  readonly target: string;
}

interface SheetRecord {
  readonly name: string;
  readonly visible: boolean;
  readonly relationshipId: string;
}

const PREFIX_CHARACTERS = 4096;

/**
 * Finds the parts of the first visible sheet by following the package's relationships, whatever the
 * parts are called (ECMA-376 part 2, part 1 §12.3).
 *
 * @throws WorkbookError for what is not a workbook, or has macros, external links or XML entities.
 */
export async function findParts(file: Buffer): Promise<WorkbookParts> {
  const entries = new Map((await readZip(file)).map((part) => [part.name.toLowerCase(), part]));
  rejectOtherFormats(entries);
  rejectActiveContent(entries);
  await rejectEntities(entries);
  const workbook = await findWorkbook(entries);
  const relationships = await readRelationships(entries, workbook.name);
  const { sheets, countsFrom1904 } = await readWorkbookPart(workbook);
  const targets = new Map(relationships.map((relationship) => [relationship.id, relationship]));
  const worksheets = sheets.filter(({ relationshipId }) => targets.get(relationshipId)?.type === 'worksheet');
  const first = worksheets.find(({ visible }) => visible) ?? worksheets[0];
  if (first === undefined) throw damaged('it has no sheet');
  const part = (type: string): ZipPart | undefined => {
    const target = relationships.find((relationship) => relationship.type === type)?.target;
    return target === undefined ? undefined : entries.get(target.toLowerCase());
  };
  const sheet = entries.get(targets.get(first.relationshipId)?.target.toLowerCase() ?? '');
  if (sheet === undefined) throw damaged(`its sheet “${first.name}” is missing`);
  return {
    sheetName: first.name,
    otherSheetNames: worksheets.filter((other) => other !== first && other.visible).map(({ name }) => name),
    countsFrom1904,
    sheet,
    sharedStrings: part('sharedStrings'),
    styles: part('styles'),
  };
}

type Entries = ReadonlyMap<string, ZipPart>;

function rejectOtherFormats(entries: Entries): void {
  const others: readonly (readonly [part: string, format: string])[] = [
    ['word/document.xml', 'a Word document'],
    ['ppt/presentation.xml', 'a PowerPoint presentation'],
    ['xl/workbook.bin', 'a binary workbook (.xlsb)'],
    ['mimetype', 'an OpenDocument file (.ods)'],
    ['index/document.iwa', 'a Numbers document'],
  ];
  const format = others.find(([part]) => entries.has(part))?.[1];
  if (format === undefined && entries.has('[content_types].xml')) return;
  throw new WorkbookError(
    'not_xlsx',
    `The file is ${format ?? 'a ZIP archive without a workbook'}. Save the sheet as .xlsx and send that file.`,
  );
}

function rejectActiveContent(entries: Entries): void {
  for (const name of entries.keys()) {
    if (name.endsWith('vbaproject.bin') || name.includes('/macrosheets/')) {
      throw new WorkbookError(
        'macro',
        'The workbook contains macros. Save it as .xlsx (a workbook without macros) and send that file.',
      );
    }
    if (name.includes('/externallinks/')) {
      throw new WorkbookError(
        'external_links',
        'The workbook refers to other workbooks. Copy the sheet, paste it as values into a new one and send that file.',
      );
    }
  }
}

/** A document type stands before the root element. The parts that are read whole are checked there too. */
async function rejectEntities(entries: Entries): Promise<void> {
  for (const entry of entries.values()) {
    if (!/\.(?:xml|rels|vml)$/iu.test(entry.name)) continue;
    const head = await readHead(entry);
    // Every second byte of UTF-16 is zero for these characters.
    if (!head.replaceAll('\0', '').includes('<!DOCTYPE')) continue;
    throw new WorkbookError(
      'entities',
      'The workbook declares XML entities, which no spreadsheet program does. Save it again as .xlsx and send that file.',
    );
  }
}

async function readHead(entry: ZipPart): Promise<string> {
  let head = '';
  for await (const chunk of entry.unpack()) {
    head += Buffer.from(chunk.buffer, chunk.byteOffset, Math.min(chunk.length, PREFIX_CHARACTERS)).toString(
      'latin1',
    );
    if (head.length >= PREFIX_CHARACTERS) break;
  }
  return head;
}

async function findWorkbook(entries: Entries): Promise<ZipPart> {
  const relationships = await readRelationships(entries, '');
  const target = relationships.find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml';
  const workbook = entries.get(target.toLowerCase());
  if (workbook) return workbook;
  throw new WorkbookError(
    'not_xlsx',
    'The file is a ZIP archive without a workbook. Save the sheet as .xlsx and send that file.',
  );
}

async function readRelationships(entries: Entries, source: string): Promise<readonly Relationship[]> {
  const folder = posix.dirname(source === '' ? '/' : `/${source}`);
  const entry = entries.get(
    posix
      .join(folder, '_rels', `${posix.basename(source)}.rels`)
      .slice(1)
      .toLowerCase(),
  );
  const relationships: Relationship[] = [];
  if (entry === undefined) return relationships;
  await readXml(entry.unpack(), entry.name, {
    open: (name, { Id: id, Type: type, Target: target, TargetMode: mode }) => {
      if (name !== 'Relationship' || mode === 'External') return;
      if (id === undefined || type === undefined || target === undefined) return;
      const path = posix.resolve(folder, target.trim().replaceAll('\\', '/')).slice(1);
      relationships.push({ id, type: posix.basename(type), target: path });
    },
  });
  return relationships;
}

async function readWorkbookPart(
  workbook: ZipPart,
): Promise<{ sheets: readonly SheetRecord[]; countsFrom1904: boolean }> {
  const sheets: SheetRecord[] = [];
  let countsFrom1904 = false;
  await readXml(workbook.unpack(), workbook.name, {
    open: (name, attributes) => {
      if (name === 'workbookPr') countsFrom1904 = isTrue(attributes['date1904']);
      if (name !== 'sheet') return;
      // The prefix of this attribute differs by program as well.
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
      if (id === undefined) return;
      const visible = attributes['state'] === undefined || attributes['state'] === 'visible';
      sheets.push({ name: attributes['name'] ?? '', visible, relationshipId: id });
    },
  });
  return { sheets, countsFrom1904 };
}
