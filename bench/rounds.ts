/** One of two sides of a comparison: each call is one round and resolves to its figure. */
export interface Side {
  readonly name: string;
  readonly run: () => Promise<number>;
}

/** What interleaved rounds of two sides came to. Ratios are ours through bare, pair by pair. */
export interface Comparison {
  readonly ours: readonly number[];
  readonly bare: readonly number[];
  readonly medianRatio: number;
  readonly lowestRatio: number;
  readonly highestRatio: number;
  /** Why the figures do not count; empty when they do. */
  readonly voidBecause: readonly string[];
}

/** The most by which the best round of a side may exceed its worst. */
const MOST_DRIFT = 1.25;

/**
 * Runs two sides in turn, A B B A A B B A …, so that whatever slows the machine down for a while meets both. One round
 * of each goes before, to warm up, and does not count.
 */
export async function compare(
  ours: Side,
  bare: Side,
  rounds: number,
  onRound: (side: Side, round: number, figure: number) => void = () => undefined,
): Promise<Comparison> {
  const figures = { ours: new Array<number>(), bare: new Array<number>() };
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const);
    for (const which of order) {
      const side = which === 'ours' ? ours : bare;
      const figure = await side.run();
      onRound(side, round, figure);
      if (round > 0) figures[which].push(figure);
    }
  }
  return compareRounds(ours.name, figures.ours, bare.name, figures.bare);
}

/** Judges the figures of both sides, in the order of their rounds. */
export function compareRounds(
  oursName: string,
  ours: readonly number[],
  bareName: string,
  bare: readonly number[],
): Comparison {
  const ratios = ours.map((figure, index) => figure / (bare[index] ?? Number.NaN));
  return {
    ours,
    bare,
    medianRatio: median(ratios),
    lowestRatio: Math.min(...ratios),
    highestRatio: Math.max(...ratios),
    voidBecause: [...driftOf(oursName, ours), ...driftOf(bareName, bare)],
  };
}

/** The middle of the values, or the mean of the two in the middle. NaN of none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The quantile of the values, interpolated between neighbours. NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

function driftOf(name: string, figures: readonly number[]): string[] {
  const drift = Math.max(...figures) / Math.min(...figures);
  if (drift <= MOST_DRIFT) return [];
  return [`the rounds of «${name}» differ by ${Math.round((drift - 1) * 100)} %`];
}
