import type { TaskStatus, TaskType } from './enumerations.ts';
import type { ShipmentEffect } from './shipment-status.ts';

/**
 * Every transition, in the contract's order; `unassign` is our own (interpretation 10). Who may apply which stands in
 * domain/permission.ts.
 */
export const TRANSITIONS = [
  'assign',
  'unassign',
  'start_approach',
  'pick_up',
  'start_delivery',
  'start_delivery_approach',
  'start_transit',
  'deliver',
  'fail',
  'cancel',
  'reactivate',
] as const;
export type Transition = (typeof TRANSITIONS)[number];

/** What a transition requires of its caller (interpretations 10 and 11). */
type TransitionRequirement = 'driver' | 'reason';

/** What a transition does in addition to moving its own task. */
type TransitionConsequence =
  /** Tasks that wait for this one are released: waiting → pending, assigned_waiting → assigned (interpretation 9). */
  | 'release_successors'
  /** Driver and run are cleared (interpretation 10). */
  | 'lose_driver'
  /** Driver and run are cleared, the attempt counter grows (interpretation 13). */
  | 'start_over';

/** A row of the table: from which status to which, what the shipment becomes, what it needs and does. */
export interface TransitionRule {
  readonly moves: Readonly<Partial<Record<TaskStatus, TaskStatus>>>;
  readonly shipment: ShipmentEffect;
  readonly requires?: TransitionRequirement;
  readonly consequence?: TransitionConsequence;
}

type TransitionTable = Readonly<Record<TaskType, Readonly<Record<Transition, TransitionRule | null>>>>;

const START_DELIVERY: TransitionRule = {
  moves: { assigned: 'delivery_in_progress' },
  shipment: 'in_transit',
};

/** The parcel stays where it is. A task that has begun is failed, not unassigned. */
const UNASSIGN = {
  moves: { assigned: 'pending' },
  shipment: 'unchanged',
  consequence: 'lose_driver',
} as const satisfies TransitionRule;

/**
 * THE transition table: contract «Workflow transitions», interpretations 8 to 15. `null` is a
 * transition that a task of that type does not have. Everything that moves a task asks this
 * table; a shipment that becomes terminal cancels its other open tasks (interpretation 14) in
 * domain/transition.ts.
 */
const TRANSITION_TABLE = {
  pickup: {
    assign: {
      moves: { pending: 'assigned', assigned: 'assigned' },
      shipment: 'pending',
      requires: 'driver',
    },
    unassign: UNASSIGN,
    start_approach: { moves: { assigned: 'pickup_in_progress' }, shipment: 'pickup_in_progress' },
    pick_up: {
      moves: { assigned: 'picked_up', pickup_in_progress: 'picked_up' },
      shipment: 'picked_up',
      consequence: 'release_successors',
    },
    start_delivery: null,
    start_delivery_approach: null,
    start_transit: null,
    deliver: null,
    fail: {
      moves: { assigned: 'failed', pickup_in_progress: 'failed' },
      shipment: 'pending',
      requires: 'reason',
    },
    cancel: {
      moves: {
        pending: 'cancelled',
        assigned: 'cancelled',
        pickup_in_progress: 'cancelled',
        failed: 'cancelled',
      },
      shipment: 'cancelled',
    },
    reactivate: { moves: { failed: 'pending' }, shipment: 'pending', consequence: 'start_over' },
  },
  delivery: {
    assign: {
      moves: {
        pending: 'assigned',
        assigned: 'assigned',
        waiting_for_pickup: 'assigned_waiting',
        assigned_waiting: 'assigned_waiting',
      },
      shipment: 'at_rest_unless_waiting',
      requires: 'driver',
    },
    unassign: { ...UNASSIGN, moves: { assigned: 'pending', assigned_waiting: 'waiting_for_pickup' } },
    start_approach: null,
    pick_up: null,
    start_delivery: START_DELIVERY,
    start_delivery_approach: START_DELIVERY,
    start_transit: {
      moves: { assigned: 'in_transit', delivery_in_progress: 'in_transit' },
      shipment: 'in_transit',
    },
    deliver: {
      moves: { assigned: 'delivered', delivery_in_progress: 'delivered', in_transit: 'delivered' },
      shipment: 'delivered',
    },
    fail: {
      moves: { assigned: 'failed', delivery_in_progress: 'failed', in_transit: 'failed' },
      shipment: 'at_rest',
      requires: 'reason',
    },
    cancel: {
      moves: {
        waiting_for_pickup: 'cancelled',
        assigned_waiting: 'cancelled',
        pending: 'cancelled',
        assigned: 'cancelled',
        delivery_in_progress: 'cancelled',
        in_transit: 'cancelled',
        failed: 'cancelled',
      },
      shipment: 'cancelled',
    },
    reactivate: { moves: { failed: 'pending' }, shipment: 'pending', consequence: 'start_over' },
  },
  transfer: detour({ arrives: 'picked_up' }),
  return: detour({ arrives: 'returned' }),
} as const satisfies TransitionTable;

/** Transfers and returns make the same moves and differ in where the parcel ends (interpretation 15). */
function detour(ending: { readonly arrives: 'picked_up' | 'returned' }) {
  return {
    assign: {
      moves: { pending: 'assigned', assigned: 'assigned' },
      shipment: 'picked_up',
      requires: 'driver',
    },
    unassign: UNASSIGN,
    start_approach: null,
    pick_up: null,
    start_delivery: null,
    start_delivery_approach: null,
    start_transit: { moves: { assigned: 'in_transit' }, shipment: 'in_transit' },
    deliver: {
      moves: { assigned: 'delivered', in_transit: 'delivered' },
      shipment: ending.arrives,
      consequence: 'release_successors',
    },
    fail: {
      moves: { assigned: 'failed', in_transit: 'failed' },
      shipment: 'picked_up',
      requires: 'reason',
    },
    cancel: {
      moves: { pending: 'cancelled', assigned: 'cancelled', in_transit: 'cancelled', failed: 'cancelled' },
      shipment: 'picked_up',
      consequence: 'release_successors',
    },
    reactivate: { moves: { failed: 'pending' }, shipment: 'pending', consequence: 'start_over' },
  } as const satisfies Record<Transition, TransitionRule | null>;
}

/** The row for a task type and transition; undefined where the type does not have that transition. */
export function ruleFor(type: TaskType, transition: Transition): TransitionRule | undefined {
  return TRANSITION_TABLE[type][transition] ?? undefined;
}
