import test from 'ava';
import { describeViolations, formatErrors } from '../../../../api/shipments/import/rows.ts';
import { readRow, REQUIRED } from './cells.ts';

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
    /^recipient_phone: the columns B “recipient_phone”, E “téléphone” have the same meaning/u,
  );
});

test('violations of the body become errors of columns, next to those of the cells', (t) => {
  const row = readRow({ ...REQUIRED, cod_amount: 'x', priority: 'asap', recipient_phone: undefined });
  const errors = describeViolations(row, [
    { propertyPath: 'recipient.phoneNumber', message: 'is required' },
    { propertyPath: 'priority', message: 'must be one of low, normal' },
    { propertyPath: 'handlingOptions[1]', message: 'is unknown' },
    { propertyPath: 'recipient.address', message: 'is required' },
    { propertyPath: 'feePayer', message: 'is foreign' },
  ]);
  t.deepEqual(
    errors.map(({ column }) => column),
    ['recipient_phone', 'cod_amount', 'priority', 'handling_options', 'address_street', 'row'],
  );
  t.true(formatErrors(errors).endsWith('address_street: is required | is foreign'));
});

test('a header that is a name of JavaScript does no harm', (t) => {
  const { body, errors } = readRow({ ...REQUIRED, ['__proto__x']: 'x', constructor: 'y' });
  t.deepEqual(errors, []);
  t.deepEqual(Object.keys(body), ['recipient']);
});
