import type { HttpClient, HttpOptions } from '../test/harness/http.ts';
import type { BenchDeployment } from './deployment.ts';
import type { Figure, Side } from './rounds.ts';

/** What a case is given to work with. */
export interface CaseContext {
  readonly deployment: BenchDeployment;
  /** A smoke run: the smallest amounts that still show that the case works. */
  readonly isQuick: boolean;
  readonly say: (line: string) => void;
  /** Opens a client, of the deployment's API if no other is given; it is closed after the case. */
  readonly http: (options: HttpOptions & { readonly baseUrl?: string }) => HttpClient;
  /** Closes something after the case, the last opened first. */
  readonly atEnd: (close: () => unknown) => void;
}

/** What the rounds of a case run. */
export interface Stage {
  readonly sides: readonly Side[];
  /** Asked after all rounds: why the figures do not count; empty when they do. */
  readonly check?: () => Promise<readonly string[]>;
}

/** One claim, or several that are measured together, with the bare counterpart where there is one. */
export interface BenchCase {
  /** What `npm run bench -- NAME` calls it. */
  readonly name: string;
  readonly title: string;
  readonly figures: readonly Figure[];
  /** Rounds to warm up; one if not given. */
  readonly warmUps?: number;
  /** The most rounds that make sense, where a round is a sum over very many things by itself. */
  readonly mostRounds?: number;
  /** Makes what the rounds share. */
  readonly open: (context: CaseContext) => Promise<Stage>;
}
