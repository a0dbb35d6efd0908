import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

import test from 'ava';
import type { ExecutionContext } from 'ava';

import type { RefusalKind } from '../../../../api/shipments/import/refusal.ts';
import { createWorkbookReader } from '../../../../api/shipments/import/workbook.ts';
import { GOOD_ROWS, textRows, workbook, workbookParts, zip } from './make-package.ts';
import type { PackagePart } from './make-package.ts';

const MEGABYTE = 1024 * 1024;
/** The issue says «in seconds», on a machine that does other things as well. */
const MOST_MS = 15_000;
const MOST_GROWTH_MB = 200;

const reader = createWorkbookReader();
test.after.always(() => reader.close());

const good = textRows(GOOD_ROWS);

/** Reads a file and holds it to the limits of time, memory and attention to others. */
async function refused(
  t: ExecutionContext,
  file: Buffer,
  kind: RefusalKind | readonly RefusalKind[],
  message: RegExp,
): Promise<void> {
  const before = process.memoryUsage().rss;
  let highest = before;
  let turns = 0;
  const watch = setInterval(() => {
    turns += 1;
    highest = Math.max(highest, process.memoryUsage().rss);
  }, 10);
  const begin = performance.now();
  const outcome = await reader.read(file);
  const tookMs = performance.now() - begin;
  clearInterval(watch);
  if (outcome.kind !== 'refused') return t.fail('the file was read');
  t.true([kind].flat().includes(outcome.refusal.kind), outcome.refusal.kind);
  t.regex(outcome.refusal.message, message);
  t.true(tookMs < MOST_MS, `${tookMs} ms`);
  t.true(highest - before < MOST_GROWTH_MB * MEGABYTE, `${(highest - before) / MEGABYTE} MB`);
  t.true(tookMs < 500 || turns > tookMs / 100, `the event loop turned ${turns} times in ${tookMs} ms`);
}

const refusal = test.macro(
  async (t, file: () => Buffer, kind: RefusalKind | readonly RefusalKind[], message: RegExp) => {
    await refused(t, file(), kind, message);
  },
);

const kept = (name: string) => (): Buffer => readFileSync(new URL(`./workbooks/${name}`, import.meta.url));

test.serial('an empty file is refused', refusal, () => Buffer.alloc(0), 'empty', /empty/u);
test.serial(
  'text is refused as what it is',
  refusal,
  () => Buffer.from('recipient_phone,city\n+213,Alger\n'),
  'not_xlsx',
  /CSV.*\.xlsx/u,
);
test.serial('random bytes are refused', refusal, () => randomBytes(5000), 'not_xlsx', /\.xlsx/u);
test.serial('a PDF is refused as what it is', refusal, () => Buffer.from('%PDF-1.7\n…'), 'not_xlsx', /PDF/u);
test.serial(
  'a web page that calls itself .xls is refused',
  refusal,
  () => Buffer.from('<html><table></table></html>'),
  'not_xlsx',
  /web page/u,
);
test.serial(
  'an old .xls workbook is refused with what to do',
  refusal,
  kept('libreoffice.xls'),
  'not_xlsx',
  /old \.xls.*Save/u,
);
test.serial(
  'an .ods workbook is refused with what to do',
  refusal,
  kept('libreoffice.ods'),
  'not_xlsx',
  /OpenDocument.*Save/u,
);
test.serial(
  'an encrypted workbook is refused with what to do',
  refusal,
  kept('encrypted.xlsx'),
  'encrypted',
  /password.*Remove/u,
);
test.serial(
  'a file above 5 MB is refused',
  refusal,
  () => Buffer.alloc(5 * MEGABYTE + 1, 'PK\u0003\u0004'),
  'too_large',
  /5 MB/u,
);
test.serial(
  'a ZIP that is no workbook is refused',
  refusal,
  () => zip([{ name: 'readme.txt', content: 'hello' }]),
  'not_xlsx',
  /ZIP/u,
);
test.serial(
  'a Word document is refused as what it is',
  refusal,
  () =>
    zip([
      { name: '[Content_Types].xml', content: '<Types/>' },
      { name: 'word/document.xml', content: '<w/>' },
    ]),
  'not_xlsx',
  /Word/u,
);
test.serial(
  'a package without its workbook part is refused',
  refusal,
  () => zip([{ name: '[Content_Types].xml', content: '<Types/>' }]),
  'not_xlsx',
  /without a workbook/u,
);
test.serial(
  'a workbook without cells is refused as empty',
  refusal,
  () => workbook({ rows: '' }),
  'empty',
  /empty.*template/u,
);
test.serial(
  'a header alone is refused as empty',
  refusal,
  () => workbook({ rows: textRows(GOOD_ROWS.slice(0, 1)) }),
  'empty',
  /no shipments/u,
);
test.serial(
  'macros are refused, whatever the file is called',
  refusal,
  () => workbook({ rows: good, more: [{ name: 'xl/vbaProject.bin', content: 'x' }] }),
  'macro',
  /macros.*\.xlsx/u,
);
test.serial(
  'macros of Excel 4 are refused',
  refusal,
  () => workbook({ rows: good, more: [{ name: 'xl/macrosheets/sheet1.xml', content: '<x/>' }] }),
  'macro',
  /macros/u,
);
test.serial(
  'links to other workbooks are refused',
  refusal,
  () => workbook({ rows: good, more: [{ name: 'xl/externalLinks/externalLink1.xml', content: '<x/>' }] }),
  'external_links',
  /other workbooks.*values/u,
);

const ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>';
test.serial(
  'XML entities in a sheet are refused',
  refusal,
  () => workbook({ prolog: ENTITIES, rows: textRows([['&b;'], ['x']]) }),
  'entities',
  /entities/u,
);
test.serial(
  'XML entities in a part that is not read are refused',
  refusal,
  () => workbook({ rows: good, more: [{ name: 'docProps/core.xml', content: `${ENTITIES}<x>&b;</x>` }] }),
  'entities',
  /entities/u,
);
test.serial(
  'XML entities in UTF-16 are refused',
  refusal,
  () =>
    workbook({
      rows: good,
      more: [{ name: 'docProps/core.xml', content: Buffer.from(`\ufeff${ENTITIES}<x/>`, 'utf16le') }],
    }),
  'entities',
  /entities/u,
);
test.serial(
  'XML entities behind a long comment are refused',
  refusal,
  () => workbook({ prolog: `<!--${'x'.repeat(100_000)}-->${ENTITIES}`, rows: good }),
  'entities',
  /entities/u,
);
test.serial(
  'broken XML is refused as damaged',
  refusal,
  () => workbook({ rows: '<row><c></row>' }),
  'damaged',
  /damaged.*save it again/u,
);
test.serial(
  'bytes that are no UTF-8 are refused as damaged',
  refusal,
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
test.serial(
  'one merge over the whole sheet is refused',
  refusal,
  () =>
    workbook({ rows: good, after: '<mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>' }),
  'too_large',
  /A1:XFD1048576.*Unmerge/u,
);
test.serial(
  'a value in the last cell of the sheet is refused',
  refusal,
  () => workbook({ rows: `${good}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>` }),
  'too_large',
  /column XFD/u,
);
test.serial(
  'a cell beyond the last column is refused',
  refusal,
  () => workbook({ rows: `${good}<row><c r="ZZZZ3"><v>1</v></c></row>` }),
  'damaged',
  /damaged/u,
);
test.serial(
  'rows out of order are refused',
  refusal,
  () => workbook({ rows: '<row r="5"><c><v>1</v></c></row><row r="4"><c><v>1</v></c></row>' }),
  'damaged',
  /not in order/u,
);
test.serial(
  'a million empty rows are refused',
  refusal,
  () => workbook({ rows: good + '<row/>'.repeat(1_000_000) }),
  'too_many_rows',
  /blank.*Delete/u,
);
test.serial(
  'a million rows of blank formatted cells are refused',
  refusal,
  () => workbook({ rows: good + '<row><c s="1"/></row>'.repeat(1_000_000) }),
  ['too_many_rows', 'too_large'],
  /blank/u,
);
test.serial(
  '10,001 shipments are refused',
  refusal,
  () => workbook({ rows: good + textRows([GOOD_ROWS[1] ?? []]).repeat(10_000) }),
  'too_many_rows',
  /10000 shipments.*Split/u,
);

const zeros = (megabytes: number): Buffer => Buffer.alloc(megabytes * MEGABYTE, ' ');
test.serial(
  'a part that unpacks to 300 MB is refused by its header',
  refusal,
  () => workbook({ rows: good, more: [{ name: 'xl/media/image1.png', content: zeros(300) }] }),
  'too_large',
  /unpacks to 315 MB/u,
);
test.serial(
  'a sheet that unpacks to more than its header says is refused',
  refusal,
  () =>
    zip(
      workbookParts({ rows: good }).map((part) =>
        part.name === 'xl/worksheets/sheet1.xml'
          ? { ...part, content: zeros(300), claimedBytes: 20 * MEGABYTE }
          : part,
      ),
    ),
  'too_large',
  /more than its table of contents says/u,
);
test.serial(
  '45 MB of text in one shared string are refused',
  refusal,
  () => workbook({ rows: good, sharedStrings: `<si><t>${'x'.repeat(45 * MEGABYTE)}</t></si>` }),
  ['too_large'],
  /characters|memory/u,
);
test.serial(
  '45 MB of text in one cell are refused',
  refusal,
  () => workbook({ rows: `<row><c t="str"><v>${'x'.repeat(45 * MEGABYTE)}</v></c></row>` }),
  ['too_large'],
  /characters|memory/u,
);
test.serial(
  '45 MB in one attribute are refused',
  refusal,
  () => workbook({ rows: `<row x="${'x'.repeat(45 * MEGABYTE)}"/>` }),
  ['too_large', 'empty'],
  /./u,
);
test.serial(
  'one long text that every cell repeats is refused',
  refusal,
  () =>
    workbook({
      rows: `<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`.repeat(5000),
      sharedStrings: `<si><t>${'x'.repeat(30_000)}</t></si>`,
    }),
  'too_large',
  /million characters/u,
);
test.serial(
  'elements nested 100,000 deep are refused',
  refusal,
  () => workbook({ rows: '<a>'.repeat(100_000) }),
  ['damaged', 'too_large'],
  /./u,
);
test.serial(
  'a package of 5,000 parts is refused',
  refusal,
  () =>
    zip(
      Array.from({ length: 5000 }, (_, index): PackagePart => ({
        name: `xl/media/${index}.png`,
        content: '',
      })),
    ),
  'too_large',
  /5000 parts/u,
);
test.serial(
  'two parts of one name are refused',
  refusal,
  () => zip([...workbookParts({ rows: good }), { name: 'XL/workbook.xml', content: '<x/>' }]),
  'damaged',
  /same name/u,
);
