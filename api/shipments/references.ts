import type { MerchantId, PickupPointId } from '../../domain/ids.ts';
import type { Violation } from '../../domain/problem.ts';
import { findPickupPointReference, merchantExists } from '../../store/shipments/references.ts';
import type { Tenant } from '../../store/tenant.ts';
import { throwIfInvalid, validPart } from '../schema/lookup-violations.ts';
import type { UserActor } from '../http/route.ts';
import { reference } from '../schema/schema-values.ts';

/** What a request names, checked to be the organization's own; where each was named, for the violation. */
export interface References {
  readonly pickupPointId: PickupPointId | null;
  readonly pickupPointPath: string;
  readonly merchantId: MerchantId | null;
  readonly merchantPath: string;
  /** The signed-in merchant, whose own pickup points are the only ones it may use; null for everybody else. */
  readonly ownMerchantId: MerchantId | null;
}

/** Violations of what a body names, wherever it is broken otherwise. */
export async function referenceViolations(tenant: Tenant, named: References): Promise<readonly Violation[]> {
  return (await checkReferences(tenant, named)).violations;
}

/**
 * Checks the references of a request and settles its merchant: the signed-in merchant, else the named one, else the
 * pickup point's, else none (interpretation 1). Throws a ProblemError with a violation for each unknown reference.
 */
export async function resolveMerchant(
  tenant: Tenant,
  named: References,
): Promise<{ readonly merchantId: MerchantId | null }> {
  const { pointMerchantId, violations } = await checkReferences(tenant, named);
  throwIfInvalid(violations);
  return { merchantId: named.ownMerchantId ?? named.merchantId ?? pointMerchantId };
}

async function checkReferences(tenant: Tenant, named: References) {
  const { ownMerchantId } = named;
  const point =
    named.pickupPointId === null ? null : await findPickupPointReference(tenant, named.pickupPointId);
  const violations: Violation[] = [];
  if (
    point === undefined ||
    (ownMerchantId !== null && point !== null && point.merchantId !== ownMerchantId)
  ) {
    violations.push(unknownReference(named.pickupPointPath, 'pickup point'));
  }
  if (
    ownMerchantId === null &&
    named.merchantId !== null &&
    !(await merchantExists(tenant, named.merchantId))
  ) {
    violations.push(unknownReference(named.merchantPath, 'merchant'));
  }
  return { pointMerchantId: point?.merchantId ?? null, violations };
}

function unknownReference(propertyPath: string, what: string): Violation {
  return { propertyPath, message: `There is no such ${what} in your organization.`, code: 'reference' };
}

const pickupPointReference = reference('pickup_point');
const merchantReference = reference('merchant');

/** What a dashboard body names, read from its sound parts. */
export function referencesIn(actor: UserActor, body: unknown): References {
  return {
    pickupPointId: validPart(pickupPointReference, body, 'pickupPoint'),
    pickupPointPath: 'pickupPoint',
    merchantId: validPart(merchantReference, body, 'merchant'),
    merchantPath: 'merchant',
    ownMerchantId: actor.role === 'ROLE_MERCHANT' ? actor.merchantId : null,
  };
}
