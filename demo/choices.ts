/** Choices that look random and are the same each time. */
export interface Choices {
  /** From 0 up to and without 1. */
  readonly fraction: () => number;
  /** From `least` to `most`, whole. */
  readonly whole: (least: number, most: number) => number;
  /** Whether something happens that happens so often, 0 to 1. */
  readonly happens: (probability: number) => boolean;
  readonly oneOf: <T>(list: readonly T[]) => T;
  readonly shuffled: <T>(list: readonly T[]) => readonly T[];
}

/** Makes choices from a seed (the generator mulberry32: 32 bits of state are plenty for a demo). */
export function createChoices(seed: number): Choices {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (least: number, most: number): number => least + Math.floor(fraction() * (most - least + 1));
  return {
    fraction,
    whole,
    happens: (probability) => fraction() < probability,
    oneOf: (list) => {
      const chosen = list[whole(0, list.length - 1)];
      if (chosen === undefined) throw new Error('There is nothing to choose from.');
      return chosen;
    },
    shuffled: (list) => {
      const keyed = list.map((item) => ({ item, key: fraction() }));
      return keyed.sort((left, right) => left.key - right.key).map(({ item }) => item);
    },
  };
}
