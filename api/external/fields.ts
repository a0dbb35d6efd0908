import type { ShipmentStatus } from '../../domain/enumerations.ts';
import { SHIPMENT_STATUSES } from '../../domain/enumerations.ts';
import type { ShipmentId } from '../../domain/ids.ts';
import type { Recipient } from '../../domain/shipment.ts';
import type { WebhookSettings } from '../../domain/webhook.ts';
import { whyNoneAreSent } from '../../domain/webhook.ts';
import type { ExternalShipment } from '../../store/shipments/external-shipments.ts';
import type { ShipmentRow, ShipmentTaskRow, TimelineRow } from '../../store/shipments/shipments.ts';
import type { Document } from '../hydra/resource.ts';
import { fieldsOf, view } from '../schema/fields.ts';
import type { Infer } from '../schema/schema.ts';
import { named } from '../schema/schema.ts';
import { dateTime } from '../schema/schema-moments.ts';
import { object, optional, required, requiredIf, shownList, UNLESS_NULL } from '../schema/schema-objects.ts';
import { choice, money, reference, text, uuid } from '../schema/schema-values.ts';
import { oneOf, shape, string, uuid as uuidShape } from '../schema/shapes.ts';
import { TIMELINE_FIELDS, TRACKING_NUMBER, TRACKING_URL } from '../shipments/fields.ts';
import type { TrackingConfig } from '../tracking/tracking-token.ts';
import { trackingUrl } from '../tracking/tracking-token.ts';
import { addressSchema, parcelFields, RECIPIENT_FIELDS, SCHEDULE_RULE } from '../shipments/parcel.ts';

const address = addressSchema({ strict: true });

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
          object(
            { ...RECIPIENT_FIELDS, address: requiredIf(address, ['...deliveryAddress', null]) },
            { strict: true },
          ),
        ),
      ),
      deliveryAddress: optional(address),
      merchant: optional(
        reference('merchant', {
          bare: true,
          description:
            'The merchant whose shipment it is: its IRI or id. By default that of the pickup point.',
        }),
      ),
      pickup: optional(
        named(
          'ExternalPickup',
          object(
            { pickupPointId: optional(uuid<'pickup_point'>()), address: optional(address) },
            {
              strict: true,
              rules: {
                description: 'Exactly one of pickupPointId and address.',
                add: (pickup) => pickup.xor('pickupPointId', 'address', UNLESS_NULL),
              },
            },
          ),
        ),
      ),
      ...parcelFields({ strict: true }),
    },
    {
      strict: true,
      description: `One of recipient.address and deliveryAddress is required; deliveryAddress takes precedence. ${SCHEDULE_RULE}`,
    },
  ),
);
type ExternalShipmentBody = Infer<typeof externalShipmentBody>;

/** The recipient with the address that counts. */
export function recipientOf({ recipient, deliveryAddress }: ExternalShipmentBody): Recipient {
  const effective = deliveryAddress ?? recipient.address;
  if (effective === null) throw new Error('a parsed body lacks its address');
  return { ...recipient, address: effective };
}

/** What a creation is answered with (contract «External creation response»). */
export const acceptedJson = {
  title: 'ExternalShipmentAccepted',
  ...shape({ id: uuidShape, status: oneOf(['processing']), message: string, hint: string }, [
    'id',
    'status',
    'message',
  ]),
};

/**
 * The answer to a creation: with a hint where no webhookUrl is set (contract «External creation response»). That nothing
 * would be sent to one either, by the plan or because webhooks are disabled, is said in the message.
 */
export function presentAccepted(id: ShipmentId, webhooks: WebhookSettings): Document {
  const hint = `No webhook is configured: set webhookUrl on the organization to be notified, or poll GET /external/shipments/${id}.`;
  const message = ['The shipment is accepted and being created.', whyNoneAreSent(webhooks)?.message];
  return {
    id,
    status: 'processing',
    message: message.filter((sentence) => sentence !== undefined).join(' '),
    ...(webhooks.webhookUrl === null ? { hint } : {}),
  };
}

/** A shipment, or the request for one that has not been created yet, as shops see it. */
interface ExternalDetail extends Pick<
  ShipmentRow,
  'id' | 'trackingNumber' | 'externalReference' | 'deliveryDeadline' | 'codAmountCents'
> {
  readonly status: ShipmentStatus | 'processing';
  readonly totalCodToCollectCents: number | null;
  readonly trackingUrl: string;
  readonly tasks: readonly ShipmentTaskRow[];
  readonly timeline: readonly TimelineRow[];
}

const driver = fieldsOf<{ readonly name: string; readonly phone: string }>();
const { shown, shownIfSet } = fieldsOf<ExternalDetail>();

/** The external detail (contract «External shipment detail», interpretation 7): plain JSON, absent values as null. */
export const externalDetail = view(
  {
    id: shown(uuid<'shipment'>(), (row) => row.id),
    trackingNumber: shown(TRACKING_NUMBER, (row) => row.trackingNumber),
    externalReference: shownIfSet(text(), (row) => row.externalReference),
    status: shown(choice(['processing', ...SHIPMENT_STATUSES]), (row) => row.status),
    driver: shownIfSet(
      view(
        {
          name: driver.shown(text(), (row) => row.name),
          phone: driver.shown(text(), (row) => row.phone),
        },
        { title: 'ExternalDriver' },
      ),
      driverOf,
    ),
    timeline: shown(shownList(view(TIMELINE_FIELDS, { withNulls: true })), (row) => row.timeline),
    deliveryDeadline: shownIfSet(dateTime(), (row) => row.deliveryDeadline),
    codAmount: shown(money(), (row) => row.codAmountCents),
    totalCodToCollect: shownIfSet(money(), (row) => row.totalCodToCollectCents),
    trackingUrl: shown(TRACKING_URL, (row) => row.trackingUrl),
  },
  { title: 'ExternalShipment', withNulls: true },
);

/** Who has the parcel or will have it: the driver of the last task that has one and has not been given up. */
function driverOf({ tasks }: ExternalDetail) {
  const task = tasks.findLast(({ driverName, status }) => driverName !== null && status !== 'cancelled');
  const { driverName: name = null, driverPhoneNumber: phone = null } = task ?? {};
  return name === null || phone === null ? null : { name, phone };
}

/** Shows a shipment as its shop sees it. */
export function presentExternalShipment(shipment: ExternalShipment, config: TrackingConfig): Document {
  if (shipment.kind === 'shipment') {
    const { row, tasks, timeline } = shipment;
    return externalDetail.show({ ...row, tasks, timeline, trackingUrl: trackingUrl(config, row) });
  }
  const { id, trackingNumber, request } = shipment.request;
  return externalDetail.show({
    id,
    trackingNumber,
    trackingUrl: trackingUrl(config, { id, trackingNumber }),
    externalReference: request.externalReference,
    status: 'processing',
    deliveryDeadline: null,
    codAmountCents: request.codAmountCents,
    totalCodToCollectCents: null,
    tasks: [],
    timeline: [],
  });
}
