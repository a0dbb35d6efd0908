import test from 'ava';
import ExcelJS from 'exceljs';

import { COLUMNS } from '../../../../api/shipments/import/columns.ts';
import { makeFailedRows } from '../../../../api/shipments/import/failed-rows.ts';
import { makeTemplate } from '../../../../api/shipments/import/template.ts';
import { WHOLE_ROW } from '../../../../domain/import-record.ts';
import { textRows, workbook } from './make-package.ts';
import { readRows, wholeSheet } from './reading.ts';

const NOW = new Date('2026-03-12T10:00:00Z');
const context = { timezone: 'Africa/Algiers' };

/** Opens a workbook as exceljs shows it, styles and lists included. */
async function open(file: Uint8Array): Promise<ExcelJS.Worksheet> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(new Uint8Array(file).buffer);
  const sheet = book.worksheets[0];
  if (sheet === undefined) throw new Error('the workbook has no sheet');
  return sheet;
}

test('the template has all columns, in order, and its example row is a good shipment', async (t) => {
  const sheet = await wholeSheet(await makeTemplate(NOW));
  t.deepEqual(
    sheet.headers.map(({ text }) => text),
    COLUMNS.map(({ header }) => header),
  );
  const { rows, warnings } = readRows(sheet, context);
  t.deepEqual(warnings, []);
  t.deepEqual(
    rows.map(({ errors }) => errors),
    [[]],
  );
  t.like(rows[0]?.body, { codAmount: '1500.00', handlingOptions: ['fragile', 'id_check'] });
});

test('the template offers a list for each enumeration, once', async (t) => {
  const sheet = await open(await makeTemplate(NOW));
  const lists = new Map<string, string>();
  for (const [index, { header }] of COLUMNS.entries()) {
    const { dataValidation } = sheet.getCell(2, index + 1);
    if (Reflect.get(Object(dataValidation), 'type') === 'list')
      lists.set(header, String(dataValidation.formulae[0]));
  }
  t.deepEqual(
    [...lists],
    [
      ['recipient_type', '"individual,company"'],
      ['priority', '"low,normal,high,urgent"'],
      ['package_size', '"small,medium,large,extra_large"'],
      ['handling_options', '"fragile,id_check,signature_required,keep_upright,refrigerated,do_not_bend"'],
    ],
  );
});

test('the template keeps leading zeros, shows its header and explains each column', async (t) => {
  const sheet = await open(await makeTemplate(NOW));
  for (const [index, column] of COLUMNS.entries()) {
    const expected = column.kind === 'money' ? '0.00' : column.kind === 'decimal' ? undefined : '@';
    t.is(sheet.getColumn(index + 1).numFmt, expected, column.header);
    t.truthy(sheet.getCell(1, index + 1).note, column.header);
  }
  t.like(sheet.views[0], { state: 'frozen', ySplit: 1 });
});

const MIXED = [
  ['Téléphone', 'prénom', 'Couleur', 'errors', 'ville', 'adresse'],
  ['0661', "'=1+1", '=1+1', 'an old message', '_x0041_', '<a> & b'],
];

test('failed rows are returned as they were sent, with their messages in a last column', async (t) => {
  const sheet = await wholeSheet(
    workbook({
      rows: textRows(
        MIXED.map((row) =>
          row.map((text) =>
            text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('_x0041_', '_x005F_x0041_'),
          ),
        ),
      ),
    }),
  );
  const errors = [
    { column: 'recipient_phone', message: 'write it in international format.' },
    { column: 'address_city', message: 'is unknown.' },
  ];
  const failed = await makeFailedRows(
    sheet.headers,
    sheet.rows.map((source) => ({ source, errors })),
    NOW,
  );
  const again = await wholeSheet(failed);
  t.deepEqual(
    again.headers.map(({ text }) => text),
    ['Téléphone', 'prénom', 'Couleur', 'ville', 'adresse', 'errors'],
  );
  t.deepEqual(
    [...(again.rows[0]?.cells.values() ?? [])],
    [
      '0661',
      // The apostrophe of our CSV export is taken away when the cell is read.
      '=1+1',
      '=1+1',
      '_x0041_',
      '<a> & b',
      'recipient_phone: write it in international format. | address_city: is unknown.',
    ],
  );
});

test('corrected failed rows can be sent again: the messages are ignored', async (t) => {
  const first = await wholeSheet(
    workbook({
      rows: textRows([
        ['recipient_first_name', 'recipient_phone', 'address_street', 'address_city'],
        ['Amina', '+213661234567', 'rue 1', 'Alger'],
      ]),
    }),
  );
  const failed = await makeFailedRows(
    first.headers,
    first.rows.map((source) => ({ source, errors: [{ column: WHOLE_ROW, message: 'x' }] })),
    NOW,
  );
  const { rows, warnings } = readRows(await wholeSheet(failed), context);
  t.deepEqual(warnings, []);
  t.deepEqual(
    rows.map(({ body, errors }) => [errors, body]),
    [
      [
        [],
        {
          recipient: {
            firstName: 'Amina',
            phoneNumber: '+213661234567',
            address: { street: 'rue 1', city: 'Alger' },
          },
        },
      ],
    ],
  );
});

test('numbers, dates, booleans and errors of failed rows keep their types', async (t) => {
  const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs>';
  const cells =
    '<c><v>661234567</v></c><c s="1"><v>46093.5</v></c><c t="b"><v>1</v></c><c t="e"><v>#REF!</v></c>';
  const header = textRows([['phone', 'scheduled_after', 'flag', 'city']]);
  const sheet = await wholeSheet(workbook({ rows: `${header}<row>${cells}</row>`, styles }));
  const failed = await makeFailedRows(
    sheet.headers,
    sheet.rows.map((source) => ({ source, errors: [] })),
    NOW,
  );
  const [row] = (await wholeSheet(failed)).rows;
  t.deepEqual(
    [...(row?.cells.values() ?? [])],
    [661234567, { date: '2026-03-12T12:00:00' }, true, { error: '#REF!' }],
  );
  const opened = await open(failed);
  t.is(opened.getCell('A2').numFmt, '@', 'what is typed into it becomes text');
});

test('the cell of a fault is marked', async (t) => {
  const sheet = await wholeSheet(
    workbook({
      rows: textRows([
        ['phone', 'city'],
        ['1', 'Alger'],
      ]),
    }),
  );
  const errors = [{ column: 'recipient_phone', message: 'x' }];
  const opened = await open(
    await makeFailedRows(
      sheet.headers,
      sheet.rows.map((source) => ({ source, errors })),
      NOW,
    ),
  );
  t.like(opened.getCell('A2').fill, { type: 'pattern', pattern: 'solid' });
  t.notDeepEqual(opened.getCell('A2').fill, opened.getCell('B2').fill);
});
