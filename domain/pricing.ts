import type { FeePayer, PackageSize, Priority } from './enumerations.ts';

/** What an organization charges for a delivery, in minor units of its currency (interpretation 21). */
export interface Tariff {
  /** Used where the recipient lies in no active zone. */
  readonly defaultBaseFeeCents: number;
  readonly sizeSupplementCents: Readonly<Record<PackageSize, number>>;
  readonly prioritySupplementCents: Readonly<Record<Priority, number>>;
  /** Weight that costs nothing more. */
  readonly freeWeightGrams: number;
  /** For each started kilogram above it. */
  readonly perKilogramCents: number;
}

export const DEFAULT_TARIFF: Tariff = {
  defaultBaseFeeCents: 500,
  sizeSupplementCents: { small: 0, medium: 0, large: 200, extra_large: 500 },
  prioritySupplementCents: { low: 0, normal: 0, high: 200, urgent: 500 },
  freeWeightGrams: 5_000,
  perKilogramCents: 50,
};

/** The frozen fee with the parts that it was made of, so that a shop can see why. */
export interface FeeBreakdown {
  readonly zoneId: string | null;
  readonly baseCents: number;
  readonly sizeCents: number;
  readonly weightCents: number;
  readonly priorityCents: number;
  readonly totalCents: number;
}

const KILOGRAM_GRAMS = 1_000;

/** Returns the fee of one delivery (interpretation 21). Without a zone the default base fee counts. Integers only. */
export function deliveryFee(
  tariff: Tariff,
  zone: { readonly id: string; readonly baseFeeCents: number } | null,
  parcel: {
    readonly packageSize: PackageSize;
    readonly weightGrams: number | null;
    readonly priority: Priority;
  },
): FeeBreakdown {
  const excessGrams = Math.max(0, (parcel.weightGrams ?? 0) - tariff.freeWeightGrams);
  const baseCents = zone?.baseFeeCents ?? tariff.defaultBaseFeeCents;
  const sizeCents = tariff.sizeSupplementCents[parcel.packageSize];
  const weightCents = Math.ceil(excessGrams / KILOGRAM_GRAMS) * tariff.perKilogramCents;
  const priorityCents = tariff.prioritySupplementCents[parcel.priority];
  return {
    zoneId: zone?.id ?? null,
    baseCents,
    sizeCents,
    weightCents,
    priorityCents,
    totalCents: baseCents + sizeCents + weightCents + priorityCents,
  };
}

/** What the driver collects: COD plus fee, or COD alone where the merchant pays the fee (interpretation 22). */
export function totalCodToCollectCents(codCents: number, feeCents: number, feePayer: FeePayer): number {
  return feePayer === 'merchant' ? codCents : codCents + feeCents;
}
