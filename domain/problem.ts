import type { Transition } from './enumerations.ts';

/** One thing wrong with a request: where, what, and a stable code (contract «Errors», design gap 26). */
export interface Violation {
  /** Property path in the request, for example `recipient.address.street` or `items[0].quantity`. */
  readonly propertyPath: string;
  /** What is wrong and what to send instead, in one sentence. */
  readonly message: string;
  readonly code: ViolationCode;
}

/**
 * Stable codes of violations. The wire carries the UUIDs that clients of this family of APIs
 * already know for the same constraints (api/http/violation-codes.ts).
 */
export const VIOLATION_CODES = [
  'required',
  'null',
  'type',
  'blank',
  'too_short',
  'too_long',
  'format',
  'choice',
  'range',
  'too_few',
  'too_many',
  'unknown_field',
  'read_only',
  'reference',
  'unique',
  'rule',
] as const;
export type ViolationCode = (typeof VIOLATION_CODES)[number];

/**
 * Every way in which the service refuses a request. A refusal is a value, expected and
 * explained; a broken assumption is an ordinary Error and becomes a 500 without details.
 */
export type Problem =
  | { readonly kind: 'malformed'; readonly detail: string }
  | {
      readonly kind: 'unauthenticated';
      readonly detail: string;
      /** What would open the surface: a bearer token unless told. */
      readonly credential?: 'token' | 'key';
    }
  | { readonly kind: 'forbidden'; readonly detail: string }
  | { readonly kind: 'missing'; readonly detail: string }
  | { readonly kind: 'method_not_allowed'; readonly detail: string; readonly allow: readonly string[] }
  | { readonly kind: 'not_acceptable'; readonly detail: string }
  | {
      readonly kind: 'conflict';
      readonly detail: string;
      readonly currentStatus?: string;
      readonly allowedTransitions?: readonly Transition[];
      /** IRIs of what stands in the way, when the caller may see them. */
      readonly blockedBy?: readonly string[];
    }
  | { readonly kind: 'stale'; readonly detail: string }
  | { readonly kind: 'too_large'; readonly detail: string }
  | { readonly kind: 'unsupported_media_type'; readonly detail: string }
  | { readonly kind: 'invalid'; readonly violations: readonly Violation[] }
  | { readonly kind: 'limited'; readonly detail: string; readonly retryAfterSeconds: number }
  | { readonly kind: 'unavailable'; readonly detail: string; readonly retryAfterSeconds: number };

export type ProblemKind = Problem['kind'];

/** Carries a Problem to the one place that answers it (api/http/problem-response.ts). Thrown for refusals only. */
export class Refusal extends Error {
  readonly problem: Problem;
  /** Whether it is the outcome of a stored command: every repeat with the same Idempotency-Key gets it. */
  readonly isOutcome: boolean;

  constructor(problem: Problem, { isOutcome = false }: { readonly isOutcome?: boolean } = {}) {
    super(problem.kind === 'invalid' ? describeViolations(problem.violations) : problem.detail);
    this.name = 'Refusal';
    this.problem = problem;
    this.isOutcome = isOutcome;
  }
}

/** One line per violation, `path: message`, as the `detail` of a 422. */
export function describeViolations(violations: readonly Violation[]): string {
  return violations
    .map(({ propertyPath, message }) => (propertyPath === '' ? message : `${propertyPath}: ${message}`))
    .join('\n');
}

/** A refusal of one field. */
export function invalid(propertyPath: string, message: string, code: ViolationCode): Problem {
  return { kind: 'invalid', violations: [{ propertyPath, message, code }] };
}
