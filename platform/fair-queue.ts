/** Thrown, before anything is done, when too much work waits already: of the caller's own, or in all. */
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
  /** Pieces of one caller among them; all of them by default. */
  readonly widthPerCaller?: number;
  /** Pieces that may wait: of one caller, and of all callers together. */
  readonly waitingPerCaller: number;
  readonly waitingInAll: number;
}

/** Trusted and suspected callers take turns, so that few of one standing do not wait for many of the other. */
export type Standing = 'trusted' | 'suspected';

/** For whom work is done. */
export interface Caller {
  readonly name: string;
  /** That of the newest piece counts for all that wait. */
  readonly standing: Standing;
}

/** Runs work for callers that know nothing of each other, each in its turn. */
export interface FairQueue {
  /** Runs `work` when the caller's turn comes. Rejects with QueueFull when there is no room for it, else as `work` does. */
  readonly take: <Result>(caller: Caller, work: () => Promise<Result>) => Promise<Result>;
}

/** A piece of work that waits for its turn. */
interface Waiting {
  readonly begin: () => void;
  readonly refuse: (error: QueueFull) => void;
}

/**
 * Makes a queue that serves its callers in turn, one piece of work each: a caller with much work waits for itself alone,
 * and is refused what exceeds its own places. Where all places are taken, the caller with the most waiting loses its
 * newest piece to a caller with less, so that a few callers cannot keep the others out.
 */
export function createFairQueue(bounds: QueueBounds): FairQueue {
  const { width, widthPerCaller = width, waitingPerCaller, waitingInAll } = bounds;
  const waitingCallers = createWaitingCallers();
  const inHandOf = new Map<string, number>();
  const count = { inHand: 0, waiting: 0 };

  function mayBegin(name: string): boolean {
    return count.inHand < width && (inHandOf.get(name) ?? 0) < widthPerCaller;
  }

  function addInHand(name: string, change: 1 | -1): void {
    const inHand = (inHandOf.get(name) ?? 0) + change;
    if (inHand === 0) inHandOf.delete(name);
    else inHandOf.set(name, inHand);
    count.inHand += change;
  }

  function wait(caller: Caller): Promise<void> {
    const own = waitingCallers.countOf(caller.name);
    if (own >= waitingPerCaller) throw new QueueFull();
    if (count.waiting >= waitingInAll) makeRoom(own + 1);
    return new Promise((begin, refuse) => {
      waitingCallers.add(caller, { begin, refuse });
      count.waiting += 1;
    });
  }

  /** Takes the newest piece of the caller with the most out, for a caller that will have `length` pieces, and fewer. */
  function makeRoom(length: number): void {
    const most = waitingCallers.most();
    if (most.length <= length) throw new QueueFull();
    count.waiting -= 1;
    most.pop()?.refuse(new QueueFull());
  }

  /** Gives the place of a piece that is done to the next caller who may have one more. */
  function handOn(name: string): void {
    addInHand(name, -1);
    const next = waitingCallers.next(mayBegin);
    if (next === undefined) return;
    count.waiting -= 1;
    addInHand(next.name, 1);
    next.piece.begin();
  }

  return {
    take: async (caller, work) => {
      if (mayBegin(caller.name)) addInHand(caller.name, 1);
      else await wait(caller);
      try {
        return await work();
      } finally {
        handOn(caller.name);
      }
    },
  };
}

/** The callers of whom something waits. */
function createWaitingCallers() {
  // A map keeps its order: its first caller is the next to be served, and then goes to the end.
  const callers: Readonly<Record<Standing, Map<string, Waiting[]>>> = {
    trusted: new Map(),
    suspected: new Map(),
  };
  let nextStanding: Standing = 'trusted';
  const find = (name: string) => callers.trusted.get(name) ?? callers.suspected.get(name);

  return {
    countOf: (name: string): number => find(name)?.length ?? 0,
    add: ({ name, standing }: Caller, piece: Waiting): void => {
      const own = find(name) ?? [];
      own.push(piece);
      callers[otherThan(standing)].delete(name);
      callers[standing].set(name, own);
    },
    /** What waits of the caller of whom the most waits. */
    most: (): Waiting[] => {
      let most: Waiting[] = [];
      for (const own of [...callers.trusted.values(), ...callers.suspected.values()])
        if (own.length > most.length) most = own;
      return most;
    },
    /** Takes the piece out whose turn it is, among the callers who may begin. */
    next: (
      mayBegin: (name: string) => boolean,
    ): { readonly name: string; readonly piece: Waiting } | undefined => {
      for (const standing of [nextStanding, otherThan(nextStanding)]) {
        const name = [...callers[standing].keys()].find(mayBegin);
        const own = name === undefined ? undefined : callers[standing].get(name);
        const piece = own?.shift();
        if (name === undefined || own === undefined || piece === undefined) continue;
        callers[standing].delete(name);
        if (own.length > 0) callers[standing].set(name, own);
        nextStanding = otherThan(standing);
        return { name, piece };
      }
      return undefined;
    },
  };
}

function otherThan(standing: Standing): Standing {
  return standing === 'trusted' ? 'suspected' : 'trusted';
}
