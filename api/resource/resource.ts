import type { Id } from '../../domain/ids.ts';
import type { ResourceKind } from '../../domain/iri.ts';
import { API_PREFIX, collectionPath } from '../../domain/iri.ts';
import type { Action } from '../../domain/permission.ts';
import type { Lookup, Page, PageOf, Tenant } from '../../store/tenant.ts';
import { recordEtag } from '../http/preconditions.ts';
import { requireFound, requireOwn } from '../http/require-found.ts';
import type { RouteDefinition, RouteInfo, RouteRequest, RouteResponse, UserActor } from '../http/route.ts';
import { dashboardRoute, idOf } from '../http/route.ts';
import { collectionOf } from '../hydra/collection.ts';
import type { Document } from '../hydra/resource.ts';
import type { JsonSchema, Schema } from '../schema/schema.ts';

/** What a resource is called. */
interface ResourceNames {
  /** The JSON-LD type, `PickupPoint`. */
  readonly type: string;
  /** The name before the dot of an operation, `pickupPoints`. */
  readonly operations: string;
  /** In messages and summaries: `pickup point`. */
  readonly one: string;
}

/** What is found by the id that a path names. */
interface Loadable<Kind extends string, Row> {
  /** In messages: `pickup point`. */
  readonly one: string;
  readonly find: (scope: Tenant, id: Id<Kind>) => Promise<Lookup<Row>>;
  /** Whether a record is the actor's own, where the actor's permission ends there; absent when none does. */
  readonly isOwn?: (actor: UserActor, row: Row) => boolean;
}

/** A record in full, with its entity tag. */
export interface RecordResponse extends RouteResponse {
  readonly body: Document;
  readonly etag: string;
}

/** Answers a record in full; `editable` picks from its document what a client may edit, for its entity tag. */
export function recordResponse(body: Document, editable: (document: Document) => unknown): RecordResponse {
  return { status: 200, body, etag: recordEtag(editable(body), body) };
}

/** A kind of record that the dashboard reads by its id: what its endpoints have in common. */
export interface Resource<Kind extends ResourceKind, Row> extends ResourceNames, Loadable<Kind, Row> {
  readonly kind: Kind;
  /** Loads the record that a path names; throws as `loaderOf` says. */
  readonly load: (request: RouteRequest) => Promise<Row>;
  /** The shape of a record in full. */
  readonly shape: JsonSchema;
  readonly answer: (request: RouteRequest, row: Row) => RecordResponse | Promise<RecordResponse>;
  /** The entity tag that a read answers with now. */
  readonly currentTag: (request: RouteRequest, row: Row) => Promise<string>;
}

/** The regular names of a kind: `pickup_point` is a `PickupPoint`, listed by `pickupPoints.list`. */
function namesOf(kind: ResourceKind): ResourceNames {
  const one = kind.replaceAll('_', ' ');
  const type = kind.replace(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase());
  return {
    type,
    operations: `${type.charAt(0).toLowerCase()}${type.slice(1)}s`,
    one,
  };
}

/** Makes a resource with the regular names of its kind. */
export function resourceOf<Kind extends ResourceKind, Row>(
  kind: Kind,
  parts: Pick<Resource<Kind, Row>, 'find' | 'isOwn' | 'shape' | 'answer'>,
): Resource<Kind, Row> {
  const names = namesOf(kind);
  return {
    ...names,
    ...parts,
    kind,
    load: loaderOf({ one: names.one, ...parts }),
    currentTag: async (request, row) => (await parts.answer(request, row)).etag,
  };
}

/** Makes the `load` of routes whose path names a record, for an actor who may have it. It throws 403 and 404 ProblemErrors. */
export function loaderOf<Kind extends string, Row>({
  find,
  isOwn,
  one,
}: Loadable<Kind, Row>): (request: RouteRequest) => Promise<Row> {
  return async (request) => {
    const row = requireFound(await find(request.scope, idOf<Kind>(request)), one);
    requireOwn(request.permissionScope === 'organization' || isOwn?.(request.actor, row) === true, one);
    return row;
  };
}

/**
 * Whose records a list shows, drivers' or merchants': those of the `asked` ones, of everybody for null. An actor whose
 * permission ends at its own records gets those; undefined when nothing is left to show.
 */
export function shownOwners<Owner extends string>(
  { permissionScope }: Pick<RouteRequest, 'permissionScope'>,
  own: Owner | null,
  asked: readonly Owner[] | null = null,
): readonly Owner[] | null | undefined {
  if (permissionScope === 'organization') return asked;
  return own === null || asked?.includes(own) === false ? undefined : [own];
}

/** Operation and path of one of a resource's routes. */
export function infoOf(
  { operations, kind }: Pick<ResourceNames, 'operations'> & { readonly kind: ResourceKind },
  verb: string,
) {
  const base = collectionPath(kind).slice(API_PREFIX.length);
  const path = verb === 'list' || verb === 'create' ? base : `${base}/{id}`;
  return { operation: `${operations}.${verb}`, path };
}

/** The route that reads one record. */
export function readRoute<Kind extends ResourceKind, Row>(
  resource: Resource<Kind, Row>,
  words: {
    readonly action: Action;
    readonly tag?: string;
    readonly shows: string;
    readonly summary?: string;
    readonly description?: string;
  },
): RouteDefinition {
  const { shows, ...info } = words;
  return dashboardRoute({
    summary: `Read a ${resource.one}`,
    ...info,
    ...infoOf(resource, 'read'),
    method: 'GET',
    answers: { 200: { description: shows, schema: resource.shape, headers: ['ETag'] } },
    load: resource.load,
    handle: (request) => resource.answer(request, request.item),
  });
}

/** The route that lists records, newest first by default. */
export function listRoute<Query extends Page, Row>(
  names: ResourceNames & { readonly kind: ResourceKind },
  list: Pick<RouteInfo, 'tag'> & {
    readonly action: Action;
    readonly summary?: string;
    /** Rules that no schema says. */
    readonly note?: string;
    readonly shows?: string;
    /** The shape of a page. */
    readonly shape: JsonSchema;
    readonly query: Schema<Query>;
    /** Finds the page that the query names, of records that the actor may see. */
    readonly findPage: (request: RouteRequest<'dashboard', Query>) => Promise<PageOf<Row>>;
    /** A record inside the page. */
    readonly present: (row: Row) => Document;
  },
): RouteDefinition {
  const { note = '', shows = 'One page.', shape, findPage, present, ...info } = list;
  const collection = collectionOf(names.type, shape, present);
  return dashboardRoute({
    summary: `List ${names.one}s`,
    ...info,
    ...infoOf(names, 'list'),
    method: 'GET',
    description: `Newest first by default. ${note}`.trim(),
    answers: { 200: { description: shows, schema: shape } },
    handle: async (request) => collection(request, await findPage(request)),
  });
}
