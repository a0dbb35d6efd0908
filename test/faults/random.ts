/** A seeded source of chance. */
export interface Random {
  /** At least 0, below 1. */
  readonly next: () => number;
  /** A whole number from `least` to `most`, both included. */
  readonly integer: (least: number, most: number) => number;
  /** Whether something of this probability happens. */
  readonly isLikely: (probability: number) => boolean;
  /** One of the items. Throws when there are none. */
  readonly pick: <Item>(items: readonly Item[]) => Item;
  readonly shuffle: <Item>(items: readonly Item[]) => Item[];
}

/**
 * Makes a source of chance that gives the same numbers for the same seed and purpose. Each purpose has its own, so that
 * what one client does never changes what another draws.
 */
export function randomOf(seed: number, ...purpose: readonly (string | number)[]): Random {
  let state = hash(`${seed} ${purpose.join(' ')}`);
  // Mulberry32: 32 bits of state are plenty for a schedule.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    integer,
    isLikely: (probability) => next() < probability,
    pick: (items) => {
      const item = items[integer(0, items.length - 1)];
      if (item === undefined) throw new Error('there is nothing to pick from');
      return item;
    },
    shuffle: (items) =>
      items
        .map((item) => ({ item, rank: next() }))
        .sort((one, other) => one.rank - other.rank)
        .map(({ item }) => item),
  };
}

/** FNV-1a of a text. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
}
