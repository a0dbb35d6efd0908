import { TRACKING_NUMBER_PATTERN } from '../../../domain/tracking-number.ts';
import type { WebhookEventStatus } from '../../../domain/webhook.ts';
import type { Schemas } from '../../shared/client.ts';
import { answer, api } from '../../shared/client.ts';

export type Delivery = Schemas['WebhookDelivery'];
export type DeliveryRow = Schemas['WebhookDeliveryMember'];

export const DELIVERIES_PER_PAGE = 50;

/** What the list can be narrowed to; what is undefined is left open. */
export interface DeliveryFilter {
  readonly status: WebhookEventStatus | undefined;
  /** The id of a shipment. */
  readonly shipment: string | undefined;
  /** Moments, ISO 8601. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export function readDeliveries({ status, shipment, from, to }: DeliveryFilter, page: number) {
  const query = {
    page,
    itemsPerPage: DELIVERIES_PER_PAGE,
    ...(status && { status }),
    ...(shipment && { shipment }),
    ...(from && { 'createdAt[after]': from }),
    ...(to && { 'createdAt[before]': to }),
  };
  return answer(api.GET('/webhook-deliveries', { params: { query } }));
}

export function readDelivery(id: string): Promise<Delivery> {
  return answer(api.GET('/webhook-deliveries/{id}', { params: { path: { id } } }));
}

export function replayDelivery(id: string): Promise<Delivery> {
  return answer(api.POST('/webhook-deliveries/{id}/replay', { params: { path: { id } } }));
}

export function sendTest(organizationId: string): Promise<Delivery> {
  return answer(api.POST('/organizations/{id}/webhook-test', { params: { path: { id: organizationId } } }));
}

const TRACKING_NUMBER = new RegExp(TRACKING_NUMBER_PATTERN);

/** The id of the shipment with a tracking number; undefined where there is none, as for a part of a number. */
export async function findShipment(trackingNumber: string): Promise<string | undefined> {
  if (!TRACKING_NUMBER.test(trackingNumber)) return undefined;
  const query = { trackingNumber, itemsPerPage: 1 };
  const { member } = await answer(api.GET('/shipments', { params: { query } }));
  return member[0]?.id;
}

export type ReplayRequest = Schemas['WebhookReplayRequest'];

/** Sends again up to 500 deliveries; `remaining` more fit the request. */
export function replayMany(body: ReplayRequest, key: string) {
  const header = { 'Idempotency-Key': key };
  return answer(api.POST('/webhook-deliveries/replay', { params: { header }, body }));
}
