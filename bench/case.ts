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

/** One compared figure with its aim, a bound on the median ratio. */
export interface Result extends Comparison {
  readonly figure: string;
  readonly unit: string;
  readonly oursName: string;
  readonly bareName: string;
  readonly aim: Aim | null;
  /** What else the rounds told, a line each. */
  readonly remarks?: readonly string[];
}

/** A bound on the median ratio of ours through bare. */
export type Aim = { readonly atLeast: number } | { readonly atMost: number };

/** One claim with its bare counterpart. */
export interface BenchCase {
  /** What `npm run bench -- NAME` calls it. */
  readonly name: string;
  readonly title: string;
  readonly run: (context: CaseContext) => Promise<readonly Result[]>;
}
