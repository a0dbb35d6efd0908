import type { CommandStatus } from '../../domain/command.ts';
import { COMMAND_KINDS, COMMAND_STATUSES } from '../../domain/command.ts';
import type { CommandId } from '../../domain/ids.ts';
import { iriOf } from '../../domain/iri.ts';
import type { CommandRecord } from '../../store/commands/commands.ts';
import { problemResponse } from '../http/problem-response.ts';
import { rejectionJson } from '../http/problem-shapes.ts';
import type { ResponseDoc } from '../http/route.ts';
import { recordType } from '../hydra/record-type.ts';
import type { Document } from '../hydra/resource.ts';
import { resource } from '../hydra/resource.ts';
import { fieldsOf } from '../schema/fields.ts';
import { shownAsIs } from '../schema/schema.ts';
import { dateTime } from '../schema/schema-moments.ts';
import { choice, reference } from '../schema/schema-values.ts';

const { shown, shownIfSet } = fieldsOf<CommandRecord>();

/** A command: `received`, `applied`, `rejected` with its problem, or `failed`. Of a pending one only the status is shown. */
export const command = recordType(
  'command',
  'Command',
  {
    kind: shownIfSet(choice(COMMAND_KINDS), (row) => row.kind),
    status: shown(choice(COMMAND_STATUSES), (row) => row.status),
    shipment: shownIfSet(reference('shipment'), (row) => row.shipmentId),
    task: shownIfSet(reference('task'), (row) => row.taskId),
    problem: shownIfSet(shownAsIs<Document>(rejectionJson), ({ problem, id }) =>
      problem === null ? null : problemResponse(problem, id).body,
    ),
    receivedAt: shownIfSet(dateTime(), (row) => row.receivedAt),
    decidedAt: shownIfSet(dateTime(), (row) => row.decidedAt),
  },
  {},
);

/** A command that is accepted and not decided. */
export function presentPendingCommand(id: CommandId, status: CommandStatus): Document {
  return resource('Command', iriOf('command', id), { id, status });
}

/** The 202 of every operation that goes through a command (decision 0001). */
export const acceptedAnswer: ResponseDoc = {
  description: 'Accepted for processing. Poll the Location URL for the outcome.',
  schema: command.shapes.record,
  headers: ['Location', 'Retry-After'],
};
