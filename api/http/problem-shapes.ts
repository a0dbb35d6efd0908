import { TRANSITIONS } from '../../domain/enumerations.ts';
import { REQUEST_LIMITS } from '../../domain/request-limits.ts';
import { array, iri, oneOf, shape, string } from '../schema/shapes.ts';
import type { JsonSchema } from '../schema/schema.ts';

/** What names a sentence for clients that speak another language (decision 0038). */
export const SAID = {
  messageKey: {
    type: 'string',
    description: 'Stable for each sentence that the service says; the text above is English.',
  },
  parameters: {
    type: 'object',
    description: 'What the sentence names: a limit, a status, the allowed words.',
    additionalProperties: { type: ['string', 'number'] },
  },
} satisfies Readonly<Record<string, JsonSchema>>;

const FRAME = {
  '@context': iri,
  '@id': iri,
  '@type': { const: 'Error' },
  type: iri,
  instance: { type: 'string', format: 'uri' },
  title: string,
  detail: string,
  status: { type: 'integer', minimum: 400, maximum: 599 },
};
const REQUIRED = Object.keys(FRAME);
const STATED = { ...FRAME, ...SAID };

/** An RFC 9457 problem document that is JSON-LD as well (api/http/problem-response.ts writes it). */
const problemJson: JsonSchema = { title: 'Problem', ...shape(STATED, REQUIRED) };

const unauthenticatedJson: JsonSchema = {
  title: 'UnauthenticatedProblem',
  ...shape({ ...STATED, code: { const: 401 }, message: string }, [...REQUIRED, 'code', 'message']),
};

const CONFLICT = {
  ...STATED,
  currentStatus: string,
  allowedTransitions: array(oneOf(TRANSITIONS)),
  blockedBy: array(iri),
};
const conflictJson: JsonSchema = { title: 'ConflictProblem', ...shape(CONFLICT, REQUIRED) };

/** A conflict that says more: of the record that it is about, as it is now. */
export function conflictShape(title: string, members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { title, ...shape({ ...CONFLICT, ...members }, REQUIRED) };
}

const constraintViolationJson: JsonSchema = {
  title: 'ConstraintViolation',
  ...shape(
    {
      ...FRAME,
      '@type': { const: 'ConstraintViolation' },
      violations: {
        type: 'array',
        maxItems: REQUEST_LIMITS.reportedViolations,
        items: {
          title: 'Violation',
          ...shape(
            {
              propertyPath: {
                type: 'string',
                description: 'Where: `recipient.address.street`, `items[0].sku`.',
              },
              message: { type: 'string', description: 'What is wrong, and what to send instead.' },
              code: { type: 'string', description: 'Stable for each kind of violation.' },
              ...SAID,
            },
            ['propertyPath', 'message', 'code'],
          ),
        },
      },
      furtherViolations: {
        type: 'integer',
        minimum: 1,
        description: `Number of violations beyond the ${REQUEST_LIMITS.reportedViolations} that are listed; absent when all are listed.`,
      },
    },
    [...REQUIRED, 'violations'],
  ),
};

/** Every shape that a problem document can have. */
export const PROBLEM_SHAPES: readonly JsonSchema[] = [
  problemJson,
  unauthenticatedJson,
  conflictJson,
  constraintViolationJson,
];

/** Any problem of one item of a request, which has a conflict of its own kind. */
export function itemProblemShape(conflict: JsonSchema): JsonSchema {
  return { anyOf: [conflict, constraintViolationJson, problemJson] };
}

/** The problem of a rejected command: what its request would have been answered with. */
export const rejectionJson: JsonSchema = { anyOf: [conflictJson, constraintViolationJson] };

/** The problem of a file that was rejected as a whole. */
export const fileProblemJson: JsonSchema = { anyOf: [problemJson, constraintViolationJson] };

/** The body of an answer of this error status. */
export function problemShape(status: number): JsonSchema {
  switch (status) {
    case 401:
      return unauthenticatedJson;
    case 409:
      return conflictJson;
    case 422:
      return constraintViolationJson;
    default:
      return problemJson;
  }
}
