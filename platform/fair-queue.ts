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

/** How much work a queue has. */
export interface QueueCounts {
  readonly waiting: number;
  readonly running: number;
}

/** Runs work for callers that know nothing of each other, each in its turn. */
export interface FairQueue {
  readonly counts: () => QueueCounts;
  /** Runs `work` when the caller's turn comes. Rejects with QueueFullError when there is no room for it, else as `work` does. */
  readonly run: <Result>(caller: Caller, work: () => Promise<Result>) => Promise<Result>;
}

/** A piece of work that waits for its turn. */
interface Waiting {
  readonly begin: () => void;
  readonly reject: (error: QueueFullError) => void;
}

/** The pieces of one caller, the oldest first. */
interface Line {
  readonly name: string;
  readonly standing: Standing;
  readonly pieces: readonly Waiting[];
}

/**
 * Makes a queue that serves its callers in turn, one piece of work each: a caller with much work waits for itself alone,
 * and is rejected beyond its own places. Where all places are taken, the standing with more than half of them loses
 * one: the newest piece of its caller with the most waiting, so that neither a few callers nor many of one standing keep
 * the others out.
 */
export function createFairQueue(bounds: QueueBounds): FairQueue {
  const { concurrency, concurrencyPerCaller = concurrency, maxWaitingPerCaller, maxWaiting } = bounds;
  // A map keeps its order: of each standing the first caller is the next to be served, and then goes to the end.
  const lines = new Map<string, Line>();
  const inHandOf = new Map<string, number>();
  let inHand = 0;
  let nextStanding: Standing = 'trusted';

  function addInHand(name: string, change: 1 | -1): void {
    const ofCaller = (inHandOf.get(name) ?? 0) + change;
    if (ofCaller === 0) inHandOf.delete(name);
    else inHandOf.set(name, ofCaller);
    inHand += change;
  }

  const mayBegin = (name: string): boolean =>
    inHand < concurrency && (inHandOf.get(name) ?? 0) < concurrencyPerCaller;
  const linesOf = (standing: Standing): Line[] =>
    [...lines.values()].filter((line) => line.standing === standing);

  function wait({ name, standing }: Caller): Promise<void> {
    const own = lines.get(name);
    const pieces = own?.pieces ?? [];
    if (pieces.length >= maxWaitingPerCaller) throw new QueueFullError();
    if (waitingIn([...lines.values()]) >= maxWaiting) makeRoom(name, standing, pieces.length);
    if (own?.standing !== standing) lines.delete(name);
    return new Promise((begin, reject) => {
      lines.set(name, { name, standing, pieces: [...pieces, { begin, reject }] });
    });
  }

  function makeRoom(name: string, standing: Standing, ownCount: number): void {
    const others = linesOf(otherThan(standing));
    const own = linesOf(standing);
    const isOtherCrowded = waitingIn(others) > waitingIn(own);
    const loser = longestOf(isOtherCrowded ? others : own);
    const hasLess = !isOtherCrowded && (loser?.pieces.length ?? 0) <= ownCount + 1;
    if (loser === undefined || loser.name === name || hasLess) throw new QueueFullError();
    loser.pieces.at(-1)?.reject(new QueueFullError());
    setPieces(lines, loser, loser.pieces.slice(0, -1));
  }

  /** Gives a free place to the next caller who may have one more; the standings take turns. */
  function beginNext(): void {
    const inTurn = [...linesOf(nextStanding), ...linesOf(otherThan(nextStanding))];
    const next = inTurn.find(({ name }) => mayBegin(name));
    if (next === undefined) return;
    nextStanding = otherThan(next.standing);
    lines.delete(next.name);
    setPieces(lines, next, next.pieces.slice(1));
    addInHand(next.name, 1);
    next.pieces[0]?.begin();
  }

  return {
    counts: () => ({ waiting: waitingIn([...lines.values()]), running: inHand }),
    run: async (caller, work) => {
      if (mayBegin(caller.name)) addInHand(caller.name, 1);
      else await wait(caller);
      try {
        return await work();
      } finally {
        addInHand(caller.name, -1);
        beginNext();
      }
    },
  };
}

/** Keeps the caller's place in the order. */
function setPieces(lines: Map<string, Line>, line: Line, pieces: readonly Waiting[]): void {
  if (pieces.length === 0) lines.delete(line.name);
  else lines.set(line.name, { ...line, pieces });
}

function waitingIn(lines: readonly Line[]): number {
  return lines.reduce((sum, { pieces }) => sum + pieces.length, 0);
}

/** The caller with the most waiting; of several with as much the one whose turn is farthest. */
function longestOf(lines: readonly Line[]): Line | undefined {
  return lines.reduce<Line | undefined>(
    (longest, line) => (line.pieces.length >= (longest?.pieces.length ?? 0) ? line : longest),
    undefined,
  );
}

function otherThan(standing: Standing): Standing {
  return standing === 'trusted' ? 'suspected' : 'trusted';
}
