import test from 'ava';
import { accepted, faulty } from './cells.ts';

const PHONE = 'recipient.phoneNumber';
test(
  'a phone number loses its decoration',
  accepted,
  'recipient_phone',
  ' +213 66-12.34 / 56 ',
  PHONE,
  '+21366123456',
);
test(
  'a zero that is dialled inside the country alone is dropped',
  accepted,
  'recipient_phone',
  '00213 (0)661 23 45 67',
  PHONE,
  '+213661234567',
);
test(
  'a zero in brackets elsewhere is left to the rules of the body',
  accepted,
  'recipient_phone',
  '+213 661 (0)23 45 67',
  PHONE,
  '+213 661 (0)23 45 67',
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
test(
  'an unknown pickup point is reported',
  faulty,
  'pickup_point',
  'HUB-9',
  /“HUB-9” names no pickup point/u,
);
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
test(
  'the margins that people leave around a text are dropped',
  accepted,
  'notes',
  '\u00a0 x \n',
  'notes',
  'x',
);

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
