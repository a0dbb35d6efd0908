import type { Address, Recipient } from '../../domain/shipment.ts';
import type { Infer } from '../schema/schema.ts';
import type { ObjectRule } from '../schema/schema-objects.ts';
import { named } from '../schema/schema.ts';
import { object, optional, required } from '../schema/schema-objects.ts';
import { uuid } from '../schema/schema-values.ts';
import { addressSchema, parcelFields, RECIPIENT_FIELDS, SCHEDULE_RULE } from '../shipments/parse.ts';

const address = addressSchema({ strict: true });

const ONE_PICKUP: ObjectRule<{ readonly pickupPointId: string | null; readonly address: Address | null }> = {
  description: 'Exactly one of pickupPointId and address.',
  check: (_value, { pickupPointId = null, address: manual = null }) => {
    if ((pickupPointId === null) !== (manual === null)) return undefined;
    return {
      path: '',
      code: 'rule',
      message: 'Send exactly one of pickupPointId and address, or no pickup at all.',
    };
  },
};

const NEEDS_ADDRESS: ObjectRule<{
  readonly recipient: { readonly address: Address | null };
  readonly deliveryAddress: Address | null;
}> = {
  description: 'One of recipient.address and deliveryAddress is required; deliveryAddress takes precedence.',
  check: (_value, { recipient, deliveryAddress = null }) =>
    deliveryAddress === null && !hasAddress(recipient)
      ? {
          path: 'recipient.address',
          code: 'required',
          message: 'Send recipient.address or deliveryAddress, with street and city.',
        }
      : undefined,
};

/** Read from what was sent: the recipient may be broken elsewhere, and the address missing as well. */
function hasAddress(recipient: unknown): boolean {
  return (
    typeof recipient === 'object' &&
    recipient !== null &&
    'address' in recipient &&
    recipient.address !== null
  );
}

/**
 * Body of `POST /external/shipments` (contract «External shipment creation request», interpretations 1 and 25): unknown
 * keys are violations.
 */
export const externalShipmentBody = named(
  'ExternalShipmentRequest',
  object(
    {
      recipient: required(
        named(
          'ExternalRecipient',
          object({ ...RECIPIENT_FIELDS, address: optional(address) }, { strict: true }),
        ),
      ),
      deliveryAddress: optional(address),
      pickup: optional(
        named(
          'ExternalPickup',
          object(
            { pickupPointId: optional(uuid<'pickup_point'>()), address: optional(address) },
            { strict: true, rules: [ONE_PICKUP] },
          ),
        ),
      ),
      ...parcelFields({ strict: true }),
    },
    { strict: true, rules: [NEEDS_ADDRESS, SCHEDULE_RULE] },
  ),
);
export type ExternalShipmentBody = Infer<typeof externalShipmentBody>;

/** The recipient with the address that counts. */
export function recipientOf({ recipient, deliveryAddress }: ExternalShipmentBody): Recipient {
  const effective = deliveryAddress ?? recipient.address;
  if (effective === null) throw new Error('a parsed body lacks its address');
  return { ...recipient, address: effective };
}
