/** Thrown, before anything is done, when too much work is already waiting: of the caller's own, or in all. */
export class QueueFullError extends Error {
  constructor() {
    super('too much work is already waiting');
    this.name = 'QueueFullError';
  }
}

/** How much work a queue takes on. */
export interface QueueBounds {
  /** Pieces of work that are in hand at a time. */
  readonly concurrency: number;
  /** Pieces of one caller among them; all of them by default. */
  readonly concurrencyPerCaller?: number;
  /** Pieces that may wait: of one caller, and of all callers together. */
  readonly maxWaitingPerCaller: number;
  readonly maxWaiting: number;
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
  /** Runs `work` when the caller's turn comes. Rejects with QueueFullError when there is no room for it, else as `work` does. */
  readonly run: <Result>(caller: Caller, work: () => Promise<Result>) => Promise<Result>;
}

/** A piece of work that waits for its turn. */
interface Waiting {
  readonly begin: () => void;
  readonly reject: (error: QueueFullError) => void;
}

/**
 * Makes a queue that serves its callers in turn, one piece of work each: a caller with much work waits for itself alone,
 * and is rejected beyond its own places. Where all places are taken, the standing with more than half of them loses
 * one: the newest piece of its caller with the most waiting, so that neither a few callers nor many of one standing keep
 * the others out.
 */
export function createFairQueue(bounds: QueueBounds): FairQueue {
  const { concurrency, concurrencyPerCaller = concurrency, maxWaitingPerCaller, maxWaiting } = bounds;
  const waitingCallers = createWaitingCallers();
  const inHandOf = new Map<string, number>();
  const count = { inHand: 0, waiting: 0 };

  function mayBegin(name: string): boolean {
    return count.inHand < concurrency && (inHandOf.get(name) ?? 0) < concurrencyPerCaller;
  }

  function addInHand(name: string, change: 1 | -1): void {
    const inHand = (inHandOf.get(name) ?? 0) + change;
    if (inHand === 0) inHandOf.delete(name);
    else inHandOf.set(name, inHand);
    count.inHand += change;
  }

  function wait(caller: Caller): Promise<void> {
    if (waitingCallers.countOf(caller.name) >= maxWaitingPerCaller) throw new QueueFullError();
    if (count.waiting >= maxWaiting) makeRoom(caller);
    return new Promise((begin, reject) => {
      waitingCallers.add(caller, { begin, reject });
      count.waiting += 1;
    });
  }

  function makeRoom(caller: Caller): void {
    const loser = waitingCallers.takeNewestFor(caller);
    if (loser === undefined) throw new QueueFullError();
    count.waiting -= 1;
    loser.reject(new QueueFullError());
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
    run: async (caller, work) => {
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
    /** Takes the piece out that gives way to a new one of this caller; undefined where the new one itself has to. */
    takeNewestFor: ({ name, standing }: Caller): Waiting | undefined => {
      const other = otherThan(standing);
      const isOtherCrowded = piecesOf(callers[other]) > piecesOf(callers[standing]);
      const crowded = callers[isOtherCrowded ? other : standing];
      const [loser, most] = longestOf(crowded);
      const ownAfter = (find(name)?.length ?? 0) + 1;
      if (loser === name || (!isOtherCrowded && most.length <= ownAfter)) return undefined;
      if (most.length === 1) crowded.delete(loser);
      return most.pop();
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

function piecesOf(callers: ReadonlyMap<string, readonly Waiting[]>): number {
  return [...callers.values()].reduce((sum, { length }) => sum + length, 0);
}

/** Of several with as much the one whose turn is farthest. */
function longestOf(callers: ReadonlyMap<string, Waiting[]>): readonly [string, Waiting[]] {
  let longest: readonly [string, Waiting[]] = ['', []];
  for (const entry of callers) if (entry[1].length >= longest[1].length) longest = entry;
  return longest;
}

function otherThan(standing: Standing): Standing {
  return standing === 'trusted' ? 'suspected' : 'trusted';
}
