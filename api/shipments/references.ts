import type { MerchantId, PickupPointId } from '../../domain/ids.ts';
import type { Violation } from '../../domain/problem.ts';
import { findPickupPointReference, merchantExists } from '../../store/shipments/references.ts';
import type { Tenant } from '../../store/tenant.ts';
import type { UserActor } from '../http/route.ts';
import { unknownReference } from '../schema/checked-body.ts';

/** What a request names, which has to be the organization's own. */
export interface References {
  readonly pickupPoint?: PickupPointId | null;
  readonly merchant?: MerchantId | null;
}

/** The merchant of a signed-in merchant's user; null for others. */
export function ownMerchantOf({ role, merchantId }: UserActor): MerchantId | null {
  return role === 'ROLE_MERCHANT' ? merchantId : null;
}

/**
 * Violations for what a request names and may not, at its own paths by default. A merchant may name its own pickup points and
 * those that belong to no merchant (interpretation 1).
 */
export async function referenceViolations(
  scope: Tenant,
  { pickupPoint = null, merchant = null }: References,
  ownMerchant: MerchantId | null,
  paths = { pickupPoint: 'pickupPoint', merchant: 'merchant' },
): Promise<readonly Violation[]> {
  const point = pickupPoint === null ? null : await findPickupPointReference(scope, pickupPoint);
  const pointMerchant = point?.merchantId ?? null;
  const isAnothersPoint = ownMerchant !== null && pointMerchant !== null && pointMerchant !== ownMerchant;
  const isPointUnknown = point === undefined || isAnothersPoint;
  const isMerchantUnknown =
    ownMerchant === null && merchant !== null && !(await merchantExists(scope, merchant));
  return [
    ...(isPointUnknown ? [unknownReference(paths.pickupPoint, 'pickup point')] : []),
    ...(isMerchantUnknown ? [unknownReference(paths.merchant, 'merchant')] : []),
  ];
}

/**
 * The merchant that an edit whose references were checked gives a shipment: the signed-in merchant, else the named one, else
 * the pickup point's, else none (interpretation 1). Creations leave the pickup point's to the store.
 */
export async function merchantOf(
  scope: Tenant,
  { pickupPoint = null, merchant = null }: References,
  ownMerchant: MerchantId | null,
): Promise<MerchantId | null> {
  if (ownMerchant !== null || merchant !== null || pickupPoint === null) return ownMerchant ?? merchant;
  return (await findPickupPointReference(scope, pickupPoint))?.merchantId ?? null;
}
