import type { AuditActor, AuditKind } from '../../domain/audit.ts';
import { quietSecondsOf } from '../../domain/audit.ts';
import type { AuditEventId, OrganizationId, UserId } from '../../domain/ids.ts';
import type { ResourceKind } from '../../domain/iri.ts';
import type { Database, Executor } from '../connection.ts';
import { execute, select } from '../connection.ts';
import { newId } from '../new-id.ts';
import { addedBy, among, findPage } from '../page.ts';
import type { Lookup, Order, Page, PageOf, Tenant } from '../tenant.ts';
import { lookUp } from '../tenant.ts';

/** The record that an act is about. */
export interface AuditSubject {
  readonly kind: ResourceKind;
  readonly id: string;
}

/** What is recorded of an act besides who did it (domain/audit.ts). */
export interface AuditNote {
  readonly kind: AuditKind;
  readonly subject?: AuditSubject;
  /** Names of the fields that were written, never their values. */
  readonly fields?: readonly string[];
  /** How many records it was about, where that is not one. */
  readonly count?: number;
}

/** Who acts, for whom and from where. */
export interface AuditCaller {
  /** null where no organization is known. */
  readonly organizationId: OrganizationId | null;
  /** null: not known who. */
  readonly by: { readonly userId: UserId } | 'operator' | null;
  /** The operation of the API, or the command of the operator. */
  readonly operation: string;
  readonly address: string | null;
  /** The request's id in the log. */
  readonly requestId: string | null;
}

/** The operator, who acts by a command for an organization, or for all (null). */
export function operatorCaller(command: string, organizationId: OrganizationId | null): AuditCaller {
  return { organizationId, by: 'operator', operation: command, address: null, requestId: null };
}

/**
 * Adds a row to the audit log, in the executor's transaction where it has one: an act and its row are committed together. Of a
 * kind with a quiet time, nothing is added where the same act of the same user was recorded within it.
 */
export function recordAudit(executor: Executor, caller: AuditCaller, note: AuditNote): Promise<void> {
  const { organizationId, by, operation, address, requestId } = caller;
  const { kind, subject, fields = [], count } = note;
  return execute(executor, INSERT_SQL, [
    newId<'audit_event'>(),
    organizationId,
    kind,
    by === null ? 'unknown' : by === 'operator' ? by : 'user',
    by === null || by === 'operator' ? null : by.userId,
    operation,
    address,
    requestId,
    subject?.kind,
    subject?.id,
    [...fields],
    count,
    quietSecondsOf(kind),
  ]);
}

const INSERT_SQL = `
insert into audit_events (id, organization_id, kind, actor, user_id, operation, address, request_id, subject_kind, subject_id, fields, count)
select $1::uuid, $2::uuid, $3::text, $4::text, $5::uuid, $6::text, $7::text, $8::uuid, $9::text, $10::uuid, $11::text[], $12::int
where $13::int = 0 or not exists (
  select from audit_events where organization_id = $2 and user_id = $5 and kind = $3 and operation = $6
    and created_at > clock_timestamp() - make_interval(secs => $13))`;

/** A row of the audit log. */
export interface AuditEventRow {
  readonly id: AuditEventId;
  readonly organizationId: OrganizationId;
  readonly kind: AuditKind;
  readonly actor: AuditActor;
  readonly userId: UserId | null;
  /** The user's name as it is now; null where it was erased. */
  readonly userName: string | null;
  readonly operation: string;
  readonly address: string | null;
  readonly requestId: string | null;
  readonly subjectKind: ResourceKind | null;
  readonly subjectId: string | null;
  readonly fields: readonly string[];
  readonly count: number | null;
  readonly createdAt: Date;
}

const COLUMNS = `a.id, a.organization_id as "organizationId", a.kind, a.actor, a.user_id as "userId",
  u.first_name || ' ' || u.last_name as "userName", a.operation, a.address, a.request_id as "requestId",
  a.subject_kind as "subjectKind", a.subject_id as "subjectId", a.fields, a.count, a.created_at as "createdAt"`;
const SOURCE = 'from audit_events a left join users u on u.id = a.user_id';

/** Reads a row of the audit log. */
export function findAuditEvent(tenant: Tenant, id: AuditEventId): Promise<Lookup<AuditEventRow>> {
  return lookUp(tenant, `select ${COLUMNS} ${SOURCE} where a.id = $1 and a.organization_id is not null`, id);
}

/** What the list can be narrowed to; null for any. */
export interface AuditFilter {
  readonly kind: readonly AuditKind[] | null;
  readonly userIds: readonly UserId[] | null;
  /** Both inclusive. */
  readonly createdAfter: Date | null;
  readonly createdBefore: Date | null;
}

/** One page of the tenant's audit log. Its rows never change: an order by their change is one by their creation. */
export function findAuditEventPage(
  tenant: Tenant,
  filter: AuditFilter,
  { by, direction }: Order,
  page: Page,
): Promise<PageOf<AuditEventRow>> {
  const values: unknown[] = [tenant.organizationId, filter.createdAfter, filter.createdBefore];
  const conditions = [
    'a.organization_id = $1',
    '($2::timestamptz is null or a.created_at >= $2::timestamptz)',
    `($3::timestamptz is null or ${addedBy('a.created_at', '$3::timestamptz')})`,
    among(values, 'a.kind', 'text', filter.kind),
    among(values, 'a.user_id', 'uuid', filter.userIds),
  ];
  return findPage<AuditEventRow>(
    tenant,
    {
      columns: COLUMNS,
      from: SOURCE,
      countSource: 'from audit_events a',
      where: conditions.join(' and '),
      values,
      createdColumn: 'a.created_at',
      sortedBy: by === 'id' ? ['a.id'] : ['a.created_at', 'a.id'],
      direction,
    },
    page,
  );
}

/** Which rows the operator exports: from the first moment, inclusive, to the second, exclusive. */
export interface AuditSpan {
  readonly from: Date;
  readonly to: Date;
  /** null for all, and for rows without an organization. */
  readonly organizationId: OrganizationId | null;
}

/** A row as the operator exports it: of any organization, without names of people. */
export type ExportedAuditEvent = Omit<AuditEventRow, 'organizationId' | 'userName'> & {
  readonly organizationId: OrganizationId | null;
};

/** Rows of one read of an export. */
const EXPORT_ROWS = 1_000;

/** Reads the rows of a span, oldest first, a thousand at a time. */
export async function* auditEventsAcrossTenants(
  database: Database,
  { from, to, organizationId }: AuditSpan,
): AsyncGenerator<ExportedAuditEvent> {
  // A moment in JavaScript ends at the millisecond: where a read goes on is the row's own text.
  let last: (ExportedAuditEvent & { readonly position: string }) | undefined;
  do {
    const rows: (ExportedAuditEvent & { readonly position: string })[] = await select(database, EXPORT_SQL, [
      from,
      to,
      organizationId,
      last?.position,
      last?.id,
    ]);
    for (const { position: _position, ...row } of rows) yield row;
    last = rows.length < EXPORT_ROWS ? undefined : rows.at(-1);
  } while (last !== undefined);
}

const EXPORT_SQL = `
select a.id, a.organization_id as "organizationId", a.kind, a.actor, a.user_id as "userId", a.operation, a.address,
  a.request_id as "requestId", a.subject_kind as "subjectKind", a.subject_id as "subjectId", a.fields, a.count,
  a.created_at as "createdAt", a.created_at::text as position
from audit_events a
where a.created_at >= $1 and a.created_at < $2 and ($3::uuid is null or a.organization_id = $3)
  and ($4::timestamptz is null or (a.created_at, a.id) > ($4::timestamptz, $5::uuid))
order by a.created_at, a.id limit ${EXPORT_ROWS}`;
