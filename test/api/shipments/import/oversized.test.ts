import test from 'ava';

import { GOOD_ROWS, textRows, workbook, workbookParts, zip } from './make-package.ts';
import type { PackagePart } from './make-package.ts';
import { MEGABYTE, rejection } from './rejecting.ts';

const good = textRows(GOOD_ROWS);

test.serial(
  'one merge over the whole sheet is rejected',
  rejection,
  () =>
    workbook({ rows: good, after: '<mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>' }),
  'too_large',
  /A1:XFD1048576.*Unmerge/u,
);
test.serial(
  'a value in the last cell of the sheet is rejected',
  rejection,
  () => workbook({ rows: `${good}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>` }),
  'too_large',
  /column XFD/u,
);
test.serial(
  'a cell beyond the last column is rejected',
  rejection,
  () => workbook({ rows: `${good}<row><c r="ZZZZ3"><v>1</v></c></row>` }),
  'damaged',
  /damaged/u,
);
test.serial(
  'rows out of order are rejected',
  rejection,
  () => workbook({ rows: '<row r="5"><c><v>1</v></c></row><row r="4"><c><v>1</v></c></row>' }),
  'damaged',
  /not in order/u,
);
test.serial(
  'a million empty rows are rejected',
  rejection,
  () => workbook({ rows: good + '<row/>'.repeat(1_000_000) }),
  'too_many_rows',
  /blank.*Delete/u,
);
test.serial(
  'a million rows of blank formatted cells are rejected',
  rejection,
  () => workbook({ rows: good + '<row><c s="1"/></row>'.repeat(1_000_000) }),
  ['too_many_rows', 'too_large'],
  /blank/u,
);
test.serial(
  '10,001 shipments are rejected',
  rejection,
  () => workbook({ rows: good + textRows([GOOD_ROWS[1] ?? []]).repeat(10_000) }),
  'too_many_rows',
  /10000 shipments.*Split/u,
);

const zeros = (megabytes: number): Buffer => Buffer.alloc(megabytes * MEGABYTE, ' ');
test.serial(
  'a part that unpacks to 300 MB is rejected by its header',
  rejection,
  () => workbook({ rows: good, more: [{ name: 'xl/media/image1.png', content: zeros(300) }] }),
  'too_large',
  /unpacks to 315 MB/u,
);
test.serial(
  'a sheet that unpacks to more than its header says is rejected',
  rejection,
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
  '45 MB of text in one shared string are rejected',
  rejection,
  () => workbook({ rows: good, sharedStrings: `<si><t>${'x'.repeat(45 * MEGABYTE)}</t></si>` }),
  ['too_large'],
  /characters|memory/u,
);
test.serial(
  '45 MB of text in one cell are rejected',
  rejection,
  () => workbook({ rows: `<row><c t="str"><v>${'x'.repeat(45 * MEGABYTE)}</v></c></row>` }),
  ['too_large'],
  /characters|memory/u,
);
test.serial(
  '45 MB in one attribute are rejected',
  rejection,
  () => workbook({ rows: `<row x="${'x'.repeat(45 * MEGABYTE)}"/>` }),
  ['too_large', 'empty'],
  /./u,
);
test.serial(
  'one long text that every cell repeats is rejected',
  rejection,
  () =>
    workbook({
      rows: `<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`.repeat(5000),
      sharedStrings: `<si><t>${'x'.repeat(30_000)}</t></si>`,
    }),
  'too_large',
  /million characters/u,
);
test.serial(
  'elements nested 100,000 deep are rejected',
  rejection,
  () => workbook({ rows: '<a>'.repeat(100_000) }),
  ['damaged', 'too_large'],
  /./u,
);
test.serial(
  'a package of 5,000 parts is rejected',
  rejection,
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
  'two parts of one name are rejected',
  rejection,
  () => zip([...workbookParts({ rows: good }), { name: 'XL/workbook.xml', content: '<x/>' }]),
  'damaged',
  /same name/u,
);
