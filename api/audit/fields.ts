import { AUDIT_ACTORS, AUDIT_KIND_NAMES, AUDIT_KINDS } from '../../domain/audit.ts';
import { iriOf } from '../../domain/iri.ts';
import { toId } from '../../domain/ids.ts';
import type { AuditEventRow } from '../../store/audit/audit-events.ts';
import { recordType } from '../hydra/record-type.ts';
import { fieldsOf } from '../schema/fields.ts';
import { shownAsIs } from '../schema/schema.ts';
import { dateTime } from '../schema/schema-moments.ts';
import { shownList } from '../schema/schema-objects.ts';
import { choice, count, reference, text } from '../schema/schema-values.ts';
import { iri } from '../schema/shapes.ts';

const { shown, shownIfSet } = fieldsOf<AuditEventRow>();

/** Every kind with what it stands for, in words. */
const KINDS_IN_WORDS = AUDIT_KIND_NAMES.map((kind) => `${kind}: ${AUDIT_KINDS[kind].description}`).join(' ');

/** A row of the audit log (decision 0040): who did what, when and from where. */
export const auditEvent = recordType(
  'audit_event',
  'AuditEvent',
  {
    kind: shown(choice(AUDIT_KIND_NAMES, KINDS_IN_WORDS), (row) => row.kind),
    actor: shown(
      choice(
        AUDIT_ACTORS,
        'user: a signed-in user. operator: an operator of the service. unknown: a sign-in with an unknown address.',
      ),
      (row) => row.actor,
    ),
    user: shownIfSet(reference('user'), (row) => row.userId),
    userName: shownIfSet(text({ description: 'The user’s name as it is now.' }), (row) => row.userName),
    operation: shown(
      text({ description: 'The operation of this API, or the command of the operator.' }),
      (row) => row.operation,
    ),
    address: shownIfSet(
      text({ description: 'From where: an IPv4 address, or the /64 network of an IPv6 address.' }),
      (row) => row.address,
    ),
    requestId: shownIfSet(text({ description: 'X-Request-Id of the answer.' }), (row) => row.requestId),
    subject: shownIfSet(
      shownAsIs<string>({
        ...iri,
        description: 'The record that it is about; it may have been deleted since.',
      }),
      ({ subjectKind, subjectId }) =>
        subjectKind === null || subjectId === null ? null : iriOf(subjectKind, toId(subjectId)),
    ),
    fields: shown(
      shownList(text(), 'Names of the fields that were written, never their values.'),
      (row) => row.fields,
    ),
    count: shownIfSet(count('How many records it was about, where that is not one.'), (row) => row.count),
    createdAt: shown(dateTime(), (row) => row.createdAt),
  },
  {},
);
