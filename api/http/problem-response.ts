import type { Credential, Problem, ProblemKind, Violations } from '../../domain/problem.ts';
import { describeViolations, reportedViolations } from '../../domain/problem.ts';
import { API_PREFIX } from '../../domain/iri.ts';
import { WIRE_CODES } from '../schema/violation-codes.ts';

/**
 * The status and title of each kind of problem (RFC 9457, interpretation 26). A new kind fails to compile until it has
 * a row.
 */
export const PROBLEM_STATUS = {
  malformed: { status: 400, title: 'Bad request' },
  unauthenticated: { status: 401, title: 'Authentication required' },
  forbidden: { status: 403, title: 'Forbidden' },
  unproven: { status: 403, title: 'Proof of identity required' },
  missing: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  not_acceptable: { status: 406, title: 'Not acceptable' },
  conflict: { status: 409, title: 'Conflict with the current state' },
  stale: { status: 412, title: 'Precondition failed' },
  too_large: { status: 413, title: 'Content too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  invalid: { status: 422, title: 'Validation failed' },
  limited: { status: 429, title: 'Too many requests' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const satisfies Record<ProblemKind, { status: number; title: string }>;

const PROBLEM_CONTENT_TYPE = 'application/problem+json; charset=utf-8';

/** A problem's body and headers; the one writer of error bodies. */
export interface ProblemResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Writes a problem as an RFC 9457 document that is JSON-LD as well. `requestId` makes it findable in the log. */
export function problemResponse(problem: Problem, requestId: string): ProblemResponse {
  const { status, title } = PROBLEM_STATUS[problem.kind];
  const detail = problem.kind === 'invalid' ? describeViolations(problem) : problem.detail;
  return {
    status,
    headers: { 'content-type': PROBLEM_CONTENT_TYPE, ...headersOf(problem) },
    body: {
      ...documentFrame(problem.kind === 'invalid' ? 'ConstraintViolation' : 'Error', status, requestId),
      title,
      detail,
      status,
      ...keyOf(problem),
      ...extrasOf(problem),
    },
  };
}

/** The response to a fault of the service: it shows nothing of the cause (interpretation 26). */
export function faultResponse(requestId: string): ProblemResponse {
  return {
    status: 500,
    headers: { 'content-type': PROBLEM_CONTENT_TYPE },
    body: {
      ...documentFrame('Error', 500, requestId),
      title: 'Internal server error',
      detail: 'An unexpected error occurred. It has been logged with the value of `instance`.',
      status: 500,
    },
  };
}

/** By what a client says it in another language (decision 0038). */
function keyOf(problem: Problem): Record<string, unknown> {
  if (problem.kind === 'invalid' || problem.messageKey === undefined) return {};
  const { messageKey, parameters } = problem;
  return { messageKey, ...(parameters === undefined ? {} : { parameters }) };
}

function documentFrame(type: 'Error' | 'ConstraintViolation', status: number, requestId: string) {
  return {
    '@context': `${API_PREFIX}/contexts/${type}`,
    '@id': `${API_PREFIX}/errors/${status}`,
    '@type': type,
    type: `${API_PREFIX}/errors/${status}`,
    instance: `urn:uuid:${requestId}`,
  };
}

/** How to authenticate (RFC 9110 section 11.6.1). No registered scheme is a key in a header of its own, or a cookie. */
const CHALLENGES = {
  token: 'Bearer',
  cookie: 'Cookie realm="desk"',
  key: 'ApiKey header="X-API-KEY"',
} as const satisfies Record<Credential, string>;

function headersOf(problem: Problem): Record<string, string> {
  switch (problem.kind) {
    case 'unauthenticated':
      return { 'www-authenticate': CHALLENGES[problem.credential ?? 'token'] };
    case 'method_not_allowed':
      return { allow: problem.allow.join(', ') };
    case 'limited':
    case 'unavailable':
      return { 'retry-after': String(Math.max(1, Math.ceil(problem.retryAfterSeconds))) };
    default:
      return {};
  }
}

function extrasOf(problem: Problem): Record<string, unknown> {
  switch (problem.kind) {
    case 'invalid':
      return violationMembers(reportedViolations(problem));
    case 'unauthenticated':
      // Clients of the login bundle of this family read `code` and `message`.
      return { code: 401, message: problem.detail };
    case 'conflict': {
      const { kind, detail, messageKey, parameters, ...members } = problem;
      return members;
    }
    default:
      return {};
  }
}

function violationMembers({ violations, furtherViolations }: Required<Violations>): Record<string, unknown> {
  return {
    violations: violations.map(({ code, ...violation }) => ({ ...violation, code: WIRE_CODES[code] })),
    ...(furtherViolations === 0 ? {} : { furtherViolations }),
  };
}
