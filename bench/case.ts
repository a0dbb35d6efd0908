import type { Deployment } from './deployment.ts';
import type { Comparison, Side } from './rounds.ts';

/** What a case is given to work with. */
export interface CaseContext {
  readonly deployment: Deployment;
  readonly rounds: number;
  /** A smoke run: the smallest amounts that still show that the case works. */
  readonly isQuick: boolean;
  readonly onRound: (side: Side, round: number, figure: number) => void;
  readonly say: (line: string) => void;
}

/** One figure with its aim. */
interface Figure {
  readonly figure: string;
  readonly unit: string;
  readonly aim: Aim | null;
  /** What else the rounds told, a line each. */
  readonly remarks?: readonly string[];
}

/** A figure that is compared; its aim is a bound on the median ratio. */
export interface Result extends Figure, Comparison {
  readonly oursName: string;
  readonly bareName: string;
}

/** A figure that is not compared; its aim is a bound on the median of the rounds. */
export interface Measurement extends Figure {
  readonly rounds: readonly number[];
  /** Why the figure does not count; empty when it does. */
  readonly voidBecause: readonly string[];
}

/** A bound on the median. */
export type Aim = { readonly atLeast: number } | { readonly atMost: number };

/** One claim, with its bare counterpart where there is one. */
export interface BenchCase {
  /** What `npm run bench -- NAME` calls it. */
  readonly name: string;
  readonly title: string;
  readonly run: (context: CaseContext) => Promise<readonly (Result | Measurement)[]>;
}
