import test from 'ava';

import type { Cell } from '../../../../spreadsheet/cell.ts';
import { describeViolations, formatErrors } from '../../../../api/shipments/import/rows.ts';
import type { ReadRow } from '../../../../api/shipments/import/rows.ts';
import { readRows } from './reading.ts';
import type { WholeSheet } from './reading.ts';

const REQUIRED: Readonly<Record<string, Cell>> = {
  recipient_first_name: 'Amina',
  recipient_phone: '+213661234567',
  address_street: '12 rue Didouche Mourad',
  address_city: 'Alger',
};

/** A sheet with one row; its columns are the keys. */
function sheetOf(cells: Readonly<Record<string, Cell | undefined>>): WholeSheet {
  const headers = Object.keys(cells).map((text, index) => ({ column: index + 1, text }));
  const row = new Map<number, Cell>();
  for (const { column, text } of headers) {
    const cell = cells[text];
    if (cell !== undefined) row.set(column, cell);
  }
  return { headers, rows: [{ row: 2, cells: row, mergedFrom: new Map() }], warnings: [] };
}

const context = {
  timezone: 'Europe/Paris',
  findPickupPoint: (text: string) => (text === 'HUB-1' ? '/api/v1/pickup-points/hub' : undefined),
};

function readRow(cells: Readonly<Record<string, Cell | undefined>>): ReadRow {
  const [row] = readRows(sheetOf(cells), context).rows;
  if (row === undefined) throw new Error('the sheet has one row');
  return row;
}

const accepted = test.macro((t, column: string, cell: Cell, path: string, value: unknown) => {
  const { body, errors } = readRow({ ...REQUIRED, [column]: cell });
  t.deepEqual(errors, []);
  const found = path.split('.').reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), body);
  t.deepEqual(found, value);
});

const faulty = test.macro((t, column: string, cell: Cell, message: RegExp) => {
  const { errors } = readRow({ ...REQUIRED, [column]: cell });
  t.deepEqual(
    errors.map((error) => error.column),
    [column],
  );
  t.regex(errors[0]?.message ?? '', message);
});

const PHONE = 'recipient.phoneNumber';
test(
  'a phone number loses its decoration',
  accepted,
  'recipient_phone',
  ' +213 (0)66-12.34 ',
  PHONE,
  '+2130661234',
);
test('00 before a country is +', accepted, 'recipient_phone', '00213661234567', PHONE, '+213661234567');
test(
  'invisible marks around a phone number are dropped',
  accepted,
  'recipient_phone',
  '\u202a+213661234567\u202c',
  PHONE,
  '+213661234567',
);
test(
  'a complete international number in a number cell works',
  accepted,
  'recipient_phone',
  213661234567,
  PHONE,
  '+213661234567',
);
test(
  'a national number is left to the rules of the body',
  accepted,
  'recipient_phone',
  '0661234567',
  PHONE,
  '0661234567',
);
test(
  'a number cell that may have lost its zero is reported',
  faulty,
  'recipient_phone',
  661234567,
  /number.*lost.*as text.*\+213/u,
);
test(
  'an Excel number that is not a phone number is reported',
  faulty,
  'recipient_phone',
  66.5,
  /not a phone number/u,
);
test('a complete number without a country is reported', faulty, 'recipient_phone', '661234567', /country/u);

const POSTAL_CODE = 'recipient.address.postalCode';
test('a postal code in a number cell works', accepted, 'address_postal_code', 16000, POSTAL_CODE, '16000');
test('a postal code as text keeps its zero', accepted, 'address_postal_code', '06000', POSTAL_CODE, '06000');
test(
  'a postal code that may have lost its zero is reported',
  faulty,
  'address_postal_code',
  6000,
  /leading 0.*text/u,
);

test('an amount in a number cell has two decimals', accepted, 'cod_amount', 1500, 'codAmount', '1500.00');
test(
  'the rounding noise of a sum does not count as a third decimal',
  accepted,
  'cod_amount',
  0.1 + 0.2,
  'codAmount',
  '0.30',
);
test('a French amount works', accepted, 'cod_amount', '1 234,50', 'codAmount', '1234.50');
test('an English amount works', accepted, 'cod_amount', '1,234.50', 'codAmount', '1234.50');
test('a German amount works', accepted, 'cod_amount', '1.234,50', 'codAmount', '1234.50');
test('an amount in Arabic digits works', accepted, 'cod_amount', '١٢٣٤٫٥', 'codAmount', '1234.50');
test('millions with two marks work', accepted, 'cod_amount', '1,234,567', 'codAmount', '1234567.00');
test('a negative amount is left to the rules of the body', accepted, 'cod_amount', -5, 'codAmount', '-5.00');
test('an amount with two readings is reported', faulty, 'cod_amount', '1,234', /two ways/u);
test('a third decimal is reported', faulty, 'cod_amount', 12.345, /2 decimals/u);
test('a currency is reported', faulty, 'cod_amount', '1500 DA', /only digits/u);

test('a weight with a comma works', accepted, 'weight', '2,125', 'weight', 2.125);
test('a weight that is a word is reported', faulty, 'weight', 'deux kilos', /not a number.*kilograms/u);
test('a longitude west works', accepted, 'address_longitude', '-3,05', 'recipient.address.longitude', -3.05);

test(
  'words of an enumeration may be written freely',
  accepted,
  'package_size',
  'Extra Large',
  'packageSize',
  'extra_large',
);
test('an unknown word is left to the rules of the body', accepted, 'priority', 'asap', 'priority', 'asap');
test(
  'options are separated by semicolons or commas',
  accepted,
  'handling_options',
  'Fragile; ID check,do-not-bend',
  'handlingOptions',
  ['fragile', 'id_check', 'do_not_bend'],
);
test(
  'a pickup point may be named by its code',
  accepted,
  'pickup_point',
  'HUB-1',
  'pickupPoint',
  '/api/v1/pickup-points/hub',
);
test(
  'a pickup point may be named by its id',
  accepted,
  'pickup_point',
  '0190C2A4-0000-7000-8000-000000000001',
  'pickupPoint',
  '/api/v1/pickup-points/0190c2a4-0000-7000-8000-000000000001',
);
test('an unknown pickup point is reported', faulty, 'pickup_point', 'HUB-9', /no pickup point “HUB-9”/u);
test(
  'a link is removed from an email address',
  accepted,
  'recipient_email',
  'mailto:a@example.com?subject=x',
  'recipient.email',
  'a@example.com',
);
test('a name that is a number is text', accepted, 'recipient_last_name', 12, 'recipient.lastName', '12');
test(
  'notes that Excel made a date are that date',
  accepted,
  'notes',
  { date: '2026-03-12T00:00:00' },
  'notes',
  '2026-03-12',
);
test(
  'a reference that Excel made a date is reported',
  faulty,
  'external_reference',
  { date: '2026-02-01T00:00:00' },
  /into a date/u,
);
test(
  'a reference of more digits than Excel keeps is reported',
  faulty,
  'external_reference',
  1234567890123456,
  /15 digits/u,
);
for (const text of ['=1+1', '+1', '-1', '@x', '\t1']) {
  test(
    `the apostrophe that the export puts before ${JSON.stringify(text)} is removed`,
    accepted,
    'notes',
    `'${text}`,
    'notes',
    text.trim(),
  );
}
test('an apostrophe before a word stays', accepted, 'notes', "'tis", 'notes', "'tis");

test(
  'a date cell is a wall clock of the organization',
  accepted,
  'scheduled_after',
  { date: '2026-07-12T14:00:00' },
  'scheduledAfter',
  '2026-07-12T14:00:00+02:00',
);
test(
  'a day begins at midnight',
  accepted,
  'scheduled_after',
  { date: '2026-03-12T00:00:00' },
  'scheduledAfter',
  '2026-03-12T00:00:00+01:00',
);
test(
  'a last day ends before midnight',
  accepted,
  'scheduled_before',
  { date: '2026-03-12T00:00:00' },
  'scheduledBefore',
  '2026-03-12T23:59:59+01:00',
);
test(
  'a text with its own offset is left as it is',
  accepted,
  'scheduled_after',
  '2026-03-12T14:00:00Z',
  'scheduledAfter',
  '2026-03-12T14:00:00Z',
);
test(
  'a date with two readings is reported',
  faulty,
  'scheduled_after',
  '03/04/2026',
  /two dates.*2026-03-12/u,
);
test(
  'a time without a date is reported',
  faulty,
  'scheduled_after',
  { date: '1899-12-30T14:00:00' },
  /“14:00:00” is not a date/u,
);
test('a number that lost its date format is reported', faulty, 'scheduled_after', 46093, /plain number/u);
test(
  'a list of more values than there are options is reported by their number',
  faulty,
  'handling_options',
  'fragile;'.repeat(400),
  /lists 400 values/u,
);
test(
  'a value that is longer than any field allows is reported with its length',
  faulty,
  'notes',
  'x'.repeat(4_001),
  /has 4001 characters. Write at most 4000/u,
);
test('an error value is reported', faulty, 'notes', { error: '#REF!' }, /#REF!/u);

test('every missing required column is named', (t) => {
  const { errors } = readRow({ notes: 'x' });
  t.deepEqual(
    errors.map(({ column }) => column),
    ['recipient_first_name', 'recipient_phone', 'address_street', 'address_city'],
  );
  for (const { message } of errors) t.regex(message, /^missing column or value\. Write the .+\.$/u);
});

test('a required cell of blanks is missing', (t) => {
  const { errors } = readRow({ ...REQUIRED, address_city: '  ' });
  t.regex(formatErrors(errors), /^address_city: missing column or value/u);
});

test('two columns of one meaning are an error, not a guess', (t) => {
  const { errors } = readRow({ ...REQUIRED, téléphone: '+213661234568' });
  t.regex(
    formatErrors(errors),
    /^recipient_phone: the columns B “recipient_phone” and E “téléphone” have the same meaning/u,
  );
});

test('violations of the body become errors of columns, next to those of the cells', (t) => {
  const row = readRow({ ...REQUIRED, cod_amount: 'x', priority: 'asap', recipient_phone: undefined });
  const errors = describeViolations(row, [
    { propertyPath: 'recipient.phoneNumber', message: 'is required' },
    { propertyPath: 'priority', message: 'must be one of low, normal' },
    { propertyPath: 'handlingOptions[1]', message: 'is unknown' },
    { propertyPath: 'recipient.address', message: 'is required' },
    { propertyPath: 'merchant', message: 'is foreign' },
  ]);
  t.deepEqual(
    errors.map(({ column }) => column),
    ['recipient_phone', 'cod_amount', 'priority', 'handling_options', 'address_street', ''],
  );
  t.true(formatErrors(errors).endsWith('address_street: is required | is foreign'));
});

test('a header that is a name of JavaScript does no harm', (t) => {
  const { body, errors } = readRow({ ...REQUIRED, ['__proto__x']: 'x', constructor: 'y' });
  t.deepEqual(errors, []);
  t.deepEqual(Object.keys(body), ['recipient']);
});
