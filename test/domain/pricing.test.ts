import test from 'ava';
import { DEFAULT_TARIFF, deliveryFee, totalCodToCollectCents } from '../../domain/pricing.ts';
import type { PackageSize, Priority } from '../../domain/enumerations.ts';

const PARCEL = { packageSize: 'medium', weightGrams: null, priority: 'normal' } as const;
const TARIFF = {
  defaultBaseFeeCents: 1_000,
  sizeSupplementCents: { small: 1, medium: 20, large: 300, extra_large: 4_000 },
  prioritySupplementCents: { low: 5, normal: 60, high: 700, urgent: 8_000 },
  freeWeightGrams: 2_000,
  perKilogramCents: 11,
} as const;

for (const [packageSize, cents] of [
  ['small', 1],
  ['medium', 20],
  ['large', 300],
  ['extra_large', 4_000],
] as const satisfies readonly (readonly [PackageSize, number])[]) {
  test(`the size ${packageSize} costs its own supplement`, (t) => {
    t.like(deliveryFee(TARIFF, null, { ...PARCEL, packageSize }), {
      sizeCents: cents,
      totalCents: 1_000 + cents + 60,
    });
  });
}

for (const [priority, cents] of [
  ['low', 5],
  ['normal', 60],
  ['high', 700],
  ['urgent', 8_000],
] as const satisfies readonly (readonly [Priority, number])[]) {
  test(`the priority ${priority} costs its own supplement`, (t) => {
    t.like(deliveryFee(TARIFF, null, { ...PARCEL, priority }), {
      priorityCents: cents,
      totalCents: 1_000 + 20 + cents,
    });
  });
}

for (const [weightGrams, cents] of [
  [null, 0],
  [0, 0],
  [2_000, 0],
  [2_001, 11],
  [3_000, 11],
  [3_001, 22],
  [12_000, 110],
] as const) {
  test(`a weight of ${weightGrams ?? 'no'} grams costs ${cents} cents more`, (t) => {
    t.is(deliveryFee(TARIFF, null, { ...PARCEL, weightGrams }).weightCents, cents);
  });
}

test("a zone's base fee takes the place of the organization's, and is named", (t) => {
  t.deepEqual(deliveryFee(TARIFF, { id: 'z', baseFeeCents: 0 }, PARCEL), {
    zoneId: 'z',
    baseCents: 0,
    sizeCents: 20,
    weightCents: 0,
    priorityCents: 60,
    totalCents: 80,
  });
});

test('the default tariff prices a plain parcel at its base fee', (t) => {
  t.is(deliveryFee(DEFAULT_TARIFF, null, PARCEL).totalCents, 500);
});

test('the recipient pays COD and fee, or COD alone where the merchant pays the fee', (t) => {
  t.is(totalCodToCollectCents(10_000, 500, 'recipient'), 10_500);
  t.is(totalCodToCollectCents(10_000, 500, 'merchant'), 10_000);
  t.is(totalCodToCollectCents(0, 500, 'recipient'), 500);
});
