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

/** Runs work for lanes that know nothing of each other; each lane stands for one caller. */
export interface FairQueue {
  /** Runs `work` when its lane's turn comes. Rejects with QueueFull when there is no room for it, else as `work` does. */
  readonly take: <Result>(lane: string, work: () => Promise<Result>) => Promise<Result>;
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
  // A map keeps its order: the first lane is the next to be served, and then goes to the end.
  const lanes = new Map<string, Waiting[]>();
  const count = { inHand: 0, waiting: 0 };

  function wait(lane: string): Promise<void> {
    const own = lanes.get(lane) ?? [];
    if (own.length >= waitingPerLane) throw new QueueFull();
    if (count.waiting >= waitingInAll) makeRoom(own.length + 1);
    return new Promise((begin, refuse) => {
      own.push({ begin, refuse });
      lanes.set(lane, own);
      count.waiting += 1;
    });
  }

  /** Takes the newest piece of the longest lane out, for a lane that will have `length` pieces and be shorter. */
  function makeRoom(length: number): void {
    let longest: Waiting[] = [];
    for (const waiting of lanes.values()) if (waiting.length > longest.length) longest = waiting;
    if (longest.length <= length) throw new QueueFull();
    count.waiting -= 1;
    longest.pop()?.refuse(new QueueFull());
  }

  /** Gives the place of a piece that is done to the next lane. */
  function handOn(): void {
    const [first] = lanes;
    if (first === undefined) {
      count.inHand -= 1;
      return;
    }
    const [lane, waiting] = first;
    const next = waiting.shift();
    lanes.delete(lane);
    if (waiting.length > 0) lanes.set(lane, waiting);
    count.waiting -= 1;
    next?.begin();
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
