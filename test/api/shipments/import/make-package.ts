import { crc32, deflateRawSync } from 'node:zlib';

/** A part of a package that a test makes byte by byte. */
export interface PackagePart {
  readonly name: string;
  readonly content: string | Buffer;
  /** What the headers claim the part unpacks to, where that is a lie. */
  readonly claimedBytes?: number;
  readonly stored?: boolean;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** Zips parts as they are given, truthfully or not. */
export function zip(parts: readonly PackagePart[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const content = Buffer.from(part.content);
    const packed = part.stored === true ? content : deflateRawSync(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(part.stored === true ? 0 : 8, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(part.claimedBytes ?? content.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(part.name), 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), fields, tail, Buffer.from(part.name));
    const body = Buffer.concat([
      Buffer.from('PK\u0003\u0004', 'latin1'),
      fields,
      Buffer.from(part.name),
      packed,
    ]);
    bodies.push(body);
    offset += body.length;
  }
  const records = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(records.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, records, Buffer.from('PK\u0005\u0006', 'latin1'), end]);
}

export interface WorkbookXml {
  /** What stands in `<sheetData>`. */
  readonly rows: string;
  /** What comes after `</sheetData>`. */
  readonly after?: string;
  /** What comes before the root element of the sheet. */
  readonly prolog?: string;
  readonly sharedStrings?: string;
  readonly styles?: string;
  readonly date1904?: boolean;
  readonly more?: readonly PackagePart[];
  readonly sheet?: Partial<PackagePart>;
}

/** A package with one sheet, its parts where Excel puts them. */
export function workbook(xml: WorkbookXml): Buffer {
  return zip(workbookParts(xml));
}

export function workbookParts(xml: WorkbookXml): readonly PackagePart[] {
  const relationship = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  return [
    {
      name: '[Content_Types].xml',
      content: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    },
    {
      name: '_rels/.rels',
      content: `<Relationships xmlns="${PACKAGE}">${relationship('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr${xml.date1904 === true ? ' date1904="1"' : ''}/><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships xmlns="${PACKAGE}">${relationship('rId1', 'worksheet', 'worksheets/sheet1.xml')}${relationship('rId2', 'sharedStrings', 'sharedStrings.xml')}${relationship('rId3', 'styles', 'styles.xml')}</Relationships>`,
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `${xml.prolog ?? ''}<worksheet xmlns="${MAIN}"><sheetData>${xml.rows}</sheetData>${xml.after ?? ''}</worksheet>`,
      ...xml.sheet,
    },
    ...(xml.sharedStrings === undefined
      ? []
      : [{ name: 'xl/sharedStrings.xml', content: `<sst xmlns="${MAIN}">${xml.sharedStrings}</sst>` }]),
    ...(xml.styles === undefined
      ? []
      : [{ name: 'xl/styles.xml', content: `<styleSheet xmlns="${MAIN}">${xml.styles}</styleSheet>` }]),
    ...(xml.more ?? []),
  ];
}

/** Rows of inline text, from row 1 on. */
export function textRows(rows: readonly (readonly string[])[]): string {
  const cell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  return rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('');
}

/** A header and one shipment, all in order. */
export const GOOD_ROWS: readonly (readonly string[])[] = [
  ['recipient_first_name', 'recipient_phone', 'address_street', 'address_city'],
  ['Amina', '+213661234567', '12 rue Didouche Mourad', 'Alger'],
];
