declare const kind: unique symbol;

/** A UUID that is known to name one kind of record; a bare string cannot replace it. */
export type Id<Kind extends string> = string & { readonly [kind]: Kind };

export type OrganizationId = Id<'organization'>;
export type UserId = Id<'user'>;
export type SessionId = Id<'session'>;
export type MerchantId = Id<'merchant'>;
export type PickupPointId = Id<'pickup_point'>;
export type DriverId = Id<'driver'>;
export type ZoneId = Id<'zone'>;
export type ShipmentId = Id<'shipment'>;
export type TaskId = Id<'task'>;
export type DeliveryRunId = Id<'delivery_run'>;
export type CommandId = Id<'command'>;
export type ImportId = Id<'import'>;
export type WebhookEventId = Id<'webhook_event'>;
export type AuditEventId = Id<'audit_event'>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function isUuid<Kind extends string>(value: string): value is Id<Kind> {
  return UUID.test(value);
}

/** Reads a UUID in either letter case (RFC 9562 section 4); undefined when it is not one. */
export function parseId<Kind extends string>(value: string): Id<Kind> | undefined {
  const lower = value.toLowerCase();
  return isUuid<Kind>(lower) ? lower : undefined;
}

/** Takes a UUID that this service made itself. Throws when it is not one, which would be a fault of ours. */
export function toId<Kind extends string>(value: string): Id<Kind> {
  const id = parseId<Kind>(value);
  if (id === undefined) throw new Error(`not a UUID: ${value.slice(0, 64)}`);
  return id;
}
