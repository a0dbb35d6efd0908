import type { LaneKey, SortKey } from './lanes.ts';
import { compareKeys } from './lanes.ts';
import type { Iri } from './rows.ts';

interface Entry {
  readonly task: Iri;
  readonly key: SortKey;
  readonly cashCents: number;
}

/** Where a task stands: its lanes, with its place in each. */
export interface Standing {
  readonly places: readonly { readonly lane: LaneKey; readonly key: SortKey }[];
  readonly cashCents: number;
}

interface Lane {
  readonly entries: Entry[];
  cashCents: number;
}

/** The lanes in their orders, kept as tasks come, change and go: one change touches the lanes that it is in and no other. */
export class LaneIndex {
  private readonly lanes = new Map<LaneKey, Lane>();
  private readonly standings = new Map<Iri, Standing>();
  private readonly onChange: (lane: LaneKey, isNew: boolean) => void;

  /** `onChange` is called with each lane whose order, count or sum changed, and whether it held nothing before or holds nothing now. */
  constructor(onChange: (lane: LaneKey, isNew: boolean) => void) {
    this.onChange = onChange;
  }

  /** Begins anew with these tasks; sorts once. Tells of no changes. */
  fill(standings: Iterable<readonly [Iri, Standing]>): void {
    this.lanes.clear();
    this.standings.clear();
    for (const [task, standing] of standings) {
      this.standings.set(task, standing);
      for (const { lane, key } of standing.places) {
        const { entries } = this.grow(lane, standing.cashCents);
        entries.push({ task, key, cashCents: standing.cashCents });
      }
    }
    for (const { entries } of this.lanes.values())
      entries.sort((one, other) => compareKeys(one.key, other.key));
  }

  /** Puts a task where it stands now; undefined removes it. A task that stands as before changes no lane. */
  put(task: Iri, standing: Standing | undefined): void {
    const before = this.standings.get(task);
    if (before !== undefined && standing !== undefined && isSame(before, standing)) return;
    for (const { lane, key } of before?.places ?? []) this.remove(task, lane, key);
    if (standing === undefined) this.standings.delete(task);
    else this.standings.set(task, standing);
    for (const { lane, key } of standing?.places ?? []) {
      const isNew = !this.lanes.has(lane);
      const { entries } = this.grow(lane, standing?.cashCents ?? 0);
      entries.splice(placeOf(entries, key), 0, { task, key, cashCents: standing?.cashCents ?? 0 });
      this.onChange(lane, isNew);
    }
  }

  lanesOf(task: Iri): readonly LaneKey[] {
    return this.standings.get(task)?.places.map(({ lane }) => lane) ?? [];
  }

  /** The tasks of a lane in order. */
  order(lane: LaneKey): readonly Iri[] {
    return this.lanes.get(lane)?.entries.map(({ task }) => task) ?? [];
  }

  cashCents(lane: LaneKey): number {
    return this.lanes.get(lane)?.cashCents ?? 0;
  }

  /** The lanes that hold a task. */
  filled(): readonly LaneKey[] {
    return [...this.lanes.keys()];
  }

  private grow(lane: LaneKey, cashCents: number): Lane {
    const known = this.lanes.get(lane) ?? { entries: [], cashCents: 0 };
    known.cashCents += cashCents;
    this.lanes.set(lane, known);
    return known;
  }

  private remove(task: Iri, lane: LaneKey, key: SortKey): void {
    const found = this.lanes.get(lane);
    if (found === undefined) return;
    const near = placeOf(found.entries, key);
    const index =
      found.entries[near]?.task === task ? near : found.entries.findIndex((entry) => entry.task === task);
    const [removed] = found.entries.splice(index, 1);
    found.cashCents -= removed?.cashCents ?? 0;
    if (found.entries.length === 0) this.lanes.delete(lane);
    this.onChange(lane, found.entries.length === 0);
  }
}

/** The index of the first entry that does not stand before the key. */
function placeOf(entries: readonly Entry[], key: SortKey): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries[middle];
    if (entry !== undefined && compareKeys(entry.key, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isSame(one: Standing, other: Standing): boolean {
  return (
    one.cashCents === other.cashCents &&
    one.places.length === other.places.length &&
    one.places.every(({ lane, key }, index) => {
      const against = other.places[index];
      return against?.lane === lane && compareKeys(key, against.key) === 0;
    })
  );
}
