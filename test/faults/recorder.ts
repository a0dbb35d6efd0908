import type { Creation } from './checker/creations.ts';
import type {
  Action,
  Beginning,
  Exchange,
  Operation,
  Resolution,
  ShipmentHistory,
} from './checker/history.ts';

/** An action as a client names it: tasks by their ids, whose places in the shipment are known at the end. */
export type ClientAction =
  | {
      readonly kind: 'transition';
      readonly taskId: string;
      readonly transition: string;
      readonly driver: string | null;
    }
  | { readonly kind: 'read_task'; readonly taskId: string }
  | Exclude<Action, { readonly kind: 'transition' | 'read_task' }>;

/** An operation under way: exchanges and the resolution are added as they come. */
export interface OpenOperation {
  readonly id: string;
  readonly shipmentId: string;
  readonly action: ClientAction;
  readonly exchanges: Exchange[];
  resolution: Resolution | null;
}

export interface OpenCreation extends Creation {
  readonly exchanges: Exchange[];
}

/** What the clients of one round recorded. */
export class Recorder {
  readonly creations: OpenCreation[] = [];
  readonly operations: OpenOperation[] = [];
  readonly beginnings = new Map<string, Beginning>();

  /** The ids of the shipments that clients know. */
  get shipmentIds(): readonly string[] {
    return [...this.beginnings.keys()];
  }

  /** The histories by shipment; `placeOf` tells a task's place in its shipment, undefined for a task that is not stored. */
  histories(placeOf: (taskId: string) => number | undefined): readonly ShipmentHistory[] {
    return [...this.beginnings].map(([shipmentId, beginning]) => ({
      shipmentId,
      beginning,
      operations: this.operations
        .filter((operation) => operation.shipmentId === shipmentId)
        .map((operation) => placed(operation, placeOf)),
    }));
  }
}

function placed(operation: OpenOperation, placeOf: (taskId: string) => number | undefined): Operation {
  const { action } = operation;
  const exchanges = operation.exchanges.map((exchange) => withAddedTask(exchange, action, placeOf));
  if (action.kind === 'transition' || action.kind === 'read_task') {
    const { taskId, ...rest } = action;
    // A task that is not stored has no place: no state of the model shows it.
    return { ...operation, exchanges, action: { ...rest, task: placeOf(taskId) ?? -1 } };
  }
  return { ...operation, exchanges, action };
}

/** A response to an addition names the task by its IRI. */
function withAddedTask(
  exchange: Exchange,
  action: ClientAction,
  placeOf: (taskId: string) => number | undefined,
): Exchange {
  if (action.kind !== 'add_task' || exchange.verdict !== 'applied' || exchange.effect === null)
    return exchange;
  const addedTask = placeOf(exchange.effect.split('/').at(-1) ?? '') ?? -1;
  return { ...exchange, seen: { ...exchange.seen, addedTask } };
}
