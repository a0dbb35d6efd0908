import type { Evidence, StoredCommand, TimelineEntry } from './evidence.ts';
import type { Action, Exchange, Operation, Seen, ShipmentHistory, Verdict } from './history.ts';

/** Small histories and evidence for the checker's own tests. */

export const SHIPMENT = 'shipment-1';
const STATUS: Readonly<Record<Verdict, number | null>> = {
  applied: 200,
  accepted: 202,
  rejected: 409,
  gone: 404,
  none: null,
  unexpected: 418,
};

/** An exchange from one moment to another. */
export function exchange(
  [sentAtMs, endedAtMs]: readonly [number, number],
  verdict: Verdict,
  seen: Seen | null = null,
  effect: string | null = null,
): Exchange {
  return { sentAtMs, endedAtMs, status: STATUS[verdict], verdict, seen, effect };
}

/** An operation with its exchanges; `resolution` is what GET /commands/{id} said. */
export function operation(
  id: string,
  action: Action,
  exchanges: readonly Exchange[],
  resolution: Operation['resolution'] = null,
): Operation {
  return { id, shipmentId: SHIPMENT, action, exchanges, resolution };
}

export function transition(name: string, task = 0, driver: string | null = null): Action {
  return { kind: 'transition', task, transition: name, driver };
}

/** A transition that was answered with 200. */
export function applied(id: string, name: string, when: readonly [number, number]): Operation {
  return operation(id, transition(name, 0, name === 'assign' ? 'driver' : null), [exchange(when, 'applied')]);
}

/** A transition that was answered with 202 and later read as applied or rejected. */
export function accepted(
  id: string,
  name: string,
  when: readonly [number, number],
  status: 'applied' | 'rejected' | 'failed',
  resolvedAtMs: number,
): Operation {
  return operation(
    id,
    transition(name, 0, name === 'assign' ? 'driver' : null),
    [exchange(when, 'accepted')],
    {
      status,
      atMs: resolvedAtMs,
    },
  );
}

/** A shipment without a pickup: its one task is the delivery, task 0. */
export function history(operations: readonly Operation[], hasPickup = false): ShipmentHistory {
  return { shipmentId: SHIPMENT, beginning: { status: 'pending', hasPickup }, operations };
}

export function command(id: string, status: string, decidedAt: string | null = '1'): StoredCommand {
  return { id: `c-${id}`, shipmentId: SHIPMENT, kind: 'transition', status, comment: id, decidedAt };
}

/** A timeline entry of the delivery; the command is that of the operation `id`. */
export function entry(
  sequence: number,
  id: string,
  name: string,
  taskStatus: string,
  shipmentStatus: string,
): TimelineEntry {
  return {
    shipmentId: SHIPMENT,
    sequence,
    kind: 'transition',
    shipmentStatus,
    task: 0,
    taskType: 'delivery',
    taskStatus,
    transition: name,
    driver: 'driver',
    comment: id,
    commandId: `c-${id}`,
    recordedAt: momentOf(sequence),
  };
}

export function momentOf(sequence: number): string {
  return `2026-01-01 00:00:00.00000${sequence}+00`;
}

export function evidence(parts: Partial<Evidence> = {}): Evidence {
  return { shipments: [], commands: [], timeline: [], events: [], posts: [], runs: [], ...parts };
}
