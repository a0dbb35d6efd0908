import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

import test from 'ava';

import { GOOD_ROWS, textRows, workbook, workbookParts, zip } from './make-package.ts';
import { MEGABYTE, rejection } from './rejecting.ts';

const good = textRows(GOOD_ROWS);
const kept = (name: string) => (): Buffer => readFileSync(new URL(`./workbooks/${name}`, import.meta.url));

test.serial('an empty file is rejected', rejection, () => Buffer.alloc(0), 'empty', /empty/u);
test.serial(
  'text is rejected with its kind',
  rejection,
  () => Buffer.from('recipient_phone,city\n+213,Alger\n'),
  'not_xlsx',
  /CSV.*\.xlsx/u,
);
test.serial('random bytes are rejected', rejection, () => randomBytes(5000), 'not_xlsx', /\.xlsx/u);
test.serial(
  'a PDF is rejected with its kind',
  rejection,
  () => Buffer.from('%PDF-1.7\n…'),
  'not_xlsx',
  /PDF/u,
);
test.serial(
  'a web page that calls itself .xls is rejected',
  rejection,
  () => Buffer.from('<html><table></table></html>'),
  'not_xlsx',
  /HTML/u,
);
test.serial(
  'an old .xls workbook is rejected with what to do',
  rejection,
  kept('libreoffice.xls'),
  'not_xlsx',
  /\.xls \(Excel 97\).*Save/u,
);
test.serial(
  'an .ods workbook is rejected with what to do',
  rejection,
  kept('libreoffice.ods'),
  'not_xlsx',
  /OpenDocument.*Save/u,
);
test.serial(
  'an encrypted workbook is rejected with what to do',
  rejection,
  kept('encrypted.xlsx'),
  'encrypted',
  /password.*Remove/u,
);
test.serial(
  'a file above 5 MB is rejected',
  rejection,
  () => Buffer.alloc(5 * MEGABYTE + 1, 'PK\u0003\u0004'),
  'too_large',
  /5 MB/u,
);
test.serial(
  'a ZIP that is not a workbook is rejected',
  rejection,
  () => zip([{ name: 'readme.txt', content: 'hello' }]),
  'not_xlsx',
  /ZIP/u,
);
test.serial(
  'a Word document is rejected with its kind',
  rejection,
  () =>
    zip([
      { name: '[Content_Types].xml', content: '<Types/>' },
      { name: 'word/document.xml', content: '<w/>' },
    ]),
  'not_xlsx',
  /Word/u,
);
test.serial(
  'a package without its workbook part is rejected',
  rejection,
  () => zip([{ name: '[Content_Types].xml', content: '<Types/>' }]),
  'not_xlsx',
  /format: ZIP/u,
);
test.serial(
  'a workbook without cells is rejected as empty',
  rejection,
  () => workbook({ rows: '' }),
  'empty',
  /empty.*template/u,
);
test.serial(
  'rows without a header are rejected with what to do',
  rejection,
  () => workbook({ rows: textRows(GOOD_ROWS.slice(1)) }),
  'no_header',
  /no header row.*recipient_phone.*template/u,
);
test.serial(
  'macros are rejected, whatever the file is called',
  rejection,
  () => workbook({ rows: good, more: [{ name: 'xl/vbaProject.bin', content: 'x' }] }),
  'macro',
  /macros.*\.xlsx/u,
);
test.serial(
  'macros of Excel 4 are rejected',
  rejection,
  () => workbook({ rows: good, more: [{ name: 'xl/macrosheets/sheet1.xml', content: '<x/>' }] }),
  'macro',
  /macros/u,
);
test.serial(
  'links to other workbooks are rejected',
  rejection,
  () => workbook({ rows: good, more: [{ name: 'xl/externalLinks/externalLink1.xml', content: '<x/>' }] }),
  'external_links',
  /other workbooks.*values/u,
);

const ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>';
test.serial(
  'XML entities in a sheet are rejected',
  rejection,
  () => workbook({ prolog: ENTITIES, rows: textRows([['&b;'], ['x']]) }),
  'entities',
  /entities/u,
);
test.serial(
  'XML entities in a part that is not read are rejected',
  rejection,
  () => workbook({ rows: good, more: [{ name: 'docProps/core.xml', content: `${ENTITIES}<x>&b;</x>` }] }),
  'entities',
  /entities/u,
);
test.serial(
  'a sheet in UTF-16, which no spreadsheet program writes, is rejected as damaged',
  rejection,
  () =>
    zip(
      workbookParts({ prolog: ENTITIES, rows: good }).map((part) =>
        part.name === 'xl/worksheets/sheet1.xml'
          ? { ...part, content: Buffer.from(`\ufeff${part.content.toString()}`, 'utf16le') }
          : part,
      ),
    ),
  'damaged',
  /damaged.*save it again/u,
);
test.serial(
  'XML entities behind a long comment are rejected',
  rejection,
  () => workbook({ prolog: `<!--${'x'.repeat(100_000)}-->${ENTITIES}`, rows: good }),
  'entities',
  /entities/u,
);
test.serial(
  'broken XML is rejected as damaged',
  rejection,
  () => workbook({ rows: '<row><c></row>' }),
  'damaged',
  /damaged.*save it again/u,
);
test.serial(
  'bytes that are not UTF-8 are rejected as damaged',
  rejection,
  () =>
    zip(
      workbookParts({ rows: good }).map((part) =>
        part.name === 'xl/worksheets/sheet1.xml'
          ? { ...part, content: Buffer.from([0x3c, 0xff, 0xfe, 0x3e]) }
          : part,
      ),
    ),
  'damaged',
  /damaged/u,
);
