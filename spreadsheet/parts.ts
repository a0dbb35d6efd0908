import { posix } from 'node:path';

import { say } from '../domain/messages.ts';
import { damaged, entities, notXlsx, WorkbookError } from './workbook-error.ts';
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
  /** Undefined where the package lacks what it names. */
  readonly part: ZipPart | undefined;
}

interface SheetRecord {
  readonly name: string;
  readonly visible: boolean;
  readonly relationshipId: string;
}

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
  const root = (await readRelationships(entries, '')).find(({ type }) => type === 'officeDocument');
  const workbook = root === undefined ? entries.get('xl/workbook.xml') : root.part;
  if (workbook === undefined) throw notXlsx(OTHER_ZIP);
  const relationships = await readRelationships(entries, workbook.name);
  const { sheets, countsFrom1904 } = await readWorkbookPart(workbook);
  const targets = new Map(relationships.map((relationship) => [relationship.id, relationship]));
  const worksheets = sheets.flatMap((sheet) => {
    const target = targets.get(sheet.relationshipId);
    return target?.type === 'worksheet' ? [{ ...sheet, part: target.part }] : [];
  });
  const first = worksheets.find(({ visible }) => visible) ?? worksheets[0];
  if (first === undefined) throw damaged('it has no sheet');
  if (first.part === undefined) throw damaged(`its sheet “${first.name}” is missing`);
  const partOf = (type: string) => relationships.find((relationship) => relationship.type === type)?.part;
  return {
    sheetName: first.name,
    otherSheetNames: worksheets.filter((other) => other !== first && other.visible).map(({ name }) => name),
    countsFrom1904,
    sheet: first.part,
    sharedStrings: partOf('sharedStrings'),
    styles: partOf('styles'),
  };
}

type Entries = ReadonlyMap<string, ZipPart>;

function rejectOtherFormats(entries: Entries): void {
  const others: readonly (readonly [part: string, format: string])[] = [
    ['word/document.xml', '.docx (Word)'],
    ['ppt/presentation.xml', '.pptx (PowerPoint)'],
    ['xl/workbook.bin', '.xlsb'],
    ['mimetype', '.ods (OpenDocument)'],
    ['index/document.iwa', '.numbers'],
  ];
  const format = others.find(([part]) => entries.has(part))?.[1];
  if (format !== undefined || !entries.has('[content_types].xml')) throw notXlsx(format ?? OTHER_ZIP);
}

const OTHER_ZIP = 'ZIP';

function rejectActiveContent(entries: Entries): void {
  for (const name of entries.keys()) {
    if (name.endsWith('vbaproject.bin') || name.includes('/macrosheets/')) {
      throw new WorkbookError('macro', say('workbook_macro'));
    }
    if (name.includes('/externallinks/')) {
      throw new WorkbookError('external_links', say('workbook_external_links'));
    }
  }
}

const PREFIX_BYTES = 4096;

/** A document type stands before the root element. The parts that are read whole are checked there too. */
async function rejectEntities(entries: Entries): Promise<void> {
  for (const { name, unpack } of entries.values()) {
    if (!/\.(?:xml|rels|vml)$/iu.test(name)) continue;
    for await (const chunk of unpack()) {
      const prefixBytes = Math.min(chunk.length, PREFIX_BYTES);
      if (Buffer.from(chunk.buffer, chunk.byteOffset, prefixBytes).includes('<!DOCTYPE')) throw entities();
      break;
    }
  }
}

async function readRelationships(entries: Entries, source: string): Promise<readonly Relationship[]> {
  const folder = posix.dirname(`/${source}`);
  const path = posix.join(folder, '_rels', `${posix.basename(source)}.rels`);
  const entry = entries.get(path.slice(1).toLowerCase());
  const relationships: Relationship[] = [];
  if (entry === undefined) return relationships;
  await readXml(entry.unpack(), entry.name, {
    open: (name, { Id: id, Type: type, Target: target, TargetMode: mode }) => {
      if (name !== 'Relationship' || mode === 'External') return;
      if (id === undefined || type === undefined || target === undefined) return;
      const targetPath = posix.resolve(folder, target.trim().replaceAll('\\', '/')).slice(1);
      relationships.push({ id, type: posix.basename(type), part: entries.get(targetPath.toLowerCase()) });
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
