import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { API_PREFIX } from '../../domain/iri.ts';
import { parseId } from '../../domain/ids.ts';
import type { PermissionScope } from '../../domain/permission.ts';
import { permissionScopeOf } from '../../domain/permission.ts';
import { say } from '../../domain/messages.ts';
import { ProblemError, stated } from '../../domain/problem.ts';
import { requestClass, routeClass } from '../../domain/request-budgets.ts';
import { newId } from '../../store/new-id.ts';
import { recordRejectedAccess } from './audited.ts';
import type { Dependencies } from '../dependencies.ts';
import { propertyNames } from '../schema/json-schema.ts';
import { consumedTypes, readBody } from './body.ts';
import { withFrame } from './json-ld-frame.ts';
import { JSON_TYPE, LD_JSON, negotiate } from './media-types.ts';
import { readQuery } from './query.ts';
import { requireProof } from './proof.ts';
import { noteOrganization } from './request-log.ts';
import type { Actor, RequestParts, RouteDefinition, RouteResponse, Surface } from './route.ts';
import { sendResponse } from './send-response.ts';

/** How callers prove who they are. */
export interface Authentication {
  /** Runs before each route of the dashboard. */
  readonly tokenGuard: Middleware;
  /** Who asks; rejects with an unauthenticated or limited ProblemError. */
  readonly actorOf: (surface: Surface, context: Context) => Promise<Actor | null>;
}

/**
 * The router over the route rows, below a prefix: that of the API, or of another door to it. For each: authenticate and count, permission, parameters, then the route's own part: query,
 * the record that the path names, content type and body, Accept, handler. Accept comes last, so that a client that takes nothing
 * but problem documents gets its errors. Unknown paths are 404, known ones with another method 405 with `Allow`. Fixed paths come
 * before those with parameters, which would take them for ids.
 */
export function createRouter(
  rows: readonly RouteDefinition[],
  dependencies: Dependencies,
  { tokenGuard, actorOf }: Authentication,
  prefix = API_PREFIX,
): ReturnType<Router['routes']> {
  const router = new Router({ sensitive: true, strict: true });
  for (const [path, ownRows] of fixedFirst(rowsByPath(rows))) {
    const accepted = acceptedTypes(ownRows);
    const announce: Middleware = (context, next) => {
      context.set(accepted);
      return next();
    };
    for (const row of ownRows) {
      const answer = answerer(row, dependencies);
      const handle = async (context: Context) => {
        // Answers and Idempotency-Keys name a record by its own address, whatever door the request came through.
        context.path = `${API_PREFIX}${context.path.slice(prefix.length)}`;
        const actor = await actorOf(row.surface, context);
        if (actor !== null) noteOrganization(context, actor.organizationId);
        return answer(context, actor);
      };
      const guards = row.surface === 'dashboard' ? [tokenGuard] : [];
      router.register(routerPath(prefix, path), [row.method.toLowerCase()], [announce, ...guards, handle]);
    }
    const allow = allowedMethods(ownRows);
    router.all(routerPath(prefix, path), announce, (context: Context) => rejectMethod(context, allow));
  }
  return router.routes();
}

/** Makes what answers a row's requests, once their caller is known. */
function answerer(
  row: RouteDefinition,
  dependencies: Dependencies,
): (context: Context, actor: Actor | null) => Promise<void> {
  const queryNames = propertyNames(row.queryJson);
  const chargerOf = createCharger(row, dependencies);
  return async (context, actor) => {
    const charge = chargerOf(context, actor);
    await charge(1);
    const respond = async (): Promise<[RouteResponse, string]> => {
      const request: RequestParts<Readonly<Record<string, unknown>>> = {
        context,
        dependencies,
        operation: row.operation,
        permissionScope: provenScope(row, actor),
        ...negotiated(context, row),
        params: parameters(context, row),
        query: readQuery(context),
        queryNames,
        charge,
        effectId: newId<'effect'>(),
      };
      return [await row.run(actor, request, () => readBody(context, row)), request.contentType];
    };
    const [response, contentType] = await respond().catch(async (error: unknown) => {
      await recordRejectedAccess(error, { actor, context, dependencies, operation: row.operation });
      throw error;
    });
    // What it wrote is committed; those who follow the changes need not wait until they look by themselves.
    if (row.method !== 'GET' && actor !== null) dependencies.changes.announce();
    sendResponse(context, withFrame(row, response, contentType), contentType);
  };
}

/**
 * What counts a row's requests: those of a dashboard's row against its user's and its organization's budgets, whose state
 * goes into the answer's headers. Throws an Error for a dashboard's row whose class domain/request-budgets.ts does not name.
 */
function createCharger(
  row: RouteDefinition,
  { budgets }: Dependencies,
): (context: Context, actor: Actor | null) => RequestParts<unknown>['charge'] {
  const known = row.surface === 'dashboard' ? routeClass(row.operation) : undefined;
  if (row.surface === 'dashboard' && known === undefined) {
    throw new Error(`domain/request-budgets.ts has no class for ${row.operation}`);
  }
  return (context, actor) => async (units) => {
    if (known === undefined || actor?.kind !== 'user' || units < 1) return;
    await budgets.take(requestClass(known, context.query['search'] !== undefined), actor, units, context);
  };
}

/** How far the actor's permission reaches, once it has proved who it is as far as the row asks. */
function provenScope(row: RouteDefinition, actor: Actor | null): PermissionScope {
  const permissionScope = permittedScope(row, actor);
  requireProof(row, actor);
  return permissionScope;
}

function permittedScope({ action }: RouteDefinition, actor: Actor | null): PermissionScope {
  if (action === undefined || actor === null) return 'organization';
  const role = actor.kind === 'key' ? 'ROLE_EXTERNAL_API' : actor.role;
  const permissionScope = permissionScopeOf(role, action);
  if (permissionScope !== undefined) return permissionScope;
  throw new ProblemError({ kind: 'forbidden', ...stated(say('role_may_not', { role })) });
}

/** The content types of a route's success answers, the default first: its surface's unless it says otherwise. */
export function offersOf(row: RouteDefinition): readonly string[] {
  return row.produces ?? (row.surface === 'dashboard' ? [LD_JSON, JSON_TYPE] : [JSON_TYPE, LD_JSON]);
}

function negotiated(
  context: Context,
  row: RouteDefinition,
): Pick<RequestParts<unknown>, 'contentType' | 'requireAcceptable'> {
  const offers = offersOf(row);
  const chosen = negotiate(context.headers.accept, offers);
  return {
    contentType: chosen ?? offers[0] ?? JSON_TYPE,
    requireAcceptable: () => {
      if (chosen !== undefined || !hasContent(row)) return;
      throw new ProblemError({
        kind: 'not_acceptable',
        detail: `Not acceptable. Available types: ${offers.join(', ')}.`,
      });
    },
  };
}

/** Whether a success may have a body; where it cannot, there is nothing to negotiate. */
export function hasContent({ answers, produces }: RouteDefinition): boolean {
  const successes = Object.entries(answers).flatMap(([status, doc]) => (Number(status) < 400 ? [doc] : []));
  return (
    produces !== undefined ||
    successes.some(({ schema, contentType }) => (schema ?? contentType) !== undefined)
  );
}

/** Ids are UUIDs, unless the row says otherwise; a path with anything else names nothing. */
function parameters(context: Context, row: RouteDefinition): Record<string, string> {
  const params: unknown = context['params'];
  if (typeof params !== 'object' || params === null) return {};
  const entries = Object.entries(params).map(([name, value]: [string, unknown]) => {
    const text = typeof value === 'string' ? value : '';
    const id = row.pathJson?.[name] === undefined ? parseId(text) : text;
    if (id === undefined) throw new ProblemError({ kind: 'missing', ...stated(say('no_resource')) });
    return [name, id] as const;
  });
  return Object.fromEntries(entries);
}

function rejectMethod(context: Context, allow: readonly string[]): void {
  if (context.method === 'OPTIONS') {
    context.set('allow', allow.join(', '));
    context.status = 204;
    return;
  }
  throw new ProblemError({
    kind: 'method_not_allowed',
    detail: `${context.method.slice(0, 20)} is not allowed here. Allowed methods: ${allow.join(', ')}.`,
    allow,
  });
}

function rowsByPath(rows: readonly RouteDefinition[]): Map<string, readonly RouteDefinition[]> {
  const byPath = new Map<string, readonly RouteDefinition[]>();
  for (const row of rows) {
    for (const path of spellings(row.path)) {
      const known = byPath.get(path) ?? [];
      const isKnown = known.some(({ method }) => method === row.method);
      if (isKnown) throw new Error(`two routes answer ${row.method} ${row.path}`);
      byPath.set(path, [...known, row]);
    }
  }
  return byPath;
}

function fixedFirst(
  byPath: ReadonlyMap<string, readonly RouteDefinition[]>,
): (readonly [string, readonly RouteDefinition[]])[] {
  const parameterCount = (path: string) => path.split('{').length;
  return [...byPath].sort(([left], [right]) => parameterCount(left) - parameterCount(right));
}

function allowedMethods(rows: readonly RouteDefinition[]): readonly string[] {
  return ['OPTIONS', ...rows.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))];
}

/** What a path accepts, in the headers of each of its responses: `Accept-Patch` (RFC 5789) and `Accept-Post` (Linked Data Platform). */
function acceptedTypes(rows: readonly RouteDefinition[]): Record<string, string> {
  const headers = { POST: 'accept-post', PATCH: 'accept-patch' } as const;
  return Object.fromEntries(
    rows.flatMap((row) => {
      if ((row.method !== 'POST' && row.method !== 'PATCH') || row.bodyJson === null) return [];
      return [[headers[row.method], consumedTypes(row).join(', ')]];
    }),
  );
}

/** Both spellings of pickup points are routes (interpretation 28), and the entrypoint with and without a slash. */
function spellings(path: string): string[] {
  if (path === '/') return ['', '/'];
  return path.startsWith('/pickup-points')
    ? [path, path.replace('/pickup-points', '/pickup_points')]
    : [path];
}

function routerPath(prefix: string, path: string): string {
  return `${prefix}${path.replace(/\{(\w+)\}/g, ':$1')}`;
}
