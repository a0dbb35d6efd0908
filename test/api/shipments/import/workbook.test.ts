import { readFileSync } from 'node:fs';

import test from 'ava';

import { formatErrors } from '../../../../api/shipments/import/rows.ts';
import type { ReadRow } from '../../../../api/shipments/import/rows.ts';
import { GOOD_ROWS, textRows, workbook, workbookParts, zip } from './make-package.ts';
import type { WorkbookXml } from './make-package.ts';
import { readRows, wholeSheet } from './reading.ts';

async function rowsOf(file: Buffer): Promise<readonly ReadRow[]> {
  return readRows(await wholeSheet(file), { timezone: 'Africa/Algiers' }).rows;
}

/** The values of the sheet's rows. */
async function cellsOf(xml: WorkbookXml): Promise<readonly (readonly unknown[])[]> {
  const sheet = await wholeSheet(workbook(xml));
  return sheet.rows.map((row) => [...row.cells.values()]);
}

const kept = (name: string): Buffer => readFileSync(new URL(`./workbooks/${name}`, import.meta.url));

const FIRST_BODY = {
  recipient: {
    firstName: 'أمينة',
    lastName: 'Benali-Küçük',
    phoneNumber: '+213661234567',
    email: 'amina@example.com',
    address: { street: '12 rue Didouche Mourad', city: 'Béjaïa', postalCode: '06000' },
  },
  priority: 'urgent',
  weight: 2.5,
  codAmount: '1500.50',
  handlingOptions: ['fragile', 'id_check'],
  notes: 'Sonner <2> fois & attendre',
  externalReference: 'ORD-1',
  scheduledAfter: '2026-03-12T14:00:00+01:00',
  scheduledBefore: '2026-03-13T23:59:59+01:00',
};
const SECOND_BODY = {
  recipient: {
    firstName: 'Karim',
    phoneNumber: '+213661234567',
    address: { street: '3 place de la Liberté', city: 'Oran', postalCode: '31000' },
  },
  priority: 'high',
  weight: 0.75,
  codAmount: '1234.50',
  externalReference: 'ORD-2',
  scheduledAfter: '2026-03-12T14:00:00+02:00',
  scheduledBefore: '2026-03-12T18:30:00+01:00',
};
const FAULTY_COLUMNS = ['recipient_phone', 'address_postal_code', 'weight', 'cod_amount', 'scheduled_after'];

const threeShipments = test.macro(async (t, name: string, firstRow: number) => {
  const [first, second, faulty, ...others] = await rowsOf(kept(name));
  t.deepEqual(others, []);
  t.deepEqual([first?.row, second?.row, faulty?.row], [firstRow, firstRow + 1, firstRow + 3]);
  t.deepEqual(first?.body, FIRST_BODY);
  t.deepEqual(first?.errors, []);
  t.deepEqual(second?.body, SECOND_BODY);
  t.deepEqual(second?.errors, []);
  t.deepEqual(
    faulty?.errors.map(({ column }) => column),
    FAULTY_COLUMNS,
  );
});

test('a workbook of XlsxWriter is read to the cell, below a title', threeShipments, 'xlsxwriter.xlsx', 3);
test('a workbook of LibreOffice is read to the cell', threeShipments, 'libreoffice.xlsx', 2);
test('a workbook of SheetJS is read to the cell', threeShipments, 'sheetjs.xlsx', 2);
test('a workbook of excelize is read to the cell', threeShipments, 'excelize.xlsx', 2);

test('a workbook of openpyxl is read to the cell, except a formula without a result', async (t) => {
  const [first, second, faulty] = await rowsOf(kept('openpyxl.xlsx'));
  t.deepEqual(first?.body, FIRST_BODY);
  t.deepEqual(
    second?.errors.map(({ column }) => column),
    ['cod_amount'],
  );
  t.regex(formatErrors(second?.errors ?? []), /^cod_amount: the formula has no stored result.*save it/u);
  t.deepEqual(
    faulty?.errors.map(({ column }) => column),
    FAULTY_COLUMNS,
  );
});

test('a text formula without a value was never calculated, one with an empty value is blank', async (t) => {
  // The second as excelize writes it: typed as text, without a value.
  const rows = '<row><c t="str"><f>A9&amp;""</f><v></v></c><c t="str"><f>10*2</f></c><c><v>1</v></c></row>';
  const cells = await cellsOf({ rows: `<row><c t="inlineStr"><is><t>notes</t></is></c></row>${rows}` });
  t.deepEqual(cells, [[{ error: '#NOT_CALCULATED' }, 1]]);
});

test('a second sheet, hidden rows and unknown columns give warnings', async (t) => {
  const sheet = await wholeSheet(kept('openpyxl.xlsx'));
  t.deepEqual(sheet.warnings, [
    'Only the sheet “Envois” was read; “Archive” was ignored.',
    'Hidden rows were read like the others: 5.',
  ]);
  const { warnings } = readRows(sheet, { timezone: 'UTC' });
  t.deepEqual(warnings, ['Unknown columns, ignored: “internal remark”.']);
});

test('a value merged over rows applies to each of them, an amount to none', async (t) => {
  const rows = await rowsOf(kept('merged.xlsx'));
  const addresses = rows.map(({ body }): unknown => Reflect.get(Object(body['recipient']), 'address'));
  const address = { street: '12 rue Didouche Mourad', city: 'Alger' };
  t.deepEqual(addresses, [address, address]);
  for (const { errors } of rows) t.regex(formatErrors(errors), /^cod_amount: .*Unmerge/u);
});

test('prefixes of the Open XML SDK, missing references and parts in odd places are understood', async (t) => {
  const main = 'xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const rows = textRows(GOOD_ROWS).replaceAll(/<(\/?)(\w+)/gu, '<$1x:$2');
  const parts = workbookParts({ rows: '' }).flatMap((part) => {
    if (part.name === 'xl/worksheets/sheet1.xml') {
      return [
        {
          name: 'xl\\odd\\Cells.XML',
          content: `<x:worksheet ${main}><x:sheetData>${rows}</x:sheetData></x:worksheet>`,
        },
      ];
    }
    if (part.name !== 'xl/_rels/workbook.xml.rels') return [part];
    return [{ ...part, content: String(part.content).replace('worksheets/sheet1.xml', '/xl/odd/cells.xml') }];
  });
  const sheet = await wholeSheet(zip(parts));
  t.deepEqual([...(sheet.rows[0]?.cells.values() ?? [])], GOOD_ROWS[1]);
});

test('a package whose parts are not compressed is read', async (t) => {
  const sheet = await wholeSheet(
    zip(workbookParts({ rows: textRows(GOOD_ROWS) }).map((part) => ({ ...part, stored: true }))),
  );
  t.is(sheet.rows.length, 1);
});

const HEADER = '<row><c t="inlineStr"><is><t>notes</t></is></c></row>';

test('text is read as it was typed: markup, ampersands, line ends, escapes', async (t) => {
  const texts = [
    'a &amp;lt; b',
    'x &lt;y&gt; "z"',
    'first_x000D_second',
    '_x005F_x0041_',
    'tab&#9;end',
    '😀 é',
  ];
  const cells = texts.map(
    (text) => `<row><c t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c></row>`,
  );
  t.deepEqual(await cellsOf({ rows: HEADER + cells.join('') }), [
    ['a &lt; b'],
    ['x <y> "z"'],
    ['first\rsecond'],
    ['_x0041_'],
    ['tab\tend'],
    ['😀 é'],
  ]);
});

test('an apostrophe of the CSV export is taken away, but not from a cell with the text format', async (t) => {
  const texts = ["'=1", "''=1", "'+1", "'-1", "'@x", "'\t1", "a;'=1", "'tis"];
  const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="49"/></cellXfs>';
  const cells = texts.flatMap((text) =>
    [0, 1].map(
      (style) => `<row><c s="${style}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c></row>`,
    ),
  );
  const read = (await cellsOf({ rows: HEADER + cells.join(''), styles })).flat();
  t.deepEqual(
    read.filter((_, index) => index % 2 === 0),
    ['=1', "'=1", '+1', '-1', '@x', '\t1', 'a;=1', "'tis"],
  );
  t.deepEqual(
    read.filter((_, index) => index % 2 === 1),
    texts,
  );
});

test('rich text is read without its phonetic guide', async (t) => {
  const sharedStrings =
    '<si><r><t>Ben</t></r><r><rPr><b/></rPr><t>ali</t></r><rPh sb="0" eb="1"><t>no</t></rPh></si>';
  t.deepEqual(await cellsOf({ rows: `${HEADER}<row><c t="s"><v>0</v></c></row>`, sharedStrings }), [
    ['Benali'],
  ]);
});

test('formulas give their stored values, errors and booleans stay what they are', async (t) => {
  const rows =
    '<row><c><f>1+1</f><v>2</v></c></row><row><c t="str"><f>"a"</f><v>a</v></c></row>' +
    '<row><c t="b"><v>1</v></c></row><row><c t="e"><f>NA()</f><v>#N/A</v></c></row><row><c><f>1+1</f><v></v></c></row>';
  t.deepEqual(await cellsOf({ rows: HEADER + rows }), [
    [2],
    ['a'],
    [true],
    [{ error: '#N/A' }],
    [{ error: '#NOT_CALCULATED' }],
  ]);
});

const STYLES =
  '<numFmts><numFmt numFmtId="170" formatCode="00000"/><numFmt numFmtId="171" formatCode="0#&quot; &quot;##&quot; &quot;##&quot; &quot;##&quot; &quot;##"/>' +
  '<numFmt numFmtId="172" formatCode="[$-40C]d mmm yyyy;@"/><numFmt numFmtId="173" formatCode="#,##0\\ \\d\\h"/><numFmt numFmtId="174" formatCode="0.00&quot; DA&quot;"/></numFmts>' +
  '<cellXfs>' +
  [0, 14, 170, 171, 172, 173, 174].map((id) => `<xf numFmtId="${id}"/>`).join('') +
  '</cellXfs>';

test('numbers are read by the format that shows them', async (t) => {
  const numbers: readonly (readonly [style: number, value: string, cell: unknown])[] = [
    [0, '6000', 6000],
    [1, '46093', { date: '2026-03-12T00:00:00' }],
    [2, '6000', '06000'],
    [3, '612345678', '06 12 34 56 78'],
    [4, '46093.75', { date: '2026-03-12T18:00:00' }],
    [5, '1500', 1500],
    [6, '12', 12],
    [0, '1.5E3', 1500],
  ];
  const rows = numbers.map(([style, value]) => `<row><c s="${style}"><v>${value}</v></c></row>`).join('');
  t.deepEqual(
    await cellsOf({ rows: HEADER + rows, styles: STYLES }),
    numbers.map(([, , cell]) => [cell]),
  );
});

test('days of workbooks that count from 1904 are the same days', async (t) => {
  const rows = `${HEADER}<row><c s="1"><v>44631.5</v></c></row>`;
  t.deepEqual(await cellsOf({ rows, styles: STYLES, date1904: true }), [[{ date: '2026-03-12T12:00:00' }]]);
});

test('blank rows are skipped and the others keep their numbers', async (t) => {
  const sheet = await wholeSheet(
    workbook({
      rows: `<row r="2"/>${HEADER.replace('<row>', '<row r="3">')}<row r="7"><c r="A7"><v>1</v></c><c r="C7" t="str"><v>  </v></c></row><row r="9"/><row r="40"><c r="A40"><v>2</v></c></row>`,
    }),
  );
  t.deepEqual(
    sheet.rows.map(({ row, cells }) => [row, cells.size]),
    [
      [7, 1],
      [40, 1],
    ],
  );
});
