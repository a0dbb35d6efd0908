/** Thrown, before anything is done, when too much work waits already. */
export class TurnsFull extends Error {
  constructor() {
    super('too much work waits already');
    this.name = 'TurnsFull';
  }
}

/** Runs work one after the other. */
export interface Turns {
  /** Runs `work` when all before it has settled. Rejects with TurnsFull at once, else as `work` does. */
  readonly take: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Makes turns of which at most `limit` are taken, the one in hand counted in. */
export function createTurns(limit: number): Turns {
  let last: Promise<unknown> = Promise.resolve();
  let taken = 0;
  return {
    take: async (work) => {
      if (taken >= limit) throw new TurnsFull();
      taken += 1;
      const result = last.then(work);
      last = result.catch(() => undefined);
      try {
        return await result;
      } finally {
        taken -= 1;
      }
    },
  };
}
