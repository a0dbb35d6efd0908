import type { MessageParameters } from '../../domain/messages.ts';

/** What names a sentence of the service, so that it is said in the person's language (service-text.ts). */
interface Keyed {
  readonly messageKey?: string;
  readonly parameters?: MessageParameters;
}

/** What a problem document says of one field (RFC 9457 with the service's `violations`). */
export interface FieldViolation extends Keyed {
  readonly propertyPath: string;
  readonly message: string;
}

/** A problem document as the service answers it; only its status and title are sure. */
export interface ProblemDocument extends Keyed {
  readonly status: number;
  readonly title: string;
  readonly detail?: string;
  readonly violations?: readonly FieldViolation[];
  readonly furtherViolations?: number;
  readonly currentStatus?: string;
  readonly allowedTransitions?: readonly string[];
  readonly changedAt?: string;
  readonly changedBy?: { readonly name: string };
  /** The task as it is now, of a rejected transition. */
  readonly task?: unknown;
}

/** A request that the service rejected, with the problem that it answered. */
export class RejectedRequest extends Error {
  readonly problem: ProblemDocument;
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: ProblemDocument, retryAfterSeconds?: number) {
    super(problem.detail ?? problem.title);
    this.name = 'RejectedRequest';
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get status(): number {
    return this.problem.status;
  }
}

/** A request without an answer: the service was unreachable, or did not answer in time. */
export class UnansweredRequest extends Error {
  constructor() {
    super('The service did not answer.');
    this.name = 'UnansweredRequest';
  }
}

/** Whether the service could not work on a request now (503, 429, or no answer): the same request may succeed later. */
export function isAway(error: unknown): boolean {
  if (error instanceof UnansweredRequest) return true;
  return error instanceof RejectedRequest && [429, 502, 503, 504].includes(error.status);
}

/** The problem document in a rejected answer; one is made of the status where the body is none. */
export async function problemOf(response: Response): Promise<ProblemDocument> {
  const body: unknown = await response.json().catch(() => undefined);
  return isProblem(body) ? body : { status: response.status, title: response.statusText };
}

function isProblem(body: unknown): body is ProblemDocument {
  return (
    typeof body === 'object' &&
    body !== null &&
    'title' in body &&
    typeof body.title === 'string' &&
    'status' in body &&
    typeof body.status === 'number'
  );
}
