import type { Violation, Violations } from '../../domain/problem.ts';
import { REQUEST_LIMITS } from '../../domain/request-limits.ts';

/** Collects what is wrong with one value: as many violations as an answer lists, and a count of the others. */
export interface ViolationCollector {
  /** Counts a violation; it is worded by `word` only where it will be listed, since words cost more than counting. */
  readonly add: (word: () => Violation) => void;
  readonly found: () => Required<Violations>;
}

/** An empty collector, for one value. */
export function collectViolations(): ViolationCollector {
  const violations: Violation[] = [];
  let furtherViolations = 0;
  return {
    add: (word) => {
      if (violations.length < REQUEST_LIMITS.reportedViolations) violations.push(word());
      else furtherViolations += 1;
    },
    found: () => ({ violations, furtherViolations }),
  };
}
