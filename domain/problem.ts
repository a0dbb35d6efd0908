import type { Transition } from './enumerations.ts';
import type { Said } from './messages.ts';
import { REQUEST_LIMITS } from './request-limits.ts';

/** One thing wrong with a request: where, what, and a stable code (contract «Errors», interpretation 26). */
export interface Violation extends Said {
  /** Property path in the request, for example `recipient.address.street` or `items[0].quantity`. */
  readonly propertyPath: string;
  readonly code: ViolationCode;
}

/** What is wrong with a request: the first violations in the order of the request, and how many others were counted. */
export interface Violations {
  readonly violations: readonly Violation[];
  readonly furtherViolations?: number;
}

/**
 * Stable codes of violations. The wire carries the UUIDs that clients of this family of APIs
 * already know for the same constraints (api/schema/violation-codes.ts).
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

/** A sentence for people, with what a client needs to say it in another language; some problems only clients' authors meet. */
interface Stated extends Pick<Said, 'messageKey' | 'parameters'> {
  readonly detail: string;
}

/** How callers prove who they are: people by a token, or by the console's cookie; shops' servers by a key. */
export type Credential = 'token' | 'cookie' | 'key';

/**
 * Every way in which the service rejects a request. A problem is a value, expected and
 * explained; a broken assumption is an ordinary Error and becomes a 500 without details.
 */
export type Problem =
  | ({ readonly kind: 'malformed' } & Stated)
  | ({
      readonly kind: 'unauthenticated';
      /** What would open the surface: a bearer token by default. */
      readonly credential?: Credential;
    } & Stated)
  | ({ readonly kind: 'forbidden' } & Stated)
  /** The role may, and the user has to prove more of who it is first (decision 0046). */
  | ({ readonly kind: 'unproven' } & Stated)
  | ({ readonly kind: 'missing' } & Stated)
  | ({ readonly kind: 'method_not_allowed'; readonly allow: readonly string[] } & Stated)
  | ({ readonly kind: 'not_acceptable' } & Stated)
  | ({
      readonly kind: 'conflict';
      readonly currentStatus?: string;
      readonly allowedTransitions?: readonly Transition[];
      /** IRIs of the records that prevent it, when the caller may see them. */
      readonly blockedBy?: readonly string[];
      /** Of a task: since when it is as it is, who moved it, and the task itself. For one answer to one reader, never stored. */
      readonly changedAt?: string;
      readonly changedBy?: { readonly name: string };
      readonly task?: Readonly<Record<string, unknown>>;
    } & Stated)
  | ({ readonly kind: 'stale' } & Stated)
  | ({ readonly kind: 'too_large' } & Stated)
  | ({ readonly kind: 'unsupported_media_type' } & Stated)
  | ({ readonly kind: 'invalid' } & Violations)
  | ({ readonly kind: 'limited'; readonly retryAfterSeconds: number } & Stated)
  | ({ readonly kind: 'unavailable'; readonly retryAfterSeconds: number } & Stated);

export type ProblemKind = Problem['kind'];

/** Carries a Problem to the one place that answers it (api/http/problem-response.ts). Thrown for expected errors only. */
export class ProblemError extends Error {
  readonly problem: Problem;
  /** Whether it is the outcome of a stored command: every repeat with the same Idempotency-Key gets it. */
  readonly isOutcome: boolean;

  constructor(problem: Problem, { isOutcome = false }: { readonly isOutcome?: boolean } = {}) {
    super(problemText(problem));
    this.name = 'ProblemError';
    this.problem = problem;
    this.isOutcome = isOutcome;
  }
}

/** A problem as a sentence of its own, with its key where it says one thing. */
export function saidOf(problem: Problem): Said {
  const message = problemText(problem);
  if (problem.kind !== 'invalid') return { message, ...keyOf(problem) };
  const { violations, furtherViolations = 0 } = problem;
  const [only] = violations;
  return only === undefined || violations.length + furtherViolations > 1
    ? { message }
    : { message, ...keyOf(only) };
}

function keyOf({ messageKey, parameters }: Pick<Said, 'messageKey' | 'parameters'>) {
  return { ...(messageKey && { messageKey }), ...(parameters && { parameters }) };
}

/** A problem in words. */
export function problemText(problem: Problem): string {
  return problem.kind === 'invalid' ? describeViolations(problem) : problem.detail;
}

/** The violations that an answer lists, and how many there are beyond them (domain/request-limits.ts). */
export function reportedViolations({ violations, furtherViolations = 0 }: Violations): Required<Violations> {
  const listed = violations.slice(0, REQUEST_LIMITS.reportedViolations);
  return {
    violations: listed,
    furtherViolations: furtherViolations + violations.length - listed.length,
  };
}

/** One line per reported violation, `path: message`, and one that counts the others: the `detail` of a 422. */
export function describeViolations(found: Violations): string {
  const { violations, furtherViolations } = reportedViolations(found);
  const lines = violations.map(({ propertyPath, message }) =>
    propertyPath === '' ? message : `${propertyPath}: ${message}`,
  );
  return [...lines, ...(furtherViolations === 0 ? [] : [`Further violations: ${furtherViolations}.`])].join(
    '\n',
  );
}

/** A sentence of the table (domain/messages.ts) as the detail of a problem. */
export function stated({ message, ...rest }: Said): Stated {
  return { detail: message, ...rest };
}

/** What was asked does not fit the status that something has. */
export function conflict(said: Said, currentStatus: string): Extract<Problem, { kind: 'conflict' }> {
  return { kind: 'conflict', ...stated(said), currentStatus };
}

/** The problem of one field. */
export function invalid(propertyPath: string, said: Said, code: ViolationCode): Problem {
  return { kind: 'invalid', violations: [{ propertyPath, ...said, code }] };
}
