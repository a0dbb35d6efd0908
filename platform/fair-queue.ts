/** Thrown, before anything is done, when too much work waits already: of its own lane, or in all. */
export class QueueFull extends Error {
  constructor() {
    super('too much work waits already');
    this.name = 'QueueFull';
  }
}

/** How much work a queue takes on. */
export interface QueueBounds {
  /** Pieces of work that are in hand at a time. */
  readonly width: number;
  /** Pieces that may wait: of one lane, and of all lanes together. */
  readonly waitingPerLane: number;
  readonly waitingInAll: number;
}

/** Lanes of the two kinds take turns, so that few trusted ones need not wait for many suspected ones. */
export type LaneKind = 'trusted' | 'suspected';

/** One caller, who waits for its own work and for one piece of each other lane. */
export interface Lane {
  readonly name: string;
  /** The lane is of the kind that its newest piece names. */
  readonly kind: LaneKind;
}

/** Runs work for lanes that know nothing of each other. */
export interface FairQueue {
  /** Runs `work` when its lane's turn comes. Rejects with QueueFull when there is no room for it, else as `work` does. */
  readonly take: <Result>(lane: Lane, work: () => Promise<Result>) => Promise<Result>;
}

/** A piece of work that waits for its turn. */
interface Waiting {
  readonly begin: () => void;
  readonly refuse: (error: QueueFull) => void;
}

/**
 * Makes a queue that serves its lanes in turn, one piece of work each: a lane with much work waits for itself alone. A
 * full lane is refused its next piece. Where all places are taken, the lane with the most waiting loses its newest
 * piece to a lane with less, so that a lane is never refused for what another one sends.
 */
export function createFairQueue({ width, waitingPerLane, waitingInAll }: QueueBounds): FairQueue {
  const waitingLanes = createLanes();
  const count = { inHand: 0, waiting: 0 };

  function wait(lane: Lane): Promise<void> {
    const own = waitingLanes.lengthOf(lane.name);
    if (own >= waitingPerLane) throw new QueueFull();
    if (count.waiting >= waitingInAll) makeRoom(own + 1);
    return new Promise((begin, refuse) => {
      waitingLanes.add(lane, { begin, refuse });
      count.waiting += 1;
    });
  }

  /** Takes the newest piece of the longest lane out, for a lane that will have `length` pieces and be shorter. */
  function makeRoom(length: number): void {
    const longest = waitingLanes.longest();
    if (longest.length <= length) throw new QueueFull();
    count.waiting -= 1;
    longest.pop()?.refuse(new QueueFull());
  }

  /** Gives the place of a piece that is done to the next lane. */
  function handOn(): void {
    const next = waitingLanes.next();
    if (next === undefined) {
      count.inHand -= 1;
      return;
    }
    count.waiting -= 1;
    next.begin();
  }

  return {
    take: async (lane, work) => {
      if (count.inHand < width) count.inHand += 1;
      else await wait(lane);
      try {
        return await work();
      } finally {
        handOn();
      }
    },
  };
}

/** The lanes in which something waits. */
function createLanes() {
  // A map keeps its order: its first lane is the next to be served, and then goes to the end.
  const lanes: Readonly<Record<LaneKind, Map<string, Waiting[]>>> = {
    trusted: new Map(),
    suspected: new Map(),
  };
  let nextKind: LaneKind = 'trusted';
  const find = (name: string) => lanes.trusted.get(name) ?? lanes.suspected.get(name);

  return {
    lengthOf: (name: string): number => find(name)?.length ?? 0,
    add: ({ name, kind }: Lane, piece: Waiting): void => {
      const own = find(name) ?? [];
      own.push(piece);
      lanes[otherThan(kind)].delete(name);
      lanes[kind].set(name, own);
    },
    longest: (): Waiting[] => {
      let longest: Waiting[] = [];
      for (const own of [...lanes.trusted.values(), ...lanes.suspected.values()])
        if (own.length > longest.length) longest = own;
      return longest;
    },
    /** Takes the piece out whose turn it is. */
    next: (): Waiting | undefined => {
      const kind = lanes[nextKind].size > 0 ? nextKind : otherThan(nextKind);
      const [first] = lanes[kind];
      if (first === undefined) return undefined;
      const [name, own] = first;
      lanes[kind].delete(name);
      const piece = own.shift();
      if (own.length > 0) lanes[kind].set(name, own);
      nextKind = otherThan(kind);
      return piece;
    },
  };
}

function otherThan(kind: LaneKind): LaneKind {
  return kind === 'trusted' ? 'suspected' : 'trusted';
}
