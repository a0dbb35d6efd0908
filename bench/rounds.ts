/** What one side of a round measured: figures by their names, each with a name of its own in the case. */
export type Numbers = Readonly<Record<string, number>>;

/** One of the sides that are compared; each call is one round of it. */
export type Side = () => Promise<Numbers>;

/** A bound on the median. */
export type Aim = { readonly atLeast: number } | { readonly atMost: number };

/** A claim: which number is meant, and through which other one it is divided, round by round. */
export interface Figure {
  readonly of: string;
  readonly unit: string;
  readonly through?: string;
  readonly aim?: Aim;
  /** Further numbers of the rounds that the report shows with it. */
  readonly also?: readonly string[];
  /** Measured together with another figure, by which alone it is judged whether the rounds agree. */
  readonly isByProduct?: true;
}

/** What the rounds came to: numbers as measured, or ratios, pair by pair. */
export interface Judgement {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
  /** Why the figure does not count; empty when it does. */
  readonly voidBecause: readonly string[];
}

/** The most by which the best round of a side may exceed its worst. */
const MOST_DRIFT = 1.25;

/**
 * Runs the sides in turn, A B B A A B B A …, so that whatever slows the machine down for a while meets all of them. Rounds
 * from 0 down warm up and do not count. Resolves to the numbers of the others.
 */
export async function runRounds(
  sides: readonly Side[],
  { rounds, warmUps }: { readonly rounds: number; readonly warmUps: number },
  onRound: (round: number, numbers: Numbers) => void = () => undefined,
): Promise<readonly Numbers[]> {
  const counted: Numbers[] = [];
  for (let round = 1 - warmUps; round <= rounds; round += 1) {
    let numbers: Numbers = {};
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const found = await side();
      onRound(round, found);
      numbers = { ...numbers, ...found };
    }
    if (round > 0) counted.push(numbers);
  }
  return counted;
}

/** The numbers of a name, in the order of the rounds. Throws where a round has none. */
export function column(rounds: readonly Numbers[], name: string): readonly number[] {
  return rounds.map((numbers) => {
    const value = numbers[name];
    if (value === undefined) throw new Error(`No round measures “${name}”.`);
    return value;
  });
}

/** Judges a claim by the numbers of all rounds. */
export function judge({ of, through, isByProduct }: Figure, rounds: readonly Numbers[]): Judgement {
  const ours = column(rounds, of);
  const bare = through === undefined ? undefined : column(rounds, through);
  const values =
    bare === undefined ? ours : ours.map((figure, index) => figure / (bare[index] ?? Number.NaN));
  const isDriftJudged = bare !== undefined && isByProduct !== true;
  return {
    median: median(values),
    lowest: Math.min(...values),
    highest: Math.max(...values),
    voidBecause: isDriftJudged ? [...driftOf(of, ours), ...driftOf(through ?? '', bare)] : [],
  };
}

/** The middle of the values, or the mean of the two in the middle. NaN of none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The quantile of the values, interpolated between neighbours. NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/** What some times came to, as numbers that begin with a name: `NAME, p50`, and so on. */
export function quantilesOf(name: string, times: readonly number[]): Numbers {
  return {
    [`${name}, p50`]: quantile(times, 0.5),
    [`${name}, p95`]: quantile(times, 0.95),
    [`${name}, p99`]: quantile(times, 0.99),
    [`${name}, at most`]: quantile(times, 1),
  };
}

function driftOf(name: string, figures: readonly number[]): string[] {
  const drift = Math.max(...figures) / Math.min(...figures);
  if (drift <= MOST_DRIFT) return [];
  return [`the rounds of «${name}» differ by ${Math.round((drift - 1) * 100)} %`];
}
