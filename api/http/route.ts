import type { Action, PermissionScope, UserRole } from '../../domain/permission.ts';
import type { DriverId, MerchantId, OrganizationId, SessionId, UserId } from '../../domain/ids.ts';
import type { Violation } from '../../domain/problem.ts';
import { describeViolations, ProblemError } from '../../domain/problem.ts';
import type { TrackingSeries } from '../../store/shipments/tracking-numbers.ts';
import type { ApiConfig } from '../../platform/config.ts';
import { newId } from '../../store/new-id.ts';
import type { Dependencies } from '../dependencies.ts';
import { withLookupViolations } from '../schema/lookup-violations.ts';
import { withIdempotency, idempotencyKeyOf } from './idempotency.ts';
import type { JsonSchema, Schema } from '../schema/schema.ts';
import { object } from '../schema/schema-objects.ts';
import { parseWith } from '../schema/validate.ts';

/** A signed-in user, as api/auth made it from a token. */
export interface UserActor {
  readonly kind: 'user';
  readonly userId: UserId;
  readonly organizationId: OrganizationId;
  readonly role: UserRole;
  readonly merchantId: MerchantId | null;
  readonly driverId: DriverId | null;
  readonly sessionId: SessionId;
}

/** A shop's server, known by its organization's key. */
export interface ApiKeyActor {
  readonly kind: 'key';
  readonly organizationId: OrganizationId;
  /** What its tracking numbers are made of, read with the key. */
  readonly series: TrackingSeries;
}

/** What the three surfaces of the contract know about their caller. */
export interface ActorBySurface {
  readonly dashboard: UserActor;
  readonly external: ApiKeyActor;
  readonly public: null;
}
export type Surface = keyof ActorBySurface;
export type Actor = UserActor | ApiKeyActor;

/** A request after everything that can be checked without the handler has been checked. */
export interface RouteRequest<ActorOf, Body, Query, Item> {
  readonly actor: ActorOf;
  /** How far the actor's permission reaches; `organization` on the public surface, which has no roles. */
  readonly permissionScope: PermissionScope;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly item: Item;
  readonly raw: RawRequest;
  readonly dependencies: Dependencies;
  /**
   * Takes further units of the request's budget, in addition to the one that every request costs: for bodies that mean many
   * shipments, before the work. Throws a limited ProblemError; a negative number takes nothing.
   */
  readonly charge: (units: number) => Promise<void>;
  /** The id for what this request makes; the same when the same request is repeated with its Idempotency-Key. */
  readonly effectId: string;
}

/** The parts of the HTTP request that few handlers need. */
export interface RawRequest {
  readonly method: string;
  /** The path with the API prefix, and the query string with its question mark or empty. */
  readonly path: string;
  readonly search: string;
  /** Names of the query parameters that the route knows. */
  readonly queryNames: readonly string[];
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** As limits count it: an IPv4 address, or an IPv6 network. */
  readonly clientAddress: string;
  /** The language that `Accept-Language` likes best, the first where it names none of them. */
  readonly bestLanguage: <Language extends string>(
    first: Language,
    ...others: readonly Language[]
  ) => Language;
  readonly requestId: string;
  /** Sets headers of the answer, whatever the answer will be. */
  readonly setHeaders: (headers: Readonly<Record<string, string>>) => void;
  /** The request's stream, for bodies that are not JSON. */
  readonly stream: NodeJS.ReadableStream;
}

/** What a handler answers. Bodies of JSON types are objects; others are bytes or text. */
export interface RouteResponse {
  readonly status: number;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The row's version as an entity tag, without quotes (interpretation 39). */
  readonly etag?: string;
}

/** An answer as OpenAPI shows it. */
export interface ResponseDoc {
  readonly description: string;
  readonly contentType?: string;
  readonly schema?: JsonSchema;
  readonly headers?: readonly string[];
}

/** Everything about an endpoint but its handler: the router, the permission check and OpenAPI read it. */
export interface RouteInfo {
  /** OpenAPI's operationId, `shipments.create`. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the prefix, with parameters in braces: `/shipments/{id}`. */
  readonly path: string;
  /** The action that the actor must be allowed; null when authentication is enough, or not required. */
  readonly action: Action | null;
  readonly tag: string;
  readonly summary: string;
  /** Names every rule that the schemas cannot say. */
  readonly description?: string;
  /** The body as OpenAPI shows it, where that is not the schema that reads it (a merge patch, a file). */
  readonly documentedBody?: JsonSchema;
  /** Path parameters that are not UUIDs, by name. */
  readonly pathJson?: Readonly<Record<string, JsonSchema>>;
  /** Bodies to try, by a few words on each; OpenAPI makes one of the schema where there are none. */
  readonly examples?: Readonly<Record<string, unknown>>;
  /** Content types of the body; the surface's own when absent, none where the operation takes no body. */
  readonly consumes?: readonly string[];
  /** Content types of the success answer, the default first. */
  readonly produces?: readonly string[];
  readonly answers: Readonly<Record<number, ResponseDoc>>;
  /** Whether `Idempotency-Key` is honoured (interpretation 39). */
  readonly isIdempotent?: boolean;
  /** How the route's keys differ from the default: the path as their scope, 24 hours. */
  readonly idempotency?: {
    readonly resource: (params: Readonly<Record<string, string>>) => string;
    readonly lifetimeHours: (config: ApiConfig) => number;
  };
  /** Whether `If-Match` is honoured (interpretation 39). */
  readonly isConditional?: boolean;
}

/** The typed parts of a route. `NO_BODY`, `NO_QUERY` and `nothing` say that there is none. */
export interface RouteParts<ActorOf, Body, Query, Item> {
  readonly body: Schema<Body>;
  readonly query: Schema<Query>;
  /** Loads what the path names and checks that the actor may have it, before the body is looked at. */
  readonly load: (request: LoadRequest<ActorOf, Query>) => Promise<Item>;
  /**
   * Runs only when the body fails validation. Returns violations for references in its valid parts, so that the client gets
   * every violation in one response. For a valid body `handle` checks references itself.
   */
  readonly lookupViolations?: (
    request: LoadedRequest<ActorOf, Query, Item>,
    body: unknown,
  ) => Promise<readonly Violation[]>;
  readonly handle: (request: RouteRequest<ActorOf, Body, Query, Item>) => Promise<RouteResponse>;
  /**
   * Answers a repeated request whose first answer was lost, from what the first request stored under the same `effectId`.
   * Resolves to undefined when it stored nothing. A 202 of such a route is not stored with the key: a repeat asks again.
   */
  readonly repeat?: (request: RepeatRequest<ActorOf, Query>) => Promise<RouteResponse | undefined>;
}

/** What is known of a repeated request before its record is loaded. */
export type RepeatRequest<ActorOf, Query> = Omit<RouteRequest<ActorOf, null, Query, null>, 'body' | 'item'>;

/** What a loader sees. */
export type LoadRequest<ActorOf, Query> = Omit<
  RouteRequest<ActorOf, null, Query, null>,
  'body' | 'item' | 'effectId'
>;

/** What is known of a request before its body is. */
export type LoadedRequest<ActorOf, Query, Item> = Omit<
  RouteRequest<ActorOf, null, Query, Item>,
  'body' | 'effectId'
>;

/** A route as the router runs it: the types of its parts are sealed inside. */
export interface RouteDefinition extends RouteInfo {
  readonly surface: Surface;
  readonly bodyJson: JsonSchema | null;
  readonly queryJson: JsonSchema;
  /** What is wrong with a body, as far as it can be said without the records it names. */
  readonly bodyViolations: (body: unknown) => readonly Violation[];
  readonly run: (request: UnparsedRequest) => Promise<RouteResponse>;
}

/** What the router hands to a route. */
export interface UnparsedRequest {
  readonly actor: Actor | null;
  readonly permissionScope: PermissionScope;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Reads the body, after the record that the path names was found; throws the ProblemErrors of api/http/body.ts. */
  readonly readBody: () => Promise<SentBody>;
  readonly raw: RawRequest;
  readonly dependencies: Dependencies;
  readonly charge: (units: number) => Promise<void>;
}

/** A body as it was sent; `rawBody` is its text, empty where it is not JSON. */
export interface SentBody {
  readonly body: unknown;
  readonly rawBody: string;
}

/** No body is read; what a client sends all the same is ignored. */
export const NO_BODY: Schema<unknown> = { ...object({}), json: {} };
/** No query parameter is known. */
export const NO_QUERY = object({}, { strict: true });
/** Nothing to load. */
export const nothing = () => Promise.resolve(null);

export const dashboardRoute = routeMaker('dashboard', (actor) => {
  if (actor?.kind !== 'user') throw new Error('a dashboard route ran without a user');
  return actor;
});
export const externalRoute = routeMaker('external', (actor) => {
  if (actor?.kind !== 'key') throw new Error('an external route ran without a key');
  return actor;
});
export const publicRoute = routeMaker('public', () => null);

function routeMaker<ActorOf extends Actor | null>(
  surface: Surface,
  narrow: (actor: Actor | null) => ActorOf,
) {
  return function route<Body, Query, Item>(
    definition: RouteInfo & RouteParts<ActorOf, Body, Query, Item>,
  ): RouteDefinition {
    const { body, query, load, lookupViolations, handle, repeat, ...info } = definition;
    const hasBody = body !== NO_BODY || info.documentedBody !== undefined;
    return {
      ...info,
      surface,
      bodyJson: hasBody ? (info.documentedBody ?? body.json) : null,
      queryJson: query.json,
      bodyViolations: (value) => {
        const parsed = parseWith(body, value);
        return parsed.kind === 'invalid' ? parsed.violations : [];
      },
      run: async (request) => {
        const known = {
          actor: narrow(request.actor),
          permissionScope: request.permissionScope,
          params: request.params,
          query: parsedQuery(query, request.query),
          raw: request.raw,
          dependencies: request.dependencies,
          charge: request.charge,
        };
        const answer = async (
          effectId: string,
          readBody: () => Promise<SentBody>,
        ): Promise<RouteResponse> => {
          const item = await load(known);
          const sent = await readBody();
          const parsed = await withLookupViolations(
            () => parsedBody(body, sent.body, hasBody),
            async () => (await lookupViolations?.({ ...known, item }, sent.body)) ?? [],
          );
          return handle({ ...known, body: parsed, item, effectId });
        };
        const key = info.isIdempotent === true ? idempotencyKeyOf(request) : undefined;
        if (key === undefined) return answer(newId<'effect'>(), request.readBody);
        // A key is looked up before the record is loaded: a repeat gets the first answer, whatever became of the record.
        const sent = await request.readBody();
        return withIdempotency(
          { ...request, key, rawBody: sent.rawBody, idempotency: info.idempotency },
          {
            answer: (effectId) => answer(effectId, () => Promise.resolve(sent)),
            ...(repeat === undefined ? {} : { repeat: (effectId) => repeat({ ...known, effectId }) }),
          },
        );
      },
    };
  };
}

/** All faults of the query are one 400: a mistyped parameter must not widen a result (interpretation 27). */
function parsedQuery<Query>(schema: Schema<Query>, query: Readonly<Record<string, unknown>>): Query {
  // A checker that copies the parameters would lose this one, and with it an error.
  if (Object.hasOwn(query, '__proto__')) {
    throw new ProblemError({
      kind: 'malformed',
      detail: 'Query parameters: __proto__: Unknown field; remove it.',
    });
  }
  const parsed = parseWith(schema, query);
  if (parsed.kind === 'valid') return parsed.value;
  const detail = describeViolations(parsed).replaceAll('\n', ' ');
  throw new ProblemError({ kind: 'malformed', detail: `Query parameters: ${detail}` });
}

function parsedBody<Body>(schema: Schema<Body>, body: unknown, isExpected: boolean): Body {
  const parsed = parseWith(schema, isExpected ? body : {});
  if (parsed.kind === 'valid') return parsed.value;
  throw new ProblemError(parsed);
}
