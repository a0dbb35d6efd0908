import test from 'ava';
import { byColumn, columns } from '../../store/columns.ts';

test('columns are selected under the names of the row’s fields', (t) => {
  t.is(columns('s', 'id, tracking_number'), 's.id as "id", s.tracking_number as "trackingNumber"');
});

test('a row’s values are named by their columns', (t) => {
  t.deepEqual(byColumn({ id: 1, codAmountCents: 250, recipient: { firstName: 'Nadia' } }), {
    id: 1,
    cod_amount_cents: 250,
    recipient: { firstName: 'Nadia' },
  });
});
