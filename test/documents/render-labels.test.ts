import test from 'ava';

import type { LabelData } from '../../documents/document-data.ts';
import { layOutRecipient } from '../../documents/label-recipient.ts';
import { PageCanvas } from '../../documents/page-canvas.ts';
import { renderLabels } from '../../documents/render-labels.ts';
import {
  ALL_HANDLING_OPTIONS,
  ARABIC_RECIPIENT,
  CREATED_AT,
  LONGEST_RECIPIENT,
  ORGANIZATION_ALONE,
  sampleLabel,
} from './document-samples.ts';
import { compareWithKept, halvePicture, rotatePicture } from './picture.ts';
import { readCodes, readPageAt, readPages, readTexts } from './read-pdf.ts';

/** Share of pixels that may differ from the kept picture. */
const TOLERANCE = 0.002;
/** Kept at half of it. */
const PICTURE_DPI = 200;
const A6 = { layout: 'a6', createdAt: CREATED_AT } as const;

const CASES: Readonly<Record<string, LabelData>> = {
  'label-plain': sampleLabel(),
  'label-arabic-all-handling': sampleLabel({
    recipient: ARABIC_RECIPIENT,
    handlingOptions: ALL_HANDLING_OPTIONS,
    priority: 'normal',
    parcelNumber: 2,
  }),
  'label-prepaid-no-sender': sampleLabel({
    sender: ORGANIZATION_ALONE,
    codAmountCents: 0,
    deliveryFeeCents: 0,
    totalCodToCollectCents: 0,
    handlingOptions: [],
    externalReference: null,
    weightGrams: null,
    parcelCount: 1,
  }),
  'label-longest': sampleLabel({
    sender: LONGEST_RECIPIENT,
    recipient: LONGEST_RECIPIENT,
    externalReference: 'R'.repeat(255),
    organizationName: 'Société de transport '.repeat(12),
  }),
};

for (const [name, label] of Object.entries(CASES)) {
  test(`${name} looks as its kept picture does`, async (t) => {
    const { picture } = await readPageAt(await renderLabels([label], A6), PICTURE_DPI);
    const difference = await compareWithKept(name, halvePicture(picture));
    t.true(difference <= TOLERANCE, `${(difference * 100).toFixed(2)} % of the pixels differ`);
  });

  test(`${name}: another author's decoder reads both codes at 203 dpi`, async (t) => {
    const { picture } = await readPageAt(await renderLabels([label], A6), 203);
    t.deepEqual(await readCodes(picture), bothCodes(label));
  });
}

for (const dpi of [203, 300]) {
  test(`another author's decoder reads both codes at ${dpi} dpi when the label is turned`, async (t) => {
    const label = sampleLabel();
    const { picture } = await readPageAt(await renderLabels([label], A6), dpi);
    for (const degrees of [0, 3, -5, 90]) {
      const codes = await readCodes(rotatePicture(picture, degrees));
      t.deepEqual(codes, bothCodes(label), `turned by ${degrees} degrees`);
    }
  });
}

function bothCodes(label: LabelData) {
  return [
    { format: 'Code128', text: label.trackingNumber },
    { format: 'QRCode', text: label.trackingNumber },
  ];
}

test('a label is an A6 page and says what the driver needs', async (t) => {
  const [page] = await readTexts(await renderLabels([sampleLabel()], A6));
  t.truthy(page);
  if (page === undefined) return;
  t.is(Math.round((page.widthPt * 25.4) / 72), 105);
  t.is(Math.round((page.heightPt * 25.4) / 72), 148);
  for (const expected of [
    'Atlas Express',
    'URGENT',
    '1 / 2',
    'Épicerie Fine du Marché',
    '16001 Alger',
    'medium · 2.35 kg',
    'CMD-2026-004518',
    'Amélie Benaïssa-Ørsted',
    '24 rue Didouche Mourad, bâtiment C, 3e étage',
    'En face de la pharmacie, interphone 31',
    '16000 Alger-Centre',
    '+213 550 12 34 56',
    '4 850.00 DZD',
    '4 500.00 + 350.00',
    'FRAGILE',
    'ACM-20261120-7K3M9Q',
  ]) {
    t.true(page.text.replaceAll('\u00a0', ' ').includes(expected), `${expected} is missing in\n${page.text}`);
  }
});

test('a label without an amount to collect says PREPAID and no amount', async (t) => {
  const prepaid = sampleLabel({ codAmountCents: 0, deliveryFeeCents: 35000, totalCodToCollectCents: 0 });
  const [page] = await readTexts(await renderLabels([prepaid], A6));
  t.true(page?.text.includes('PREPAID'));
  t.false(page?.text.includes('DZD'));
});

test('nothing of the longest recipient is cut: every letter is on the label', async (t) => {
  const label = CASES['label-longest'] ?? sampleLabel();
  const [page] = await readTexts(await renderLabels([label], A6));
  const text = (page?.text ?? '').replace(/\s/gu, '');
  const { name, address } = LONGEST_RECIPIENT;
  for (const field of [name, address.street, address.landmark, `${address.postalCode}${address.city}`]) {
    t.true(text.includes(field.replace(/\s/gu, '')), field);
  }
});

test('postal code and city are larger than the name, the name is larger than the street', async (t) => {
  const canvas = await PageCanvas.open({
    title: 'Label',
    author: 'Atlas Express',
    language: 'en',
    createdAt: CREATED_AT,
    page: { widthPt: 300, heightPt: 400 },
    texts: [],
  });
  const space = { widthPt: 270, heightPt: 140 };
  const sizes = layOutRecipient(canvas, sampleLabel().recipient, space).map(
    ({ block }) => block.style.sizePt,
  );
  const [name = 0, street = 0, landmark = 0, town = 0] = sizes;
  t.true(town > name && name > street && street > landmark, sizes.join(', '));

  const longest = layOutRecipient(canvas, LONGEST_RECIPIENT, space);
  t.true(longest.every(({ block }) => block.style.sizePt >= 5));
  t.true(longest.reduce((sum, { block, gapPt }) => sum + block.heightPt + gapPt, 0) <= space.heightPt);
});

test('a4 puts four labels on a sheet, in order, and a fifth on the next', async (t) => {
  const labels = Array.from({ length: 5 }, (_, index) =>
    sampleLabel({ trackingNumber: `ACM-20261120-00000${index}`, parcelNumber: index + 1, parcelCount: 5 }),
  );
  const pages = await readPages(await renderLabels(labels, { layout: 'a4', createdAt: CREATED_AT }), 203);
  t.deepEqual(
    pages.map((page) => [Math.round(page.widthPt), Math.round(page.heightPt)]),
    [
      [595, 842],
      [595, 842],
    ],
  );
  const [first, second] = pages;
  if (first === undefined || second === undefined) return;
  const texts = (await readCodes(first.picture)).filter(({ format }) => format === 'Code128');
  t.deepEqual(
    texts.map(({ text }) => text),
    labels.slice(0, 4).map((label) => label.trackingNumber),
  );
  t.is((await readCodes(second.picture)).length, 2);
  const order = labels.slice(0, 4).map((label) => first.text.indexOf(label.trackingNumber));
  t.deepEqual(
    order,
    [...order].sort((one, other) => one - other),
  );
});

test('the same labels and date give the same bytes; another date gives others', async (t) => {
  const labels = [sampleLabel(), sampleLabel({ recipient: ARABIC_RECIPIENT })];
  const once = await renderLabels(labels, A6);
  t.deepEqual(await renderLabels(labels, A6), once);
  t.notDeepEqual(await renderLabels(labels, { ...A6, createdAt: new Date(0) }), once);
});

test('what one document draws never changes the bytes of the next', async (t) => {
  const before = await renderLabels([sampleLabel()], A6);
  await renderLabels([sampleLabel({ organizationName: 'A‐B\u00ad﹣C', recipient: ARABIC_RECIPIENT })], A6);
  t.deepEqual(await renderLabels([sampleLabel()], A6), before);
});

test('an empty list of labels is rejected', async (t) => {
  await t.throwsAsync(renderLabels([], A6), { instanceOf: RangeError, message: /at least one label/u });
});

test('labels of one shipment have its number for a title, however many packages it has', async (t) => {
  const packages = [1, 2].map((parcelNumber) => sampleLabel({ parcelNumber, parcelCount: 2 }));
  const titleIn = async (labels: readonly LabelData[]) =>
    /<rdf:li xml:lang="x-default">([^<]*)</u.exec(
      Buffer.from(await renderLabels(labels, A6)).toString('latin1'),
    )?.[1];
  t.is(await titleIn(packages), `Label ${sampleLabel().trackingNumber}`);
  t.is(await titleIn([sampleLabel(), sampleLabel({ trackingNumber: 'ACM-20261120-OTHER1' })]), 'Labels (2)');
});
