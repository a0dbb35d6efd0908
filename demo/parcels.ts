import inputs from './parcels.json' with { type: 'json' };

/** A transition, who makes it, and what its task and the shipment become. `service`: it follows from the step before. */
export type Step = readonly [
  by: 'dispatcher' | 'driver' | 'service',
  task: 'pickup' | 'delivery',
  transition: string,
  taskStatus: string,
  shipmentStatus: string,
];

/** A parcel of the story. */
export interface Parcel {
  readonly title: string;
  /** A shop's server uses the external API, a merchant the dashboard API; a merchant's parcel needs an approval. */
  readonly createdBy: 'shop' | 'merchant';
  readonly input: object;
  readonly steps: readonly Step[];
}

/** What the receiver answers to the requests about an event, by external reference and task status; 200 to all others. */
export const RECEIVER_ANSWERS: ReadonlyMap<string, readonly number[]> = new Map([
  ['CMD-2026-1001 picked_up', [500, 200]],
  ['CMD-2026-1002 delivered', [500, 500, 500, 200]],
]);

const COLLECT: readonly Step[] = [
  ['dispatcher', 'pickup', 'assign', 'assigned', 'pending'],
  ['driver', 'pickup', 'start_approach', 'pickup_in_progress', 'pickup_in_progress'],
  ['driver', 'pickup', 'pick_up', 'picked_up', 'picked_up'],
];
const SET_OUT: readonly Step[] = [
  ['dispatcher', 'delivery', 'assign', 'assigned', 'picked_up'],
  ['driver', 'delivery', 'start_delivery', 'delivery_in_progress', 'in_transit'],
];
const DELIVER: Step = ['driver', 'delivery', 'deliver', 'delivered', 'delivered'];

/** The four parcels (contract «Workflow transitions»). */
export const PARCELS: readonly Parcel[] = [
  {
    title: '1  A shop sends a parcel; one of its webhooks is answered 500 and sent again',
    createdBy: 'shop',
    input: inputs.retried,
    steps: [...COLLECT, ...SET_OUT, DELIVER],
  },
  {
    title: '2  The recipient is absent: the delivery fails, is reactivated and succeeds',
    createdBy: 'shop',
    input: inputs.failed,
    steps: [
      ...COLLECT,
      ...SET_OUT,
      ['driver', 'delivery', 'fail', 'failed', 'picked_up'],
      ['dispatcher', 'delivery', 'reactivate', 'pending', 'pending'],
      ...SET_OUT,
      DELIVER,
    ],
  },
  {
    title: '3  A merchant’s parcel is approved and then cancelled, with both of its tasks',
    createdBy: 'merchant',
    input: inputs.cancelled,
    steps: [
      ['dispatcher', 'pickup', 'assign', 'assigned', 'pending'],
      ['dispatcher', 'pickup', 'cancel', 'cancelled', 'cancelled'],
      ['service', 'delivery', 'cancel', 'cancelled', 'cancelled'],
    ],
  },
  {
    title: '4  The receiver is down when a parcel is delivered; the dead letter is replayed',
    createdBy: 'shop',
    input: inputs.undelivered,
    steps: [
      ['dispatcher', 'delivery', 'assign', 'assigned', 'pending'],
      ['driver', 'delivery', 'start_delivery', 'delivery_in_progress', 'in_transit'],
      DELIVER,
    ],
  },
];
