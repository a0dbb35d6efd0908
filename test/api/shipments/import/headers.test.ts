import test from 'ava';

import type { Column } from '../../../../api/shipments/import/column.ts';
import { COLUMNS } from '../../../../api/shipments/import/columns.ts';
import { columnFinder } from '../../../../api/shipments/import/headers.ts';

test('headers are known by all their names, whatever case, accents, dashes and stars', (t) => {
  const find = columnFinder();
  const named: Readonly<Record<string, string>> = {
    'Recipient-First Name *': 'recipient_first_name',
    PRENOM: 'recipient_first_name',
    'Nom de famille': 'recipient_last_name',
    'Poids (kg)': 'weight',
    'N° de commande': 'external_reference',
    'Point d’enlèvement': 'pickup_point',
    ADRESSE: 'address_street',
  };
  for (const [header, column] of Object.entries(named)) t.true(find(header)?.header === column, header);
  for (const column of COLUMNS) t.true(find(column.header) === column, column.header);
});

test('no alias means two columns', (t) => {
  const find = columnFinder();
  const columns: readonly Column[] = COLUMNS;
  for (const column of columns) {
    for (const alias of column.aliases) t.true(find(alias) === column, alias);
  }
});
