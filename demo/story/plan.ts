import type { Ending, PickupMode, StoryShipment } from './input.ts';

/** What a notification has to say about one moved task. */
export interface ExpectedNotification {
  readonly taskType: string;
  readonly taskStatus: string;
  readonly status: string;
}

/** A transition with what its answer has to say, and the tasks that fall with it. */
export interface TransitionStep {
  readonly act: 'transition';
  readonly taskType: string;
  readonly transition: string;
  readonly reason?: string;
  readonly taskStatus: string;
  readonly shipmentStatus: string;
  /** Other open tasks that the end of the shipment cancels, in order: each is notified. */
  readonly cancelled: readonly string[];
}

/** One thing that is done to a shipment. */
export type Step =
  | TransitionStep
  | { readonly act: 'approve'; readonly shipmentStatus: string }
  | { readonly act: 'add_return' }
  | { readonly act: 'withdraw'; readonly cancelled: readonly string[] };

/**
 * The notifications that a step causes (interpretation 20): one for each task that a transition or its cascade moves.
 */
export function notificationsOf(step: Step): readonly ExpectedNotification[] {
  switch (step.act) {
    case 'approve':
    case 'add_return':
      return [];
    case 'withdraw':
      return step.cancelled.map((taskType) => ({ taskType, taskStatus: 'cancelled', status: 'cancelled' }));
    case 'transition': {
      const { taskType, taskStatus, shipmentStatus: status, cancelled } = step;
      return [
        { taskType, taskStatus, status },
        ...cancelled.map((fallen) => ({ taskType: fallen, taskStatus: 'cancelled', status })),
      ];
    }
  }
}

/** The shipment's status after its last step. */
export const FINAL_STATUS: Readonly<Record<Ending, string>> = {
  delivered: 'delivered',
  delivered_after_failure: 'delivered',
  delivered_after_pickup_failure: 'delivered',
  returned: 'returned',
  cancelled: 'cancelled',
  withdrawn: 'cancelled',
};

const REASONS = ['recipient_absent', 'phone_unreachable', 'wrong_address', 'cannot_pay', 'postponed'];
const STARTS = [
  ['start_delivery', 'delivery_in_progress'],
  ['start_delivery_approach', 'delivery_in_progress'],
  ['start_transit', 'in_transit'],
] as const;

/**
 * Plans a shipment's whole life, in the words of contract «Workflow transitions» (interpretations 8 to 18).
 * Written apart from the service's own table, so that a wrong row there is seen here.
 */
export function planSteps(shipment: StoryShipment): readonly Step[] {
  const { ending, pickupMode, createdBy } = shipment;
  const approval: Step[] = createdBy === 'merchant' ? [{ act: 'approve', shipmentStatus: 'pending' }] : [];
  switch (ending) {
    case 'delivered':
    case 'delivered_after_failure':
    case 'delivered_after_pickup_failure':
      return [...approval, ...pickupSteps(shipment), ...deliverySteps(shipment)];
    case 'returned':
      return [...approval, ...pickupSteps(shipment), ...failureSteps(shipment), ...returnSteps()];
    case 'cancelled':
      return [...approval, ...startedSteps(pickupMode), cancelStep(pickupMode)];
    case 'withdrawn':
      return [...approval, ...startedSteps(pickupMode), { act: 'withdraw', cancelled: tasksOf(pickupMode) }];
  }
}

function move(taskType: string, transition: string, taskStatus: string, shipmentStatus: string) {
  return { act: 'transition', taskType, transition, taskStatus, shipmentStatus, cancelled: [] } as const;
}

function tasksOf(pickupMode: PickupMode): readonly string[] {
  return pickupMode === 'none' ? ['delivery'] : ['pickup', 'delivery'];
}

function pickupSteps({ pickupMode, ending, number }: StoryShipment): readonly Step[] {
  if (pickupMode === 'none') return [];
  const failure: Step[] =
    ending === 'delivered_after_pickup_failure'
      ? [
          { ...move('pickup', 'fail', 'failed', 'pending'), reason: 'merchant_closed' },
          move('pickup', 'reactivate', 'pending', 'pending'),
          move('pickup', 'assign', 'assigned', 'pending'),
        ]
      : [];
  // A delivery may have its driver before the parcel is there; it waits, and the shipment does not change.
  const early: Step[] = isEarly(number) ? [move('delivery', 'assign', 'assigned_waiting', 'pending')] : [];
  // Drivers skip steps.
  const approach: Step[] =
    number % 6 === 0 ? [] : [move('pickup', 'start_approach', 'pickup_in_progress', 'pickup_in_progress')];
  return [
    move('pickup', 'assign', 'assigned', 'pending'),
    ...early,
    ...failure,
    ...approach,
    move('pickup', 'pick_up', 'picked_up', 'picked_up'),
  ];
}

function isEarly(number: number): boolean {
  return number % 5 === 0;
}

function assignDelivery(pickupMode: PickupMode): Step {
  return move('delivery', 'assign', 'assigned', pickupMode === 'none' ? 'pending' : 'picked_up');
}

function startDelivery(number: number): Step {
  const [transition, taskStatus] = STARTS[(number - 1) % STARTS.length] ?? STARTS[0];
  return move('delivery', transition, taskStatus, 'in_transit');
}

function deliverySteps(shipment: StoryShipment): readonly Step[] {
  const { number, pickupMode, ending } = shipment;
  const isAssigned = pickupMode !== 'none' && isEarly(number);
  const start = [...(isAssigned ? [] : [assignDelivery(pickupMode)]), startDelivery(number)];
  const end = move('delivery', 'deliver', 'delivered', 'delivered');
  if (ending !== 'delivered_after_failure') return [...start, end];
  return [
    ...failureSteps(shipment),
    move('delivery', 'reactivate', 'pending', 'pending'),
    assignDelivery(pickupMode),
    startDelivery(number),
    end,
  ];
}

/** The delivery up to its failure. */
function failureSteps({ number, pickupMode }: StoryShipment): readonly Step[] {
  const isAssigned = pickupMode !== 'none' && isEarly(number);
  const atRest = pickupMode === 'none' ? 'pending' : 'picked_up';
  return [
    ...(isAssigned ? [] : [assignDelivery(pickupMode)]),
    startDelivery(number),
    {
      ...move('delivery', 'fail', 'failed', atRest),
      reason: REASONS[number % REASONS.length] ?? 'recipient_absent',
    },
  ];
}

/** The parcel goes back; with it the failed delivery ends. */
function returnSteps(): readonly Step[] {
  return [
    { act: 'add_return' },
    move('return', 'assign', 'assigned', 'picked_up'),
    move('return', 'start_transit', 'in_transit', 'in_transit'),
    { ...move('return', 'deliver', 'delivered', 'returned'), cancelled: ['delivery'] },
  ];
}

function startedSteps(pickupMode: PickupMode): readonly Step[] {
  return [
    pickupMode === 'none' ? assignDelivery(pickupMode) : move('pickup', 'assign', 'assigned', 'pending'),
  ];
}

function cancelStep(pickupMode: PickupMode): Step {
  const [first = 'delivery', ...others] = tasksOf(pickupMode);
  return { ...move(first, 'cancel', 'cancelled', 'cancelled'), cancelled: others };
}
