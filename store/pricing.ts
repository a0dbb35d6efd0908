import type { FeePayer } from '../domain/enumerations.ts';
import type { OrganizationId, ZoneId } from '../domain/ids.ts';
import { DEFAULT_TARIFF, deliveryFee, totalCodToCollectCents } from '../domain/pricing.ts';
import type { FeeBreakdown, Tariff } from '../domain/pricing.ts';
import type { Address, ShipmentRequest } from '../domain/shipment.ts';
import { DEFAULT_DEADLINE_HOURS } from '../domain/deadline.ts';
import type { DeadlineHours } from '../domain/deadline.ts';
import { polygonContains } from '../platform/geometry.ts';
import type { Polygon } from '../platform/geometry.ts';
import type { Executor } from './connection.ts';
import { select, selectOne } from './connection.ts';
import { prepared } from './prepared.ts';

/** What an organization's shipments are priced and dated by. */
export interface PricingTerms {
  readonly tariff: Tariff;
  readonly deadlineHours: DeadlineHours;
  readonly currency: string;
  /** The database's time when the terms were read. */
  readonly now: Date;
  readonly zones: readonly {
    readonly id: ZoneId;
    readonly polygon: Polygon;
    readonly baseFeeCents: number;
  }[];
}

/** Reads an organization's tariff, deadlines and active zones, oldest zone first. */
export async function pricingTerms(
  executor: Executor,
  organizationId: OrganizationId,
): Promise<PricingTerms> {
  const organization = await selectOne<{
    tariff: Tariff | null;
    deadlineHours: DeadlineHours | null;
    currency: string;
    now: Date;
  }>(
    executor,
    prepared(
      'select tariff, deadline_hours as "deadlineHours", currency, clock_timestamp() as now from organizations where id = $1',
    ),
    [organizationId],
  );
  if (organization === undefined) throw new Error(`there is no organization ${organizationId}`);
  const zones = await select<PricingTerms['zones'][number]>(
    executor,
    prepared(`select id, polygon, base_fee_cents as "baseFeeCents" from zones
     where organization_id = $1 and is_active and deleted_at is null order by created_at, id`),
    [organizationId],
  );
  return {
    tariff: organization.tariff ?? DEFAULT_TARIFF,
    deadlineHours: organization.deadlineHours ?? DEFAULT_DEADLINE_HOURS,
    currency: organization.currency,
    now: organization.now,
    zones,
  };
}

/** The price of a shipment: the first active zone that holds the recipient gives the base fee (gap 21). */
export function priceOf(
  terms: PricingTerms,
  request: Pick<ShipmentRequest, 'recipient' | 'packageSize' | 'weightGrams' | 'priority' | 'codAmountCents'>,
  feePayer: FeePayer,
): { readonly breakdown: FeeBreakdown; readonly totalCodToCollectCents: number } {
  const breakdown = deliveryFee(terms.tariff, zoneOf(terms, request.recipient.address), request);
  return {
    breakdown,
    totalCodToCollectCents: totalCodToCollectCents(request.codAmountCents, breakdown.totalCents, feePayer),
  };
}

function zoneOf(terms: PricingTerms, address: Address): PricingTerms['zones'][number] | null {
  const { latitude, longitude } = address;
  if (latitude === null || longitude === null) return null;
  return terms.zones.find(({ polygon }) => polygonContains(polygon, { latitude, longitude })) ?? null;
}
