import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import test from 'ava';
import ExcelJS from 'exceljs';
import fc from 'fast-check';

import { exportShipmentsCsv } from '../../../../api/shipments/export/csv.ts';
import type { ExportRow } from '../../../../api/shipments/export/export-row.ts';
import { exportShipmentsXlsx } from '../../../../api/shipments/export/xlsx.ts';
import { COLUMNS } from '../../../../api/shipments/import/columns.ts';
import { readRows, wholeSheet } from '../import/reading.ts';

const NOW = new Date('2026-03-12T10:00:00Z');

const SHIPMENT = {
  recipient: {
    type: 'individual',
    firstName: 'أمينة',
    lastName: '=HYPERLINK("http://x","y")',
    phoneNumber: '+213661234567',
    email: 'amina@example.com',
    address: {
      street: '12, rue "Didouche"',
      city: 'Béjaïa',
      postalCode: '06000',
      latitude: 36.7729,
      longitude: -3.0589,
      landmark: '@poste',
    },
  },
  pickupPoint: '/api/v1/pickup-points/0190c2a4-0000-7000-8000-000000000001',
  priority: 'urgent',
  packageSize: 'extra_large',
  weight: 2.125,
  codAmount: '1500.50',
  handlingOptions: ['fragile', 'id_check'],
  notes: "-1+1\nsecond line _x0041_ 'quoted' <b> & 😀",
  externalReference: '0012',
  scheduledAfter: '2026-03-12T14:00:00+01:00',
  scheduledBefore: '2026-03-13T18:00:00+01:00',
};

const ROW: ExportRow = {
  shipment: SHIPMENT,
  trackingNumber: 'TRK-20260312-ABC123',
  status: 'in_transit',
  createdAt: new Date('2026-03-12T10:00:00Z'),
  deliveryDeadline: new Date('2026-03-13T17:00:00Z'),
  deliveryFeeCents: 400_00,
  totalCodToCollectCents: 1900_50,
  currency: 'DZD',
  merchantName: 'Boutique «Nour»',
  driverName: null,
};

async function* rowsOf(count: number, row: ExportRow = ROW): AsyncGenerator<ExportRow> {
  for (let index = 0; index < count; index++) yield await Promise.resolve(row);
}

async function* listed(rows: readonly ExportRow[]): AsyncGenerator<ExportRow> {
  for (const row of rows) yield await Promise.resolve(row);
}

async function xlsx(rows: AsyncIterable<ExportRow>): Promise<Buffer> {
  const output = new PassThrough();
  const [file] = await Promise.all([buffer(output), exportShipmentsXlsx(rows, output, NOW)]);
  return file;
}

/** The CSV without its byte order mark. */
async function csv(rows: AsyncIterable<ExportRow>): Promise<string> {
  const output = new PassThrough();
  const [content] = await Promise.all([buffer(output), exportShipmentsCsv(rows, output)]);
  return content.toString('utf8', 3);
}

test('what is exported as XLSX is imported as the same shipment', async (t) => {
  const sheet = await wholeSheet(await xlsx(rowsOf(2)));
  const merchant = '/api/v1/merchants/0190c2a4-0000-7000-8000-000000000002';
  const { rows, warnings } = readRows(sheet, {
    timezone: 'Africa/Algiers',
    findMerchant: (name) => (name === ROW.merchantName ? merchant : undefined),
  });
  t.deepEqual(warnings, []);
  t.deepEqual(
    rows.map(({ errors }) => errors),
    [[], []],
  );
  t.deepEqual(rows[1]?.body, { ...SHIPMENT, merchant });
});

const ODD_UNITS = [
  ';',
  '"',
  "'",
  '=',
  '+',
  '-',
  '@',
  '\t',
  '\r',
  '\n',
  ' ',
  ',',
  'a',
  '\u0007',
  '_x0041',
  '_',
] as const;
const oddText = fc.string({ unit: fc.constantFrom(...ODD_UNITS), maxLength: 8 });

test('texts of every kind are imported as they were exported, margins and control characters too', async (t) => {
  const texts = fc.sample(oddText, { seed: 15, numRuns: 500 }).filter((text) => text.trim() !== '');
  const odd = texts.map((text) => ({
    ...SHIPMENT,
    recipient: {
      ...SHIPMENT.recipient,
      lastName: text,
      address: { ...SHIPMENT.recipient.address, city: text },
    },
    externalReference: text,
    notes: text,
  }));
  const rows = odd.map((shipment): ExportRow => ({ ...ROW, shipment }));
  const sheet = await wholeSheet(await xlsx(listed(rows)));
  const read = readRows(sheet, { timezone: 'Africa/Algiers' });
  t.deepEqual(
    read.rows.map(({ body }) => body),
    odd,
  );
});

test('XLSX cells of text are typed as text, unchanged, and amounts can be added up', async (t) => {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(new Uint8Array(await xlsx(rowsOf(1))).buffer);
  const sheet = book.worksheets[0];
  const cell = (header: string): ExcelJS.Cell | undefined => {
    const column = COLUMNS.findIndex((known) => known.header === header) + 1;
    return sheet?.getCell(2, column);
  };
  t.is(cell('recipient_last_name')?.value, '=HYPERLINK("http://x","y")');
  t.is(cell('recipient_last_name')?.type, ExcelJS.ValueType.String);
  t.is(cell('address_postal_code')?.value, '06000');
  t.is(cell('address_postal_code')?.numFmt, '@');
  t.is(cell('cod_amount')?.value, 1500.5);
  t.is(cell('cod_amount')?.numFmt, '0.00');
  t.like(sheet?.views[0], { state: 'frozen', ySplit: 1 });
});

test('CSV follows RFC 4180 and disarms text that looks like a formula', async (t) => {
  const lines = (await csv(rowsOf(1))).split('\r\n');
  t.is(lines.length, 3);
  t.is(lines[2], '');
  t.true(lines[0]?.startsWith('recipient_first_name,recipient_last_name,recipient_phone,'));
  t.true(
    lines[0]?.endsWith(
      ',tracking_number,status,created_at,delivery_deadline,delivery_fee,total_cod_to_collect,currency,merchant,driver',
    ),
  );
  const [, row = ''] = lines;
  t.true(row.includes(`"'=HYPERLINK(""http://x"",""y"")",'+213661234567,`));
  t.true(row.includes('"12, rue ""Didouche""",Béjaïa,06000,36.7729,-3.0589,\'@poste,'));
  t.true(row.includes(`,fragile;id_check,"'-1+1\nsecond line`));
  t.true(row.endsWith(',400.00,1900.50,DZD,Boutique «Nour»,'));
});

/** The cells that a program finds when it splits at a separator: quotes count at the beginning of a cell alone. */
function splitCells(content: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let state: 'beginning' | 'plain' | 'quoted' | 'after quote' = 'beginning';
  for (const character of content) {
    if (state === 'quoted') {
      if (character === '"') state = 'after quote';
      else cell += character;
    } else if (character === '"' && state !== 'plain') {
      if (state === 'after quote') cell += character;
      state = 'quoted';
    } else if (character === separator || character === '\n' || character === '\r') {
      cells.push(cell);
      cell = '';
      state = 'beginning';
    } else {
      cell += character;
      state = 'plain';
    }
  }
  return [...cells, cell];
}

test('no cell of CSV begins with a formula, whichever separator a program splits at', async (t) => {
  const texts = fc.sample(oddText, { seed: 15, numRuns: 3_000 });
  const rows = texts.map((text): ExportRow => {
    const { recipient } = SHIPMENT;
    return {
      ...ROW,
      merchantName: text,
      shipment: { ...SHIPMENT, notes: text, recipient: { ...recipient, firstName: text } },
    };
  });
  const content = await csv(listed(rows));
  for (const separator of [',', ';', '\t']) {
    const formulas = splitCells(content, separator).filter((cell) => /^[ "]*[=+\-@]|^[\t\r]/u.test(cell));
    // The longitude is a number: it harms nobody.
    t.deepEqual(new Set(formulas), new Set(separator === ',' ? ['-3.0589'] : []), JSON.stringify(separator));
  }
});

test('CSV of a tab or a carriage return first is disarmed as well', async (t) => {
  const content = await csv(rowsOf(1, { ...ROW, merchantName: '\tx', driverName: '\r=1' }));
  t.true(content.endsWith(`,'\tx,"'\r'=1"\r\n`));
});

test('CSV of a formula in full-width characters is disarmed as well', async (t) => {
  const content = await csv(rowsOf(1, { ...ROW, merchantName: '＝1', driverName: '－1' }));
  t.true(content.endsWith(`,'＝1,'－1\r\n`));
});

test('CSV begins with a byte order mark', async (t) => {
  const output = new PassThrough();
  const [content] = await Promise.all([buffer(output), exportShipmentsCsv(rowsOf(0), output)]);
  t.deepEqual([...content.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
});

test('nothing to export is a header alone', async (t) => {
  t.is((await csv(rowsOf(0))).split('\r\n').length, 2);
  const { headers, rows } = await wholeSheet(await xlsx(rowsOf(0)));
  t.true(headers.length > 0);
  t.deepEqual(rows, []);
});

test('characters that XML cannot hold, or would change, are escaped in XLSX', async (t) => {
  const file = await xlsx(rowsOf(1, { ...ROW, shipment: { notes: 'a\u0007b\r\nc\ufffed' } }));
  const { rows } = await wholeSheet(file);
  t.true([...(rows[0]?.cells.values() ?? [])].includes('a\u0007b\r\nc\ufffed'));
});

test('a failing source rejects and destroys the output', async (t) => {
  const failing = async function* (): AsyncGenerator<ExportRow> {
    yield* rowsOf(3);
    throw new Error('the database went away');
  };
  for (const write of [
    exportShipmentsCsv,
    (rows: AsyncIterable<ExportRow>, output: Writable) => exportShipmentsXlsx(rows, output, NOW),
  ]) {
    const output = new PassThrough().resume().on('error', () => undefined);
    await t.throwsAsync(write(failing(), output), { message: /database/u });
    t.true(output.destroyed);
  }
});

test('a reader that disconnects ends the export', async (t) => {
  let asked = 0;
  const endless = async function* (): AsyncGenerator<ExportRow> {
    for (;;) {
      asked += 1;
      yield await Promise.resolve(ROW);
    }
  };
  for (const write of [
    exportShipmentsCsv,
    (rows: AsyncIterable<ExportRow>, output: Writable) => exportShipmentsXlsx(rows, output, NOW),
  ]) {
    const output = new Writable({
      write(_chunk, _encoding, done) {
        this.destroy();
        done();
      },
    });
    await t.throwsAsync(write(endless(), output));
    const before = asked;
    await new Promise((resolve) => setImmediate(resolve));
    t.is(asked, before);
  }
});

test('30,000 shipments go through a slow reader within little memory', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'export-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'export.xlsx');
  const before = process.memoryUsage().rss;
  let highest = before;
  const watch = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage().rss);
  }, 20);
  await exportShipmentsXlsx(rowsOf(30_000), createWriteStream(file, { highWaterMark: 1024 }), NOW);
  clearInterval(watch);
  t.true(highest - before < 150 * 1024 * 1024, `${(highest - before) / 1e6} MB`);
  t.is((await buffer(createReadStream(file, { end: 1 }))).toString(), 'PK');
});
