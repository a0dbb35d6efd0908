import test from 'ava';

import type { DeliveryNoteData, DocumentLocale } from '../../documents/document-data.ts';
import type { Item } from '../../domain/shipment.ts';
import { renderDeliveryNotes } from '../../documents/render-delivery-notes.ts';
import {
  ALL_HANDLING_OPTIONS,
  ARABIC_RECIPIENT,
  CREATED_AT,
  LONGEST_RECIPIENT,
  ORGANIZATION_ALONE,
  sampleNote,
} from './document-samples.ts';
import { compareWithKept, halvePicture, rotatePicture } from './picture.ts';
import { readCodes, readPageAt, readTexts } from './read-pdf.ts';

/** Share of pixels that may differ from the kept picture. */
const TOLERANCE = 0.002;
/** Kept at half of it. */
const PICTURE_DPI = 150;
const ENGLISH = { locale: 'en', createdAt: CREATED_AT } as const;
const FRENCH = { locale: 'fr', createdAt: CREATED_AT } as const;

const MANY_ITEMS = Array.from({ length: 200 }, (_, index): Item => {
  const longer = index % 5 === 0 ? ' dont le nom est bien plus long que la colonne qui doit le porter' : '';
  return {
    name: index % 7 === 3 ? `قميص قطني رقم ${index + 1}` : `Article ${index + 1}${longer}`,
    sku: index % 2 === 0 ? null : `SKU-${1000 + index}`,
    quantity: (index % 9) + 1,
    unitType: 'unite',
    unitPriceCents: index % 11 === 0 ? null : 1999 + index * 137,
  };
});

const CASES: readonly { name: string; locale: DocumentLocale; page: number; note: DeliveryNoteData }[] = [
  { name: 'note-french', locale: 'fr', page: 0, note: sampleNote() },
  {
    name: 'note-english-delivered-arabic',
    locale: 'en',
    page: 0,
    note: sampleNote({
      recipient: ARABIC_RECIPIENT,
      handlingOptions: ALL_HANDLING_OPTIONS,
      deliveredAt: new Date('2026-11-20T14:46:10Z'),
      receivedBy: 'محمد Benali',
      notes: 'اتصل قبل الوصول من فضلك. Le portail est à gauche.\nDeuxième ligne.',
      totalCodToCollectCents: 450000,
    }),
  },
  { name: 'note-second-page-of-200-items', locale: 'fr', page: 1, note: sampleNote({ items: MANY_ITEMS }) },
  {
    name: 'note-longest',
    locale: 'fr',
    page: 0,
    note: sampleNote({ sender: LONGEST_RECIPIENT, recipient: LONGEST_RECIPIENT }),
  },
  {
    name: 'note-least',
    locale: 'en',
    page: 0,
    note: sampleNote({
      sender: ORGANIZATION_ALONE,
      items: [],
      driverName: null,
      driverPhoneNumber: null,
      notes: null,
      externalReference: null,
      weightGrams: null,
      handlingOptions: [],
      codAmountCents: 0,
      deliveryFeeCents: 0,
      totalCodToCollectCents: 0,
    }),
  },
];

const readText = async (note: DeliveryNoteData, locale: DocumentLocale) => {
  const pages = await readTexts(await renderDeliveryNotes([note], { locale, createdAt: CREATED_AT }));
  return pages.map((page) => page.text.replaceAll('\u00a0', ' '));
};

for (const { name, locale, page: index, note } of CASES) {
  test(`${name} looks as its kept picture does`, async (t) => {
    const pdf = await renderDeliveryNotes([note], { locale, createdAt: CREATED_AT });
    const { picture } = await readPageAt(pdf, PICTURE_DPI, index);
    const difference = await compareWithKept(name, halvePicture(picture));
    t.true(difference <= TOLERANCE, `${(difference * 100).toFixed(2)} % of the pixels differ`);
  });
}

for (const dpi of [150, 300]) {
  test(`another author's decoder reads both codes of a note at ${dpi} dpi, straight and rotated`, async (t) => {
    const note = sampleNote();
    const { picture } = await readPageAt(await renderDeliveryNotes([note], FRENCH), dpi);
    for (const degrees of [0, 2, -4]) {
      t.deepEqual(
        await readCodes(rotatePicture(picture, degrees)),
        [
          { format: 'Code128', text: note.trackingNumber },
          { format: 'QRCode', text: note.trackingNumber },
        ],
        `turned by ${degrees} degrees`,
      );
    }
  });
}

test('the text comes out in reading order, sender before recipient before items before totals', async (t) => {
  const [text = ''] = await readText(sampleNote(), 'fr');
  const expected = [
    'Atlas Express',
    'Bon de livraison',
    'ACM-20261120-7K3M9Q',
    '20 nov. 2026, 09:15 (UTC+01:00)',
    'EXPÉDITEUR',
    'Épicerie Fine du Marché',
    '16001 Alger',
    'bonjour@epicerie.example',
    'DESTINATAIRE',
    'Amélie Benaïssa-Ørsted',
    '24 rue Didouche Mourad, bâtiment C, 3e étage',
    '16000 Alger-Centre',
    'En face de la pharmacie, interphone 31',
    'CMD-2026-004518',
    'Urgente',
    'Moyen · 2,35 kg',
    'Karim Haddad',
    '+213 661 98 76 54',
    'Fragile',
    'Contrôler l’identité',
    'Appeler avant de passer.',
    'Huile d’olive vierge extra, bidon de 5 litres',
    '1 450,00',
    '2 900,00',
    'Dattes Deglet Nour',
    '1 350,00',
    'Carte de vœux',
    'Articles',
    '4 500,00 DZD',
    'Contre-remboursement',
    'Frais de livraison',
    '350,00 DZD',
    'Total à encaisser',
    '4 850,00 DZD',
    'SIGNATURE DU DESTINATAIRE',
    'Page 1 sur 1',
  ];
  let from = 0;
  for (const part of expected) {
    const at = text.indexOf(part, from);
    t.true(at >= 0, `${part} is missing, or stands too early, in\n${text}`);
    from = Math.max(from, at);
  }
});

test('Arabic names come out of the PDF as they were written', async (t) => {
  const [text = ''] = await readText(sampleNote({ recipient: ARABIC_RECIPIENT, receivedBy: null }), 'en');
  t.true(text.includes(ARABIC_RECIPIENT.name), text);
  t.true(text.includes(ARABIC_RECIPIENT.address.landmark), text);
  const vowelled = { ...ARABIC_RECIPIENT, name: 'مُحَمَّد'.normalize('NFC') };
  const [vowelledText = ''] = await readText(sampleNote({ recipient: vowelled }), 'en');
  t.true(vowelledText.normalize('NFC').includes(vowelled.name), vowelledText);
});

test('200 items fill several numbered pages with repeated headers, all items in order', async (t) => {
  const pages = await readText(sampleNote({ items: MANY_ITEMS }), 'en');
  t.true(pages.length > 4);
  pages.forEach((text, index) => {
    t.true(text.includes('Unit price (DZD)'), `page ${index + 1}`);
    t.true(text.includes(`Page ${index + 1} of ${pages.length}`), `page ${index + 1}`);
    t.true(text.includes('ACM-20261120-7K3M9Q'), `page ${index + 1}`);
  });
  const skus = pages.join('\n').match(/SKU-\d+/gu);
  t.deepEqual(
    skus,
    MANY_ITEMS.flatMap(({ sku }) => (sku === null ? [] : [sku])),
  );
  t.true(pages.at(-1)?.includes('Total to collect'));
});

test('each note of several starts on its own page and counts its own pages', async (t) => {
  const notes = [
    sampleNote({ trackingNumber: 'ACM-20261120-000001' }),
    sampleNote({ trackingNumber: 'ACM-20261120-000002', items: MANY_ITEMS.slice(0, 40) }),
    sampleNote({ trackingNumber: 'ACM-20261120-000003' }),
  ];
  const pages = await readTexts(await renderDeliveryNotes(notes, ENGLISH));
  const footers = pages.map(({ text }) =>
    /(ACM-20261120-\d{6})\s+(Page \d+ of \d+)\s*$/u.exec(text)?.slice(1),
  );
  t.deepEqual(footers[0], ['ACM-20261120-000001', 'Page 1 of 1']);
  t.deepEqual(footers[1], ['ACM-20261120-000002', `Page 1 of ${pages.length - 2}`]);
  t.deepEqual(footers.at(-1), ['ACM-20261120-000003', 'Page 1 of 1']);
});

test('a delivered note shows when and by whom; another has lines to write on', async (t) => {
  const delivered = sampleNote({ deliveredAt: new Date('2026-11-20T14:46:10Z'), receivedBy: 'Nadia Kaci' });
  const [text = ''] = await readText(delivered, 'en');
  t.regex(text, /DELIVERED\s+20 Nov 2026, 15:46 \(UTC\+01:00\)\s+RECEIVED BY\s+Nadia Kaci/u);
  const [open = ''] = await readText(sampleNote(), 'en');
  t.false(open.includes('DELIVERED'));
  t.regex(open, /NAME\s+DATE AND TIME\s+RECIPIENT’S SIGNATURE/u);
});

test('a fee that the merchant pays is not collected, as the note says', async (t) => {
  const [text = ''] = await readText(sampleNote({ totalCodToCollectCents: 450000 }), 'en');
  t.regex(text, /Delivery fee, paid by the sender\s+350\.00 DZD\s+Total to collect\s+4,500\.00 DZD/u);
});

test('the PDF has title, author, language and tags: sections, a heading, a table, figures', async (t) => {
  const author = 'A & B <Cie>';
  const pdf = await renderDeliveryNotes([sampleNote({ organizationName: author })], FRENCH);
  const source = Buffer.from(pdf).toString('utf8');
  t.regex(source, /<rdf:li xml:lang="x-default">Bon de livraison ACM-20261120-7K3M9Q<\/rdf:li>/u);
  t.regex(source, /<rdf:li>A &amp; B &lt;Cie&gt;<\/rdf:li>/u);
  t.regex(source, /<pdfuaid:part>1<\/pdfuaid:part>/u);
  t.regex(source, /\/Lang \(fr\)/u);
  t.regex(source, /\/Marked true/u);
  t.regex(source, /\(D:20261120093000Z\)/u);
  const count = (tag: string) => source.match(new RegExp(`/S /${tag}\\b`, 'gu'))?.length ?? 0;
  t.deepEqual(
    ['Document', 'Sect', 'H1', 'Table', 'TR', 'TH', 'Figure'].map((tag) => [tag, count(tag)]),
    [
      ['Document', 1],
      ['Sect', 1],
      ['H1', 1],
      ['Table', 1],
      ['TR', 4],
      ['TH', 6],
      ['Figure', 2],
    ],
  );
  t.regex(source, /\/Alt \(Code 128 ACM-20261120-7K3M9Q\)/u);
});

test('every font is embedded as a subset', async (t) => {
  const pdf = await renderDeliveryNotes([sampleNote({ recipient: ARABIC_RECIPIENT })], FRENCH);
  const source = Buffer.from(pdf).toString('latin1');
  const fonts = source.match(/\/Subtype \/CIDFontType2/gu)?.length ?? 0;
  t.is(fonts, 5);
  t.is(source.match(/\/FontFile2 /gu)?.length, fonts);
  t.notRegex(source, /Helvetica/u);
});

test('the same notes and date give the same bytes', async (t) => {
  const notes = [sampleNote(), sampleNote({ recipient: ARABIC_RECIPIENT })];
  t.deepEqual(await renderDeliveryNotes(notes, FRENCH), await renderDeliveryNotes(notes, FRENCH));
});

test('unknown words of a later version are printed as they are', async (t) => {
  const note = sampleNote({
    priority: 'express',
    packageSize: 'tube',
    handlingOptions: ['keep_dark', 'fragile'],
  });
  const [text = ''] = await readText(note, 'fr');
  for (const word of ['express', 'tube', 'keep_dark', 'Fragile']) t.true(text.includes(word), word);
});

test('an empty list of notes is rejected', async (t) => {
  await t.throwsAsync(renderDeliveryNotes([], FRENCH), { instanceOf: RangeError });
});
