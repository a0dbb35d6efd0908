import { isDeepStrictEqual } from 'node:util';
import { toId } from '../../domain/ids.ts';
import { API_PREFIX, collectionPath, iriOf } from '../../domain/iri.ts';
import { ProblemError } from '../../domain/problem.ts';
import { violatedUniqueIndex } from '../../store/connection.ts';
import { newId } from '../../store/new-id.ts';
import { tenant } from '../../store/tenant.ts';
import type { Dependencies } from '../dependencies.ts';
import { withLookupViolations } from '../schema/lookup-violations.ts';
import { requireOwn, requireFound } from '../http/require-found.ts';
import { MERGE_PATCH_BODY, mergePatch, patchJson, readPatch } from '../schema/merge-patch.ts';
import { orderOf } from '../http/pagination.ts';
import { requireMatch } from '../http/preconditions.ts';
import type {
  RouteResponse,
  LoadRequest,
  RawRequest,
  RouteRequest,
  RouteDefinition,
  UserActor,
} from '../http/route.ts';
import { dashboardRoute, NO_BODY, NO_QUERY, nothing } from '../http/route.ts';
import { collection } from '../hydra/collection.ts';
import type {
  RecordRequest,
  RecordResource,
  RecordRow,
  RecordStore,
  RecordTypes,
} from './record-resource.ts';
import type { Document } from '../hydra/resource.ts';
import { member, resource } from '../hydra/resource.ts';

const FRAME = ['@id', '@type', 'id', 'createdAt', 'updatedAt'];

/** The routes of a resource, fixed order: list, create, read, edit by merge patch (RFC 7396), delete. */
export function recordRoutes<T extends RecordTypes>(records: RecordResource<T>): readonly RouteDefinition[] {
  return [
    listRoute(records),
    createRoute(records),
    readRoute(records),
    editRoute(records),
    removeRoute(records),
  ];
}

/** Loads the record that a path names, for an actor who may have it. Throws 403 and 404 Refusals. */
export async function loadRecord<T extends RecordTypes>(
  { find, isOwn, words }: RecordResource<T>,
  request: LoadRequest<UserActor, unknown>,
): Promise<RecordRow<T>> {
  const { actor, permissionScope, params } = request;
  const found = await find(tenantOf(request), toId<T['kind']>(params['id'] ?? ''));
  const row = requireFound(found, words.one);
  requireOwn(permissionScope === 'organization' || isOwn(actor, row), words.one);
  return row;
}

/** A record in full. */
export function presentRecord<T extends RecordTypes>(
  records: RecordResource<T>,
  row: RecordRow<T>,
): Document {
  return resource(records.type, iriOf<T['kind']>(records.kind, row.id), framed(records, row));
}

/** Answers a record in full with its entity tag. */
export function recordAnswer<T extends RecordTypes>(
  records: RecordResource<T>,
  status: number,
  row: RecordRow<T>,
): RouteResponse {
  const etag = records.etag?.(row) ?? String(row.version);
  return { status, body: presentRecord(records, row), etag };
}

function framed<T extends RecordTypes>(records: RecordResource<T>, row: RecordRow<T>): Document {
  return {
    id: row.id,
    ...records.properties(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function listRoute<T extends RecordTypes>(records: RecordResource<T>): RouteDefinition {
  return dashboardRoute({
    ...infoOf(records, 'list'),
    method: 'GET',
    path: pathOf(records),
    action: records.actions.list,
    summary: `List ${records.words.many}`,
    description: `Newest first by default. ${records.notes.list}`.trim(),
    answers: { 200: { description: 'One page.', schema: records.shapes.collection } },
    body: NO_BODY,
    query: records.query,
    load: nothing,
    handle: async (request) => {
      const { query, raw } = request;
      const page = await records.findPage(requestOf(request), query, orderOf(query), query);
      return {
        status: 200,
        body: collection(records.type, raw, query, page, (row) =>
          member(records.type, iriOf<T['kind']>(records.kind, row.id), framed(records, row)),
        ),
      };
    },
  });
}

function createRoute<T extends RecordTypes>(records: RecordResource<T>): RouteDefinition {
  return dashboardRoute({
    ...infoOf(records, 'create'),
    method: 'POST',
    path: pathOf(records),
    action: records.actions.write,
    summary: `Create a ${records.words.one}`,
    ...described(records.notes.create),
    answers: {
      201: {
        description: `The created ${records.words.one}.`,
        schema: records.shapes.record,
        headers: ['Location', 'ETag'],
      },
      ...records.otherAnswers,
    },
    body: records.body,
    query: NO_QUERY,
    load: nothing,
    lookupViolations: async (request, body) =>
      (await records.lookupViolations?.(requestOf(request), body, null)) ?? [],
    handle: async (request) => {
      const id = newId<T['kind']>();
      await namingUniqueField(records, () => records.create(requestOf(request), id, request.body));
      const row = requireFound(await records.find(tenantOf(request), id), records.words.one);
      return {
        ...recordAnswer(records, 201, row),
        headers: { location: iriOf<T['kind']>(records.kind, id) },
      };
    },
  });
}

function readRoute<T extends RecordTypes>(records: RecordResource<T>): RouteDefinition {
  return dashboardRoute({
    ...infoOf(records, 'read'),
    method: 'GET',
    path: `${pathOf(records)}/{id}`,
    action: records.actions.read,
    summary: `Read a ${records.words.one}`,
    answers: {
      200: { description: `The ${records.words.one}.`, schema: records.shapes.record, headers: ['ETag'] },
    },
    body: NO_BODY,
    query: NO_QUERY,
    load: (request) => loadRecord(records, request),
    handle: ({ item }) => Promise.resolve(recordAnswer(records, 200, item)),
  });
}

function editRoute<T extends RecordTypes>(records: RecordResource<T>): RouteDefinition {
  return dashboardRoute({
    ...infoOf(records, 'edit'),
    method: 'PATCH',
    path: `${pathOf(records)}/{id}`,
    action: records.actions.write,
    summary: `Modify a ${records.words.one}`,
    description:
      `A merge patch (RFC 7396): fields that are sent are changed, null removes a field. Read-only values may be sent unchanged. ${records.notes.edit}`.trim(),
    isConditional: true,
    documentedBody: patchJson(records.edited),
    answers: {
      200: {
        description: `The modified ${records.words.one}.`,
        schema: records.shapes.record,
        headers: ['ETag'],
      },
      ...records.otherAnswers,
    },
    body: MERGE_PATCH_BODY,
    query: NO_QUERY,
    load: (request) => loadRecord(records, request),
    handle: async (request) => {
      const { item, raw, body } = request;
      requireVersion(raw, records, item);
      const current = presentRecord(records, item);
      const merged = mergePatch(current, body);
      const edit = await withLookupViolations(
        () => readPatch(current, body, records.edited, { ...readOnlyOf(records), merged }),
        async () => (await records.lookupViolations?.(requestOf(request), merged, item)) ?? [],
      );
      // An edit that changes nothing writes nothing: the version only grows with changes.
      if (isDeepStrictEqual(merged, current)) return recordAnswer(records, 200, item);
      const isWritten = await namingUniqueField(records, () => records.edit(requestOf(request), item, edit));
      if (!isWritten) throw changedMeanwhile(raw, records.words.one);
      const row = requireFound(await records.find(tenantOf(request), item.id), records.words.one);
      return recordAnswer(records, 200, row);
    },
  });
}

function readOnlyOf<T extends RecordTypes>({ readOnly }: RecordResource<T>) {
  return { readOnly: [...FRAME, ...Object.keys(readOnly)], hints: readOnly };
}

function removeRoute<T extends RecordTypes>(records: RecordResource<T>): RouteDefinition {
  return dashboardRoute({
    ...infoOf(records, 'delete'),
    method: 'DELETE',
    path: `${pathOf(records)}/{id}`,
    action: records.actions.write,
    summary: `Delete a ${records.words.one}`,
    ...described(records.notes.remove),
    isConditional: true,
    answers: { 204: { description: 'Deleted.' } },
    body: NO_BODY,
    query: NO_QUERY,
    load: (request) => loadRecord(records, request),
    handle: async (request) => {
      const { item, raw } = request;
      requireVersion(raw, records, item);
      const version = raw.headers['if-match'] === undefined ? null : item.version;
      if (!(await records.remove(requestOf(request), item, version))) {
        throw changedMeanwhile(raw, records.words.one);
      }
      return { status: 204 };
    },
  });
}

function infoOf<T extends RecordTypes>({ operations, words }: RecordResource<T>, verb: string) {
  return { operation: `${operations}.${verb}`, tag: words.tag };
}

function pathOf<T extends RecordTypes>({ kind }: RecordResource<T>): string {
  return collectionPath(kind).slice(API_PREFIX.length);
}

function described(description: string): { description?: string } {
  return description === '' ? {} : { description };
}

type Asked = Pick<RouteRequest<UserActor, unknown, unknown, unknown>, 'actor' | 'permissionScope'> & {
  readonly dependencies: Dependencies;
};

function tenantOf({ actor, dependencies }: Asked) {
  return tenant(dependencies.database, actor.organizationId);
}

function requestOf(request: Asked): RecordRequest {
  const { actor, permissionScope, dependencies } = request;
  const { passwords } = dependencies;
  return { tenant: tenantOf(request), actor, permissionScope, passwords };
}

/** What a tag says after the version's dash (a driver's position, say) no edit writes over, so only the version counts. */
function requireVersion<T extends RecordTypes>(
  raw: RawRequest,
  { etag }: RecordResource<T>,
  row: RecordRow<T>,
): void {
  const current = etag?.(row) ?? String(row.version);
  requireMatch(raw, current, (tag) => tag === `"${current}"` || tag.startsWith(`"${row.version}-`));
}

/** Turns a violated unique index into the violation of its field. */
async function namingUniqueField<T extends RecordTypes, Result>(
  { uniqueFields }: Pick<RecordStore<T>, 'uniqueFields'>,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    const unique = uniqueFields[violatedUniqueIndex(error) ?? ''];
    if (unique === undefined) throw error;
    const { field: propertyPath, message } = unique;
    throw new ProblemError({ kind: 'invalid', violations: [{ propertyPath, message, code: 'unique' }] });
  }
}

/** The error for a change of a record that has changed since. */
export function changedMeanwhile(raw: RawRequest, what: string): ProblemError {
  return new ProblemError({
    kind: raw.headers['if-match'] === undefined ? 'conflict' : 'stale',
    detail: `The ${what} was changed by another request at the same time. Read it again, then repeat your change.`,
  });
}
