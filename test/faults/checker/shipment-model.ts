import type { Action, Beginning, Seen, TaskType } from './history.ts';

/** A task of the model. */
export interface ModelTask {
  readonly type: TaskType;
  readonly status: string;
  readonly driver: string | null;
  /** The place of the task that has to end before this one begins. */
  readonly previous: number | null;
}

/** A shipment of the model. */
export interface ModelShipment {
  readonly status: string;
  readonly isDeleted: boolean;
  readonly hasPickup: boolean;
  readonly tasks: readonly ModelTask[];
}

/** What the model makes of an action: the shipment after it, or null where it must be rejected. */
export type ModelOutcome = { readonly after: ModelShipment; readonly addedTask?: number } | null;

type Row = readonly [transition: string, from: readonly string[], to: string, shipment: string];

const START_DELIVERY = ['assigned'];
const DETOUR = (arrived: string): readonly Row[] => [
  ['assign', ['pending', 'assigned'], 'assigned', 'picked_up'],
  ['unassign', ['assigned'], 'pending', 'unchanged'],
  ['start_transit', ['assigned'], 'in_transit', 'in_transit'],
  ['deliver', ['assigned', 'in_transit'], 'delivered', arrived],
  ['fail', ['assigned', 'in_transit'], 'failed', 'picked_up'],
  ['cancel', ['pending', 'assigned', 'in_transit', 'failed'], 'cancelled', 'picked_up'],
  ['reactivate', ['failed'], 'pending', 'pending'],
];

/**
 * The contract's transitions with interpretations 8 to 15, written by hand: which transition, from which statuses, to
 * which, and the shipment's status after it (`at_rest`: picked_up after a predecessor, else pending; `unchanged`).
 */
const TABLE: Readonly<Record<TaskType, readonly Row[]>> = {
  pickup: [
    ['assign', ['pending', 'assigned'], 'assigned', 'pending'],
    ['unassign', ['assigned'], 'pending', 'unchanged'],
    ['start_approach', ['assigned'], 'pickup_in_progress', 'pickup_in_progress'],
    ['pick_up', ['assigned', 'pickup_in_progress'], 'picked_up', 'picked_up'],
    ['fail', ['assigned', 'pickup_in_progress'], 'failed', 'pending'],
    ['cancel', ['pending', 'assigned', 'pickup_in_progress', 'failed'], 'cancelled', 'cancelled'],
    ['reactivate', ['failed'], 'pending', 'pending'],
  ],
  delivery: [
    ['assign', ['pending', 'assigned'], 'assigned', 'at_rest'],
    ['assign', ['waiting_for_pickup', 'assigned_waiting'], 'assigned_waiting', 'unchanged'],
    ['unassign', ['assigned'], 'pending', 'unchanged'],
    ['unassign', ['assigned_waiting'], 'waiting_for_pickup', 'unchanged'],
    ['start_delivery', START_DELIVERY, 'delivery_in_progress', 'in_transit'],
    ['start_delivery_approach', START_DELIVERY, 'delivery_in_progress', 'in_transit'],
    ['start_transit', ['assigned', 'delivery_in_progress'], 'in_transit', 'in_transit'],
    ['deliver', ['assigned', 'delivery_in_progress', 'in_transit'], 'delivered', 'delivered'],
    ['fail', ['assigned', 'delivery_in_progress', 'in_transit'], 'failed', 'at_rest'],
    [
      'cancel',
      [
        ...['waiting_for_pickup', 'assigned_waiting', 'pending', 'assigned'],
        ...['delivery_in_progress', 'in_transit', 'failed'],
      ],
      'cancelled',
      'cancelled',
    ],
    ['reactivate', ['failed'], 'pending', 'pending'],
  ],
  transfer: DETOUR('picked_up'),
  return: DETOUR('returned'),
};

const TRANSITIONS = [
  ...['assign', 'unassign', 'start_approach', 'pick_up', 'start_delivery', 'start_delivery_approach'],
  ...['start_transit', 'deliver', 'fail', 'cancel', 'reactivate'],
];

/** How a shipment stands at its beginning. */
export function beginningOf({ status, hasPickup }: Beginning): ModelShipment {
  const bare = { status, isDeleted: false, hasPickup, tasks: [] };
  return status === 'pending' ? planned(bare) : bare;
}

/** Whether the shipment is terminal (interpretation 16). */
export function isTerminal(status: string): boolean {
  return status === 'delivered' || status === 'returned' || status === 'cancelled';
}

/** Creates the shipment of an accepted external request. */
export function created(shipment: ModelShipment): ModelOutcome {
  return shipment.status === 'absent' ? { after: planned(shipment) } : null;
}

/** Takes a command by the rules: what the shipment becomes, or null where it must be rejected. */
export function take(shipment: ModelShipment, action: Action): ModelOutcome {
  switch (action.kind) {
    case 'transition':
      return takeTransition(shipment, action);
    case 'approve':
      if (shipment.status === 'pending_approval') return { after: planned(shipment) };
      return isTerminal(shipment.status) || shipment.status === 'absent' ? null : { after: shipment };
    case 'delete':
      // Deleted by two requests at the same time: the second finds what it asked for.
      if (shipment.isDeleted) return { after: shipment };
      if (isTerminal(shipment.status) || shipment.status === 'absent') return null;
      return { after: { ...ended(shipment, 'cancelled'), isDeleted: true } };
    case 'add_task':
      return takeAddition(shipment, action.type);
    case 'read_task':
    case 'read_shipment':
    case 'read_external':
      return { after: shipment };
  }
}

/**
 * What a response may show of the shipment as the model has it; each field that was seen must be the model's. A transition
 * that is newer than the model may be allowed as well: no client of these tests makes it.
 */
export function shows(shipment: ModelShipment, task: number | null, response: Seen): boolean {
  const known = response.allowedTransitions?.filter((transition) => TRANSITIONS.includes(transition));
  const seen: Seen = { ...response, ...(known === undefined ? {} : { allowedTransitions: known }) };
  const own = task === null ? undefined : shipment.tasks[task];
  const expected: Seen = {
    shipmentStatus: shipment.status === 'absent' ? 'processing' : shipment.status,
    tasks: shipment.tasks.map(({ type, status }) => `${type} ${status}`),
    ...(own === undefined || task === null
      ? {}
      : { taskStatus: own.status, allowedTransitions: allowed(shipment, task) }),
  };
  return (['shipmentStatus', 'taskStatus', 'allowedTransitions', 'tasks'] as const).every(
    (field) => seen[field] === undefined || String(seen[field]) === String(expected[field]),
  );
}

/** A text that is the same for the same state. */
export function stateKey(shipment: ModelShipment): string {
  const tasks = shipment.tasks.map(
    ({ type, status, driver, previous }) => `${type},${status},${driver ?? ''},${previous ?? ''}`,
  );
  return [shipment.status, shipment.isDeleted, ...tasks].join(';');
}

/** The transitions that the table accepts for a task, in the contract's order. */
export function allowed(shipment: ModelShipment, place: number): readonly string[] {
  return TRANSITIONS.filter((transition) => rowOf(shipment, place, transition) !== undefined);
}

function takeTransition(
  shipment: ModelShipment,
  { task: place, transition, driver }: Extract<Action, { kind: 'transition' }>,
): ModelOutcome {
  const task = shipment.tasks[place];
  const row = rowOf(shipment, place, transition);
  if (task === undefined || row === undefined) return null;
  // The same driver assigned again is no transition (interpretation 10).
  if (transition === 'assign' && driver === task.driver) return { after: shipment };
  const [, , to, effect] = row;
  const status = effectOf(effect, shipment, task);
  const moved = withTask(shipment, place, {
    ...task,
    status: to,
    driver: driverAfter(task, transition, driver),
  });
  if (isTerminal(status)) return { after: ended(moved, status) };
  const isEndOfPredecessor = ['picked_up', 'delivered', 'cancelled'].includes(to);
  return { after: { ...(isEndOfPredecessor ? released(moved, place) : moved), status } };
}

function driverAfter(task: ModelTask, transition: string, driver: string | null): string | null {
  if (transition === 'assign') return driver;
  return transition === 'unassign' || transition === 'reactivate' ? null : task.driver;
}

function effectOf(effect: string, shipment: ModelShipment, { previous }: ModelTask): string {
  if (effect === 'unchanged') return shipment.status;
  if (effect !== 'at_rest') return effect;
  return previous === null ? 'pending' : 'picked_up';
}

function takeAddition(shipment: ModelShipment, type: 'transfer' | 'return'): ModelOutcome {
  const place = shipment.tasks.findIndex((task) => task.type === 'delivery');
  const delivery = shipment.tasks[place];
  if (isTerminal(shipment.status) || delivery === undefined) return null;
  const isDetourOpen = shipment.tasks.some((task) => isDetour(task) && !isEnded(task));
  const isPickupOpen = shipment.tasks.some((task) => task.type === 'pickup' && task.status !== 'picked_up');
  const isFitting = ['pending', 'assigned', 'failed'].includes(delivery.status);
  if (isDetourOpen || isPickupOpen || !isFitting) return null;
  const addedTask = shipment.tasks.length;
  const followsFailure = type === 'return' && delivery.status === 'failed';
  const previous = followsFailure ? place : delivery.previous;
  const tasks = [...shipment.tasks, { type, status: 'pending', driver: null, previous }];
  const withAdded = { ...shipment, tasks };
  if (followsFailure) return { after: withAdded, addedTask };
  const waiting = {
    ...delivery,
    status: delivery.status === 'assigned' ? 'assigned_waiting' : 'waiting_for_pickup',
    driver: delivery.status === 'failed' ? null : delivery.driver,
    previous: addedTask,
  };
  return { after: withTask(withAdded, place, waiting), addedTask };
}

function rowOf(shipment: ModelShipment, place: number, transition: string): Row | undefined {
  const task = shipment.tasks[place];
  if (task === undefined || isTerminal(shipment.status)) return undefined;
  const isReturnOpen = shipment.tasks.some(
    (other, index) => index !== place && other.type === 'return' && !isEnded(other),
  );
  if (transition === 'reactivate' && isReturnOpen) return undefined;
  return TABLE[task.type].find(([name, from]) => name === transition && from.includes(task.status));
}

function planned(shipment: ModelShipment): ModelShipment {
  const delivery = { type: 'delivery', driver: null } as const;
  const pickup = { type: 'pickup', status: 'pending', driver: null, previous: null } as const;
  const tasks = shipment.hasPickup
    ? [pickup, { ...delivery, status: 'waiting_for_pickup', previous: 0 }]
    : [{ ...delivery, status: 'pending', previous: null }];
  return { ...shipment, status: 'pending', tasks };
}

function ended(shipment: ModelShipment, status: string): ModelShipment {
  const tasks = shipment.tasks.map((task) => (isEnded(task) ? task : { ...task, status: 'cancelled' }));
  return { ...shipment, status, tasks };
}

/** A task that waits for the ended one is released (interpretations 9 and 15). */
function released(shipment: ModelShipment, endedPlace: number): ModelShipment {
  const tasks = shipment.tasks.map((task) => {
    if (task.previous !== endedPlace) return task;
    if (task.status === 'waiting_for_pickup') return { ...task, status: 'pending' };
    return task.status === 'assigned_waiting' ? { ...task, status: 'assigned' } : task;
  });
  return { ...shipment, tasks };
}

function withTask(shipment: ModelShipment, place: number, task: ModelTask): ModelShipment {
  return { ...shipment, tasks: shipment.tasks.map((other, index) => (index === place ? task : other)) };
}

function isEnded({ type, status }: ModelTask): boolean {
  return status === 'delivered' || status === 'cancelled' || (type === 'pickup' && status === 'picked_up');
}

function isDetour({ type }: ModelTask): boolean {
  return type === 'transfer' || type === 'return';
}
