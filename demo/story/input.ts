import { listAt, StoryStopped, textAt, valueAt } from './reading.ts';

/** Who creates a shipment: a shop's system with the API key, a dispatcher, or a merchant whose shipments need approval. */
export const CREATORS = ['shop_system', 'dispatcher', 'merchant'] as const;
export type Creator = (typeof CREATORS)[number];

/** Where the parcel comes from (contract «Pickup modes»). */
export const PICKUP_MODES = ['none', 'point', 'address'] as const;
export type PickupMode = (typeof PICKUP_MODES)[number];

/** How a shipment's life goes. */
export const ENDINGS = [
  'delivered',
  'delivered_after_failure',
  'delivered_after_pickup_failure',
  'returned',
  'cancelled',
  'withdrawn',
] as const;
export type Ending = (typeof ENDINGS)[number];

/** One shipment of the input file. */
export interface StoryShipment {
  /** Its place in the file, from 1; also decides between ways that lead to the same end. */
  readonly number: number;
  readonly createdBy: Creator;
  readonly ending: Ending;
  readonly pickupMode: PickupMode;
  readonly pickupAddress: unknown;
  /** Hours from now, so that a schedule always lies ahead. */
  readonly scheduledInHours: { readonly after: number; readonly before: number | null } | null;
  /** The fields that both surfaces share, as they are sent. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Reads the input file's document. Throws StoryStopped that names the first entry that does not fit. */
export function readStoryShipments(document: unknown): readonly StoryShipment[] {
  if (!Array.isArray(document) || document.length === 0) {
    throw new StoryStopped('The input file is no list of shipments.');
  }
  return document.map(readEntry);
}

/** The body of `POST /external/shipments`; `pickupPointId` is used where the shipment starts at a pickup point. */
export function externalBody(shipment: StoryShipment, pickupPointId: string, now: Date): unknown {
  const pickup = {
    none: {},
    point: { pickup: { pickupPointId } },
    address: { pickup: { address: shipment.pickupAddress } },
  }[shipment.pickupMode];
  return { ...shipment.fields, ...pickup, ...schedule(shipment, now) };
}

/** The body of `POST /shipments`. A manual pickup address is the external API's alone. */
export function dashboardBody(shipment: StoryShipment, pickupPointIri: string, now: Date): unknown {
  return {
    ...shipment.fields,
    ...(shipment.pickupMode === 'point' ? { pickupPoint: pickupPointIri } : {}),
    ...schedule(shipment, now),
  };
}

/** `Éloïse Garnier, Paris`. */
export function describe({ fields }: StoryShipment): string {
  const name = [textAt(fields, 'recipient.firstName'), textAt(fields, 'recipient.lastName')].join(' ').trim();
  return `${name}, ${textAt(fields, 'recipient.address.city')}`;
}

function schedule({ scheduledInHours }: StoryShipment, now: Date): Record<string, string> {
  if (scheduledInHours === null) return {};
  const inHours = (hours: number): string => new Date(now.getTime() + hours * 3_600_000).toISOString();
  return {
    scheduledAfter: inHours(scheduledInHours.after),
    ...(scheduledInHours.before === null ? {} : { scheduledBefore: inHours(scheduledInHours.before) }),
  };
}

function readEntry(entry: unknown, index: number): StoryShipment {
  const number = index + 1;
  const createdBy = CREATORS.find((word) => word === valueAt(entry, 'createdBy'));
  const ending = ENDINGS.find((word) => word === valueAt(entry, 'ending'));
  const pickupMode = PICKUP_MODES.find((word) => word === valueAt(entry, 'pickup.mode'));
  const fields = valueAt(entry, 'shipment');
  const fits =
    valueAt(entry, 'number') === number &&
    !(pickupMode === 'address' && createdBy !== 'shop_system') &&
    !(pickupMode === 'none' && ending === 'delivered_after_pickup_failure');
  if (!fits || createdBy === undefined || ending === undefined || pickupMode === undefined) {
    throw new StoryStopped(`Shipment ${number} of the input file does not fit.`);
  }
  if (typeof fields !== 'object' || fields === null || listAt(entry, 'shipment').length > 0) {
    throw new StoryStopped(`Shipment ${number} of the input file has no fields.`);
  }
  const after = valueAt(entry, 'scheduledInHours.after');
  const before = valueAt(entry, 'scheduledInHours.before');
  return {
    number,
    createdBy,
    ending,
    pickupMode,
    pickupAddress: valueAt(entry, 'pickup.address'),
    scheduledInHours:
      typeof after === 'number' ? { after, before: typeof before === 'number' ? before : null } : null,
    fields: Object.fromEntries(Object.entries(fields)),
  };
}
