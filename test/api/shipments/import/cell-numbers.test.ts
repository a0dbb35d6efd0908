import test from 'ava';
import { accepted, faulty } from './cells.ts';

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
