import { COMMAND_KINDS } from '../../store/locked-shipment.ts';
import type { DocumentedAnswer } from '../http/route.ts';
import { refusalJson } from '../http/problem-shapes.ts';
import { documentShape, iri, moment, oneOf } from '../http/shapes.ts';

/** The shapes of what the command endpoints answer. */

export const commandJson = documentShape(
  'Command',
  {
    kind: oneOf(COMMAND_KINDS),
    status: oneOf(['received', 'applied', 'refused']),
    shipment: iri,
    task: iri,
    problem: refusalJson,
    receivedAt: moment,
    decidedAt: moment,
  },
  ['status'],
);

/** The 202 of every operation that goes through a command (design, «Flow of a write» 5). */
export const acceptedAnswer: DocumentedAnswer = {
  description:
    'Accepted, not decided yet: it will be applied or refused, once. Location tells what became of it.',
  schema: commandJson,
  headers: ['Location', 'Retry-After'],
};
