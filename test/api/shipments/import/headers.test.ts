import test from 'ava';

import { COLUMNS, findColumn } from '../../../../api/shipments/import/columns.ts';

test('headers are known by all their names, whatever case, accents, dashes and stars', (t) => {
  const named: Readonly<Record<string, string>> = {
    'Recipient-First Name *': 'recipient_first_name',
    PRENOM: 'recipient_first_name',
    'Nom de famille': 'recipient_last_name',
    'Nom (du) destinataire': 'recipient_last_name',
    'Téléphone du destinataire': 'recipient_phone',
    'Ville destinataire': 'address_city',
    'Poids (kg)': 'weight',
    'N° de commande': 'external_reference',
    'Point d’enlèvement': 'pickup_point',
    ADRESSE: 'address_street',
  };
  for (const [header, column] of Object.entries(named)) t.true(findColumn(header)?.header === column, header);
  for (const column of COLUMNS) t.true(findColumn(column.header) === column, column.header);
});

test('no alias means two columns', (t) => {
  for (const column of COLUMNS) {
    for (const alias of column.aliases) t.true(findColumn(alias) === column, alias);
  }
});
