import { AUDIT_KIND_NAMES } from '../../domain/audit.ts';
import { findAuditEvent, findAuditEventPage } from '../../store/audit/audit-events.ts';
import { COLLECTION_QUERY, orderOf } from '../http/pagination.ts';
import { several } from '../http/query.ts';
import { listRoute, readRoute, recordResponse, resourceOf } from '../resource/resource.ts';
import { dateTimeText } from '../schema/schema-moments.ts';
import { object, optional } from '../schema/schema-objects.ts';
import { choice, reference } from '../schema/schema-values.ts';
import { auditEvent } from './fields.ts';

const tag = 'Audit';

/** The audit log of an organization, for its admins (decision 0040). */
const auditEvents = resourceOf('audit_event', {
  find: findAuditEvent,
  shape: auditEvent.shapes.record,
  answer: (_request, row) => recordResponse(auditEvent.present(row), auditEvent.editable),
});

const list = listRoute(auditEvents, {
  tag,
  action: 'audit.read',
  summary: 'List the audit log',
  note: 'Rows are never changed, so updatedAt orders them as createdAt does. Acts that repeat by themselves are recorded once in a while: each view of a secret once in ten minutes, each rejected operation of a user once a minute.',
  shape: auditEvent.shapes.collection,
  query: object(
    {
      ...COLLECTION_QUERY,
      kind: optional(several(choice(AUDIT_KIND_NAMES))),
      user: optional(several(reference('user', { bare: true }))),
      'createdAt[after]': optional(dateTimeText('Inclusive.')),
      'createdAt[before]': optional(dateTimeText('Inclusive.')),
    },
    { strict: true },
  ),
  findPage: ({ query, scope }) => {
    const created = { createdAfter: query['createdAt[after]'], createdBefore: query['createdAt[before]'] };
    return findAuditEventPage(
      scope,
      { kind: query.kind, userIds: query.user, ...created },
      orderOf(query),
      query,
    );
  },
  present: auditEvent.presentMember,
});

const read = readRoute(auditEvents, {
  tag,
  action: 'audit.read',
  summary: 'Read a row of the audit log',
  shows: 'The row.',
});

export const auditRoutes = [list, read];
