import { COMMAND_KINDS, COMMAND_STATUSES } from '../../domain/command.ts';
import type { ResponseDoc } from '../http/route.ts';
import { rejectionJson } from '../http/problem-shapes.ts';
import { documentShape, iri, moment, oneOf } from '../schema/shapes.ts';

/** The shapes of what the command endpoints answer. */

export const commandJson = documentShape(
  'Command',
  {
    kind: oneOf(COMMAND_KINDS),
    status: oneOf(COMMAND_STATUSES),
    shipment: iri,
    task: iri,
    problem: rejectionJson,
    receivedAt: moment,
    decidedAt: moment,
  },
  ['status'],
);

/** The 202 of every operation that goes through a command (decision 0001). */
export const acceptedAnswer: ResponseDoc = {
  description: 'Accepted for processing. Poll the Location URL for the outcome.',
  schema: commandJson,
  headers: ['Location', 'Retry-After'],
};
