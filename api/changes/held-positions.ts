import type { ChangedRecord } from '../../store/changes/read-changes.ts';

/** Lets the position of a driver through now and then, and the newest one in any case. */
export interface HeldPositions {
  /** What of these changes is to be sent now, with what was held back and is due. */
  readonly pass: (records: readonly ChangedRecord[]) => ChangedRecord[];
  /** The transactions of what is held back: a cursor must not say that they were sent. */
  readonly xids: () => readonly number[];
  /** When the next one is due, in milliseconds from now; undefined where none is held back. */
  readonly dueInMs: () => number | undefined;
}

/** A cursor names what is held back, and must not grow without bound. */
const MAXIMUM_HELD = 200;

interface Driver {
  readonly sentAtMs: number;
  readonly held: ChangedRecord | undefined;
}

/** Holds positions of a driver back that come within `everyMs` of the one before; all else passes. */
export function holdPositions(everyMs: number, nowMs: () => number): HeldPositions {
  const drivers = new Map<string, Driver>();
  const held = () =>
    [...drivers.values()].flatMap(({ held: record }) => (record === undefined ? [] : [record]));

  const take = (now: number): ChangedRecord[] => {
    const isCrowded = held().length > MAXIMUM_HELD;
    const due: ChangedRecord[] = [];
    for (const [id, driver] of drivers) {
      if (!isCrowded && now - driver.sentAtMs < everyMs) continue;
      drivers.delete(id);
      if (driver.held === undefined) continue;
      due.push(driver.held);
      drivers.set(id, { sentAtMs: now, held: undefined });
    }
    return due;
  };

  return {
    pass: (records) => {
      const now = nowMs();
      const due = take(now);
      const passed = records.filter((record) => {
        if (record.kind !== 'driver_position') return true;
        const driver = drivers.get(record.id);
        if (driver === undefined) {
          drivers.set(record.id, { sentAtMs: now, held: undefined });
          return true;
        }
        const xids = [...(driver.held?.xids ?? []), ...record.xids];
        drivers.set(record.id, { ...driver, held: { ...record, xids } });
        return false;
      });
      return [...due, ...passed];
    },
    xids: () => held().flatMap(({ xids }) => xids),
    dueInMs: () => {
      const waiting = [...drivers.values()].filter((driver) => driver.held !== undefined);
      if (waiting.length === 0) return undefined;
      return Math.max(0, Math.min(...waiting.map(({ sentAtMs }) => sentAtMs)) + everyMs - nowMs());
    },
  };
}
