import type { FeePayer } from '../../domain/enumerations.ts';
import type { OrganizationId, ZoneId } from '../../domain/ids.ts';
import { DEFAULT_TARIFF, deliveryFee, totalCodToCollectCents } from '../../domain/pricing.ts';
import type { FeeBreakdown, Tariff } from '../../domain/pricing.ts';
import type { Address, ShipmentRequest } from '../../domain/shipment.ts';
import { DEFAULT_DEADLINE_HOURS } from '../../domain/deadline.ts';
import type { DeadlineHours } from '../../domain/deadline.ts';
import { polygonContains } from '../../platform/geometry.ts';
import type { Polygon } from '../../platform/geometry.ts';
import type { Executor } from '../connection.ts';
import { selectOne } from '../connection.ts';
import { prepared } from '../prepared.ts';
import type { TrackingSeries } from './tracking-numbers.ts';
import { TRACKING_SERIES_COLUMNS } from './tracking-numbers.ts';

/** What an organization's shipments are priced, dated, numbered and placed by. */
export interface PricingTerms {
  readonly tariff: Tariff;
  readonly deadlineHours: DeadlineHours;
  readonly currency: string;
  readonly series: TrackingSeries;
  /** Whether places are remembered at all: most organizations need no look-up (decision 0033). */
  readonly hasRememberedPlaces: boolean;
  /** The database's time when the terms were read. */
  readonly now: Date;
  readonly zones: readonly {
    readonly id: ZoneId;
    readonly polygon: Polygon;
    readonly baseFeeCents: number;
  }[];
}

interface TermsRow
  extends TrackingSeries, Pick<PricingTerms, 'currency' | 'now' | 'zones' | 'hasRememberedPlaces'> {
  readonly tariff: Tariff | null;
  readonly deadlineHours: DeadlineHours | null;
}

const TERMS_SQL = prepared(`
select tariff, deadline_hours as "deadlineHours", currency, clock_timestamp() as now, ${TRACKING_SERIES_COLUMNS},
  coalesce((select jsonb_agg(jsonb_build_object('id', id, 'polygon', polygon, 'baseFeeCents', base_fee_cents)
      order by created_at, id)
    from zones where organization_id = $1 and is_active and deleted_at is null), '[]') as zones,
  exists (select from remembered_places where organization_id = $1) as "hasRememberedPlaces"
from organizations where id = $1`);

/** Reads an organization's tariff, deadlines, tracking series, active zones, oldest zone first, and whether it has places. */
export async function pricingTerms(
  executor: Executor,
  organizationId: OrganizationId,
): Promise<PricingTerms> {
  const organization = await selectOne<TermsRow>(executor, TERMS_SQL, [organizationId]);
  if (organization === undefined) throw new Error(`there is no organization ${organizationId}`);
  const { tariff, deadlineHours, prefix, localDate, ...terms } = organization;
  return {
    ...terms,
    tariff: tariff ?? DEFAULT_TARIFF,
    deadlineHours: deadlineHours ?? DEFAULT_DEADLINE_HOURS,
    series: { prefix, localDate },
  };
}

/** The fee of a shipment, as its row keeps it. */
export interface ShipmentFee {
  readonly deliveryFeeCents: number;
  readonly totalCodToCollectCents: number;
  readonly feeBreakdown: FeeBreakdown;
  readonly feePayer: FeePayer;
}

/** Computes the fee: the oldest active zone that holds the recipient gives the base fee (interpretation 21). */
export function feeOf(
  terms: PricingTerms,
  request: Pick<ShipmentRequest, 'recipient' | 'packageSize' | 'weightGrams' | 'priority' | 'codAmountCents'>,
  feePayer: FeePayer,
): ShipmentFee {
  const feeBreakdown = deliveryFee(terms.tariff, zoneOf(terms, request.recipient.address), request);
  const deliveryFeeCents = feeBreakdown.totalCents;
  return {
    deliveryFeeCents,
    totalCodToCollectCents: totalCodToCollectCents(request.codAmountCents, deliveryFeeCents, feePayer),
    feeBreakdown,
    feePayer,
  };
}

function zoneOf(terms: PricingTerms, address: Address): PricingTerms['zones'][number] | null {
  const { latitude, longitude } = address;
  if (latitude === null || longitude === null) return null;
  return terms.zones.find(({ polygon }) => polygonContains(polygon, { latitude, longitude })) ?? null;
}
