// The same three shipments by SheetJS 0.18.5.
const XLSX = require('xlsx');
const HEADERS = [
  'Référence externe',
  'Prénom *',
  'Nom',
  'TÉLÉPHONE',
  'e-mail',
  'address-street',
  'Ville',
  'code postal',
  'Poids (kg)',
  'COD amount',
  'handling options',
  'notes',
  'Priorité',
  'scheduled_after',
  'scheduled_before',
  'internal remark',
];
const FIRST = [
  'ORD-1',
  'أمينة',
  'Benali-Küçük',
  '+213 661 23 45 67',
  'amina@example.com',
  '12 rue Didouche Mourad',
  'Béjaïa',
  '06000',
  2.5,
  1500.5,
  'Fragile; ID check',
  'Sonner <2> fois & attendre',
  'urgent',
  '2026-03-12 14:00',
  '2026-03-13',
  'x',
];
const SECOND = [
  'ORD-2',
  'Karim',
  null,
  213661234567,
  null,
  '3 place de la Liberté',
  'Oran',
  31000,
  0.75,
  { t: 'n', v: 1234.5, f: '1200+34.5' },
  null,
  null,
  'HIGH',
  '2026-03-12T14:00:00+02:00',
  '12.03.2026 18:30',
  null,
];
const FAULTY = [
  'ORD-3',
  'Nadia',
  null,
  661234567,
  null,
  '5 rue des Frères',
  'Nice',
  6000,
  'deux kilos',
  '1,234',
  null,
  null,
  null,
  '03/04/2026',
  null,
  null,
];
const ws = XLSX.utils.aoa_to_sheet([HEADERS, FIRST, SECOND, [], FAULTY]);
ws['N2'] = { t: 'n', v: 46093 + 14 / 24, z: 'd/m/yy h:mm' };
const wb = XLSX.utils.book_new();
XLSX.utils.book_append_sheet(wb, ws, 'Envois');
XLSX.utils.book_append_sheet(wb, XLSX.utils.aoa_to_sheet([['not to be read']]), 'Archive');
XLSX.writeFile(wb, 'sheetjs.xlsx', { bookSST: false, compression: true });
