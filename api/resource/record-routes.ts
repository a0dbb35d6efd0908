import type { AuditKind } from '../../domain/audit.ts';
import type { Id } from '../../domain/ids.ts';
import type { ResourceKind } from '../../domain/iri.ts';
import type { Action } from '../../domain/permission.ts';
import type { Said } from '../../domain/messages.ts';
import { invalid, ProblemError } from '../../domain/problem.ts';
import type { AuditNote } from '../../store/audit/audit-events.ts';
import { violatedUniqueIndex } from '../../store/connection.ts';
import type { TenantRow } from '../../store/models/tenant-model.ts';
import { EMPTY_PAGE } from '../../store/page.ts';
import type { TenantRecords } from '../../store/tenant-records.ts';
import { audited } from '../http/audited.ts';
import type { CollectionQuery } from '../http/pagination.ts';
import { orderOf } from '../http/pagination.ts';
import { changedMeanwhile, requireUnedited } from '../http/preconditions.ts';
import { requireRecentPassword } from '../http/proof.ts';
import type { ResponseDoc, RouteDefinition, RouteRequest, UserActor } from '../http/route.ts';
import { dashboardRoute } from '../http/route.ts';
import type { Document } from '../hydra/resource.ts';
import type { JsonSchema, Schema } from '../schema/schema.ts';
import { described } from '../schema/schema.ts';
import { createRoute } from './create.ts';
import type { EditWords, RecordCheck } from './edit.ts';
import { editRoute } from './edit.ts';
import type { Resource } from './resource.ts';
import { infoOf, listRoute, loaderOf, readRoute, recordResponse, resourceOf } from './resource.ts';

/** The condition of a list, as the store takes it. */
type Filter<Kind extends string, Fields extends object, Writes extends object> = Parameters<
  TenantRecords<Kind, Fields, Writes>['findPage']
>[1];

/** What differs between resources that are listed, created, read, edited and deleted in the same way. */
interface RecordResource<
  Kind extends ResourceKind,
  Fields extends object,
  Writes extends object,
  Body,
  Query,
> {
  readonly kind: Kind;
  /** Where they are kept. */
  readonly records: TenantRecords<Kind, Fields, Writes>;
  readonly actions: Readonly<Record<'list' | 'read' | 'write' | 'remove', Action>>;
  /** Rules of the operations that no schema says, for OpenAPI. */
  readonly notes?: Readonly<Partial<Record<'list' | 'create' | 'read' | 'edit' | 'remove', string>>>;
  /** Answers of creation and edit in addition to those of every resource. */
  readonly otherAnswers?: Readonly<Record<number, ResponseDoc>>;
  /** Whether a body may have a password: what is kept of a creation to recognize its repeat tells nothing of it. */
  readonly hasPassword?: boolean;
  readonly body: Schema<Body>;
  /** What a PATCH must come to, where that is not `body`. */
  readonly edited?: Schema<Body>;
  readonly query: Schema<Query>;
  readonly shapes: { readonly record: JsonSchema; readonly collection: JsonSchema };
  /** What to do instead of setting a field that is read-only. */
  readonly hints?: Readonly<Record<string, string>>;
  /** Shows a record as a document of its own, and inside a list. */
  readonly present: (row: TenantRow<Kind, Fields>) => Document;
  readonly presentMember: (row: TenantRow<Kind, Fields>) => Document;
  /** Of a document what a client may edit, for its entity tag. */
  readonly editable: (document: Document) => Document;
  /** Whether a record is the actor's own, where the actor's permission ends there. */
  readonly isOwn?: (actor: UserActor, row: TenantRow<Kind, Fields>) => boolean;
  /** Whether an actor whose permission ends at its own records may read this one too. */
  readonly isShared?: (row: TenantRow<Kind, Fields>) => boolean;
  /** Which records a list shows; null for none. */
  readonly filter: (query: Query, request: RouteRequest) => Filter<Kind, Fields, Writes> | null;
  /** Violations that no schema sees, of a body's valid fields; `row` is the record that is edited. */
  readonly check?: RecordCheck<Body, TenantRow<Kind, Fields> | null>;
  /** What a body writes. */
  readonly fieldsOf: (body: Body, request: RouteRequest) => Writes | Promise<Writes>;
  /** Writes over the row's version, where that is more than writing it; false when the row has another one now. */
  readonly edit?: (request: RouteRequest, row: TenantRow<Kind, Fields>, fields: Writes) => Promise<boolean>;
  /** Deletes the row, where that is more; false when it has another version than the one given, or is gone. */
  readonly remove?: (
    request: RouteRequest,
    row: TenantRow<Kind, Fields>,
    version: number | null,
  ) => Promise<boolean>;
  /** How its writes are recorded in the audit log; absent where they are not. */
  readonly audit?: {
    readonly created: AuditKind;
    readonly edited: (changed: readonly string[]) => AuditKind;
    readonly removed: AuditKind;
  };
  /** Edits of these fields, creation and removal are asked for the password again at the console (decision 0046); absent where none is. */
  readonly confirmedFields?: readonly string[];
  /** Fields that no two records share, with the message of the violation, by the unique index that says so. */
  readonly uniqueFields?: Readonly<Record<string, { readonly field: string; readonly said: Said }>>;
}

/** A resource's routes, and its parts for further routes of its own. */
interface RecordRoutes<Kind extends ResourceKind, Fields> extends Resource<Kind, TenantRow<Kind, Fields>> {
  /** List, create, read, edit by merge patch (RFC 7396) and delete. */
  readonly routes: readonly RouteDefinition[];
}

const MERGE_PATCH_RULE =
  'A merge patch (RFC 7396): fields that are sent are changed, null removes a field. Read-only values may be sent unchanged.';

/** Makes the routes of a resource of records. */
export function recordRoutes<
  Kind extends ResourceKind,
  Fields extends object,
  Writes extends object,
  Body,
  Query extends CollectionQuery,
>(definition: RecordResource<Kind, Fields, Writes, Body, Query>): RecordRoutes<Kind, Fields> {
  const { kind, records, actions, notes = {}, shapes, query, filter, body } = definition;
  const { otherAnswers = {}, hints = {}, check = () => [] } = definition;
  type Row = TenantRow<Kind, Fields>;
  const { isOwn = () => false, isShared = () => false, editable } = definition;
  const resource: Resource<Kind, Row> = resourceOf(kind, {
    find: records.find,
    isOwn,
    shape: shapes.record,
    answer: (_request, row) => recordResponse(definition.present(row), editable),
  });
  const { create, write, remove } = writesOf(definition);
  const asksPassword = definition.confirmedFields !== undefined;
  const writing = { action: actions.write, otherAnswers };
  return {
    ...resource,
    routes: [
      listRoute(resource, {
        action: actions.list,
        note: notes.list ?? '',
        shape: shapes.collection,
        query,
        findPage: async (request) => {
          const where = filter(request.query, request);
          if (where === null) return EMPTY_PAGE;
          return records.findPage(request.scope, where, orderOf(request.query), request.query);
        },
        present: definition.presentMember,
      }),
      createRoute(resource, {
        ...writing,
        ...described(notes.create),
        ...(definition.hasPassword && { hasPassword: true }),
        asksPassword,
        body,
        check,
        create,
      }),
      readRoute(
        {
          ...resource,
          load: loaderOf({ ...resource, isOwn: (actor, row) => isShared(row) || isOwn(actor, row) }),
        },
        { action: actions.read, shows: `The ${resource.one}.`, ...described(notes.read) },
      ),
      editRoute(
        { ...resource, schema: definition.edited ?? body, hints, check, write },
        { ...writing, description: `${MERGE_PATCH_RULE} ${notes.edit ?? ''}`.trim() },
      ),
      deleteRoute(resource, { action: actions.remove, ...described(notes.remove), asksPassword, remove }),
    ],
  };
}

/** How a resource's records are written: as the store does it, unless the definition says otherwise. */
function writesOf<Kind extends ResourceKind, Fields extends object, Writes extends object, Body, Query>(
  definition: RecordResource<Kind, Fields, Writes, Body, Query>,
) {
  type Row = TenantRow<Kind, Fields>;
  const {
    kind,
    records,
    edit,
    remove,
    fieldsOf,
    audit,
    confirmedFields = [],
    uniqueFields = {},
  } = definition;
  /** Runs a write, and records it where the resource's writes are recorded. */
  const recorded = <Result>(
    request: RouteRequest,
    id: Id<Kind>,
    note: Pick<AuditNote, 'kind' | 'fields'> | undefined,
    write: (inside: RouteRequest) => Promise<Result>,
  ): Promise<Result> => {
    if (note === undefined) return write(request);
    const noteOf = (result: Result) => (result === false ? undefined : { ...note, subject: { kind, id } });
    return audited(request, (scope) => write({ ...request, scope }), noteOf);
  };
  return {
    create: async (request: RouteRequest, id: Id<Kind>, body: Body): Promise<void> => {
      const fields = await fieldsOf(body, request);
      const insert = ({ scope }: RouteRequest) => records.insert(scope, id, fields);
      const note = audit && { kind: audit.created };
      await namingUniqueField(uniqueFields, () => recorded(request, id, note, insert));
    },
    write: async (
      request: RouteRequest,
      row: Row,
      body: Body,
      changed: readonly string[],
    ): Promise<boolean> => {
      if (changed.some((name) => confirmedFields.includes(name))) requireRecentPassword(request.actor);
      const fields = await fieldsOf(body, request);
      const note = audit && { kind: audit.edited(changed), fields: changed };
      return namingUniqueField(uniqueFields, () =>
        recorded(
          request,
          row.id,
          note,
          (inside) =>
            edit?.(inside, row, fields) ?? records.update(inside.scope, row.id, row.version, fields),
        ),
      );
    },
    remove: (request: RouteRequest, row: Row, version: number | null): Promise<boolean> =>
      recorded(
        request,
        row.id,
        audit && { kind: audit.removed },
        (inside) => remove?.(inside, row, version) ?? records.remove(inside.scope, row.id, version),
      ),
  };
}

function deleteRoute<Kind extends ResourceKind, Row extends { readonly version: number }>(
  resource: Resource<Kind, Row>,
  deletion: EditWords & {
    readonly asksPassword: boolean;
    readonly remove: (request: RouteRequest, row: Row, version: number | null) => Promise<boolean>;
  },
): RouteDefinition {
  const { remove, ...words } = deletion;
  return dashboardRoute({
    summary: `Delete a ${resource.one}`,
    ...words,
    ...infoOf(resource, 'delete'),
    method: 'DELETE',
    isConditional: true,
    answers: { 204: { description: 'Deleted.' } },
    load: resource.load,
    currentTag: resource.currentTag,
    handle: async (request) => {
      const { context, item: row } = request;
      await requireUnedited(context, () => resource.currentTag(request, row));
      const version = context.headers['if-match'] === undefined ? null : row.version;
      if (await remove(request, row, version)) return { status: 204 };
      throw changedMeanwhile(context, resource.one);
    },
  });
}

/** Turns a violated unique index into the violation of its field. */
async function namingUniqueField<Result>(
  uniqueFields: Readonly<Record<string, { readonly field: string; readonly said: Said }>>,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    const unique = uniqueFields[violatedUniqueIndex(error) ?? ''];
    if (unique === undefined) throw error;
    throw new ProblemError(invalid(unique.field, unique.said, 'unique'));
  }
}
