import type { Context } from 'koa';
import type { Action, PermissionScope, UserRole } from '../../domain/permission.ts';
import type { DriverId, MerchantId, OrganizationId, SessionId, UserId } from '../../domain/ids.ts';
import { toId } from '../../domain/ids.ts';
import type { SecondFactorState } from '../../domain/second-factor.ts';
import type { Violation } from '../../domain/problem.ts';
import type { TrackingSeries } from '../../store/shipments/tracking-numbers.ts';
import type { ApiConfig } from '../../platform/config.ts';
import type { Tenant } from '../../store/tenant.ts';
import { tenant } from '../../store/tenant.ts';
import type { Dependencies } from '../dependencies.ts';
import { checkedBody } from '../schema/checked-body.ts';
import type { JsonSchema, Schema } from '../schema/schema.ts';
import { object } from '../schema/schema-objects.ts';
import { parseWith } from '../schema/validate.ts';
import type { ConflictMembers } from './conflict-members.ts';
import { withConflictMembers } from './conflict-members.ts';
import { answerOnce } from './idempotency.ts';
import { framedAnswers } from './json-ld-frame.ts';
import { requireNoneMatch } from './preconditions.ts';
import { parseQuery } from './query.ts';

/** A signed-in user, as api/auth made it from a token or a cookie. */
export interface UserActor {
  readonly kind: 'user';
  readonly userId: UserId;
  readonly organizationId: OrganizationId;
  readonly role: UserRole;
  readonly merchantId: MerchantId | null;
  readonly driverId: DriverId | null;
  readonly sessionId: SessionId;
  readonly secondFactor: SecondFactorState;
  /** Whether the user of a session of the console gave the password of late; null for a token, which is never asked (decision 0046). */
  readonly isConfirmed: boolean | null;
}

/** A shop's server, known by its organization's key. */
export interface ApiKeyActor {
  readonly kind: 'key';
  readonly organizationId: OrganizationId;
  /** What its tracking numbers are made of, read with the key. */
  readonly series: TrackingSeries;
}
export type Actor = UserActor | ApiKeyActor;

/** Who asks on the three surfaces of the contract, and the door to the records of its organization. */
interface CallerBySurface {
  readonly dashboard: { readonly actor: UserActor; readonly scope: Tenant };
  readonly external: { readonly actor: ApiKeyActor; readonly scope: Tenant };
  readonly public: { readonly actor: null };
}
export type Surface = keyof CallerBySurface;

/** What every request has, once its caller is known, permitted and counted. */
export interface RequestParts<Query> {
  /** koa's context: headers, addresses, languages. */
  readonly context: Context;
  readonly dependencies: Dependencies;
  /** The route's operation, `shipments.create`. */
  readonly operation: string;
  /** How far the actor's permission reaches; `organization` on the public surface, which has no roles. */
  readonly permissionScope: PermissionScope;
  readonly params: Readonly<Record<string, string>>;
  /** The content type of a success answer, as `Accept` chose it among the route's; the route's first where it excludes all. */
  readonly contentType: string;
  /** Throws a 406 ProblemError where `Accept` excludes every type of the route. */
  readonly requireAcceptable: () => void;
  readonly query: Query;
  /** Names of the query parameters that the route knows. */
  readonly queryNames: readonly string[];
  /**
   * Takes further units of the request's budget, in addition to the one that every request costs: for bodies that mean many
   * shipments, before the work. Throws a limited ProblemError; a negative number takes nothing.
   */
  readonly charge: (units: number) => Promise<void>;
  /** The id for what this request makes; the same when the same request is repeated with its Idempotency-Key. */
  readonly effectId: string;
}

/** A request before its record and its body are read. */
export type RouteRequest<On extends Surface = 'dashboard', Query = unknown> = CallerBySurface[On] &
  RequestParts<Query>;

/** A request with all that its handler needs. */
export type LoadedRequest<
  Item = unknown,
  Body = unknown,
  Query = unknown,
  On extends Surface = 'dashboard',
> = RouteRequest<On, Query> & { readonly item: Item; readonly body: Body };

/** What a handler answers. Bodies of JSON types are objects; others are bytes or text. */
export interface RouteResponse {
  readonly status: number;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Addresses for the Link header, in addition to those of every answer. */
  readonly links?: string;
  /** The entity tag, without quotes (decision 0025). */
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
  /** The action that the actor must be allowed; absent when authentication is enough, or not required. */
  readonly action?: Action;
  /** Its section in the documentation; by default that of the operation's first word, `deliveryRuns` in «Delivery runs». */
  readonly tag?: string;
  readonly summary: string;
  /** Names every rule that the schemas cannot say. */
  readonly description?: string;
  /** The body as OpenAPI shows it, where that is not the schema that reads it (a merge patch, a file). */
  readonly documentedBody?: JsonSchema;
  /** Path parameters that are not UUIDs, by name. */
  readonly pathJson?: Readonly<Record<string, JsonSchema>>;
  /** Bodies to try, by a few words on each; OpenAPI makes one of the schema where there are none. */
  readonly examples?: Readonly<Record<string, unknown>>;
  /** Whether a request may come without its body, which then is an empty object. */
  readonly isBodyOptional?: boolean;
  /** Content types of the body; the surface's own when absent, none where the operation takes no body. */
  readonly consumes?: readonly string[];
  /** Content types of the success answer, the default first. */
  readonly produces?: readonly string[];
  /** Whether its answers are no JSON-LD documents of their own, and get a frame where JSON-LD is chosen (json-ld-frame.ts). */
  readonly isPlain?: true;
  /** Whether the handler asks for `requireAcceptable` itself, after checks of its own; by default that is done before it. */
  readonly acceptsLate?: true;
  readonly answers: Readonly<Record<number, ResponseDoc>>;
  /** Whether `Idempotency-Key` is honoured (interpretation 39). */
  readonly isIdempotent?: boolean;
  /** How the route's keys differ from the default: the path as their scope, 24 hours. */
  readonly idempotency?: {
    readonly resource: (params: Readonly<Record<string, string>>) => string;
    readonly lifetimeHours: (config: ApiConfig) => number;
    /**
     * What a body asks for, as a text that is the same however and wherever it is written, where several routes share their
     * keys; undefined for a body that is not valid.
     */
    readonly meaningOf: (body: unknown) => string | undefined;
  };
  /** Whether a body has a password: what is kept with its key is a digest under a secret, which nobody guesses passwords by. */
  readonly hasPassword?: boolean;
  /** Whether `If-Match` is honoured (decision 0025). */
  readonly isConditional?: boolean;
  /** Whether a session of the console is asked for the password again before it (decision 0046). */
  readonly asksPassword?: boolean;
  /** Whether it is open to a user who has not yet set up the second factor that the organization requires. */
  readonly isOpenWithoutFactor?: boolean;
}

type Loader<On extends Surface, Query> = (request: RouteRequest<On, Query>) => Promise<unknown>;
type Loaded<Load> = Load extends (request: never) => Promise<infer Item> ? Item : unknown;

/** The typed parts of a route. Without `body` none is read, without `query` no parameter is known. */
interface RouteParts<On extends Surface, Body, Query, Load extends Loader<On, NoInfer<Query>>> {
  readonly body?: Schema<Body>;
  readonly query?: Schema<Query>;
  /** Loads what the path names and checks that the actor may have it, before the body is looked at. */
  readonly load?: Load;
  /** The entity tag that a read of the loaded record answers with now, for `If-None-Match` of a write (decision 0025). */
  readonly currentTag?: (request: RouteRequest<On, NoInfer<Query>>, item: Loaded<Load>) => Promise<string>;
  /**
   * Violations that no schema sees, such as unknown references. It gets the valid fields of every body, so that one answer
   * has all violations; the handler need not check again.
   */
  readonly check?: (
    request: RouteRequest<On, NoInfer<Query>>,
    body: Partial<NoInfer<Body>>,
  ) => readonly Violation[] | Promise<readonly Violation[]>;
  readonly handle: (
    request: LoadedRequest<Loaded<Load>, NoInfer<Body>, NoInfer<Query>, On>,
  ) => RouteResponse | Promise<RouteResponse>;
  /**
   * Answers a repeated request whose first answer was lost, from what the first request stored under the same `effectId`.
   * Resolves to undefined when it stored nothing. A 202 of such a route is not stored with the key: a repeat asks again.
   */
  readonly repeat?: (request: RouteRequest<On, NoInfer<Query>>) => Promise<RouteResponse | undefined>;
  /**
   * What a 409 says in addition, of the record as it is now and as the caller may see it. It is asked for each time that a 409
   * is answered, also from a stored answer, and is never stored.
   */
  readonly conflictMembers?: (request: RouteRequest<On, NoInfer<Query>>) => Promise<ConflictMembers>;
}

/** A route as the router runs it: the types of its parts are sealed inside. */
export interface RouteDefinition extends RouteInfo {
  readonly tag: string;
  readonly surface: Surface;
  readonly bodyJson: JsonSchema | null;
  readonly queryJson: JsonSchema;
  /** What is wrong with a body, as far as it can be said without the records it names. */
  readonly bodyViolations: (body: unknown) => readonly Violation[];
  /** `readBody` reads the body after the record that the path names was found; it throws the ProblemErrors of body.ts. */
  readonly run: (
    actor: Actor | null,
    request: RequestParts<Readonly<Record<string, unknown>>>,
    readBody: () => Promise<SentBody>,
  ) => Promise<RouteResponse>;
}

/** A body as it was sent; `rawBody` is its text, empty where it is not JSON. */
export interface SentBody {
  readonly body: unknown;
  readonly rawBody: string;
}

const NO_QUERY = object({}, { strict: true });

export const dashboardRoute = routeMaker('dashboard', (actor, { database }) => {
  if (actor?.kind !== 'user') throw new Error('a dashboard route ran without a user');
  return { actor, scope: tenant(database, actor.organizationId) };
});
export const externalRoute = routeMaker('external', (actor, { database }) => {
  if (actor?.kind !== 'key') throw new Error('an external route ran without a key');
  return { actor, scope: tenant(database, actor.organizationId) };
});
export const publicRoute = routeMaker('public', () => ({ actor: null }));

/** The id that a path names: its first parameter, unless another is named. The router has parsed it. */
export function idOf<Kind extends string>(
  { params }: Pick<RequestParts<unknown>, 'params'>,
  name = Object.keys(params)[0] ?? '',
) {
  return toId<Kind>(params[name] ?? '');
}

function tagOf(operation: string): string {
  const words = operation.replace(/\..*$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function routeMaker<On extends Surface>(
  surface: On,
  callerOf: (actor: Actor | null, dependencies: Dependencies) => CallerBySurface[On],
) {
  // The signature ties the types of the parts together; inside nothing depends on them.
  function route<Body, Query, Load extends Loader<On, NoInfer<Query>>>(
    definition: RouteInfo & RouteParts<On, Body, Query, Load>,
  ): RouteDefinition;
  function route(
    definition: RouteInfo & RouteParts<On, unknown, unknown, Loader<On, unknown>>,
  ): RouteDefinition {
    const { body, query = NO_QUERY, load, currentTag, check, handle, ...others } = definition;
    const { repeat, conflictMembers, ...info } = others;
    return {
      ...info,
      answers: info.isPlain === true ? framedAnswers(info.answers) : info.answers,
      tag: info.tag ?? tagOf(info.operation),
      surface,
      bodyJson: info.documentedBody ?? body?.json ?? null,
      queryJson: query.json,
      bodyViolations: (value) => {
        const parsed = body && parseWith(body, value);
        return parsed?.kind === 'invalid' ? parsed.violations : [];
      },
      run: async (actor, parts, readBody) => {
        const caller = callerOf(actor, parts.dependencies);
        const asked = { ...caller, ...parts, query: parseQuery(query, parts.query) };
        const answer = async (effectId: string, read: () => Promise<SentBody>) => {
          const request = { ...asked, effectId };
          const item = await load?.(request);
          const sent = await read();
          const checked =
            body && (await checkedBody(parseWith(body, sent.body), (valid) => check?.(request, valid) ?? []));
          if (info.acceptsLate !== true) parts.requireAcceptable();
          if (surface !== 'public' && info.method !== 'GET') {
            await requireNoneMatch(parts.context, () => currentTag?.(request, item));
          }
          return handle(Object.assign({}, request, { item, body: checked }));
        };
        const respond = () =>
          answerOnce(
            parts,
            actor,
            info,
            readBody,
            answer,
            repeat && ((id) => repeat({ ...asked, effectId: id })),
          );
        return withConflictMembers(respond, conflictMembers && (() => conflictMembers(asked)));
      },
    };
  }
  return route;
}
