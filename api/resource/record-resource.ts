import type { Id } from '../../domain/ids.ts';
import type { ResourceKind } from '../../domain/iri.ts';
import type { Action, PermissionScope } from '../../domain/permission.ts';
import type { Violation } from '../../domain/problem.ts';
import type { TenantRow } from '../../store/models/tenant-model.ts';
import type { Lookup, Order, Page, PageOf, Tenant } from '../../store/tenant.ts';
import type { Passwords } from '../auth/passwords.ts';
import type { CollectionQuery } from '../http/pagination.ts';
import type { ResponseDoc, UserActor } from '../http/route.ts';
import type { JsonSchema, Schema } from '../schema/schema.ts';
import type { Document } from '../hydra/resource.ts';

/** The types of a resource: its kind, its rows' fields, and what its schemas come to. */
export interface RecordTypes {
  readonly kind: ResourceKind;
  readonly fields: object;
  readonly body: unknown;
  readonly edit: unknown;
  readonly query: CollectionQuery;
}
export type RecordRow<T extends RecordTypes> = TenantRow<T['kind'], T['fields']>;

/** Who asks, and through which door to the records. */
export interface RecordRequest {
  readonly tenant: Tenant;
  readonly actor: UserActor;
  readonly permissionScope: PermissionScope;
  readonly passwords: Passwords;
}

/** What differs between resources that are listed, created, read, edited and deleted in the same way. */
export interface RecordResource<T extends RecordTypes> extends RecordShape<T>, RecordStore<T> {
  readonly kind: T['kind'];
  /** The JSON-LD type, `PickupPoint`. */
  readonly type: string;
  /** The name before the dot of an operation, `pickupPoints`. */
  readonly operations: string;
  readonly words: { readonly one: string; readonly many: string; readonly tag: string };
  readonly actions: { readonly list: Action; readonly read: Action; readonly write: Action };
  /** Rules of the operations that no schema says, for OpenAPI. */
  readonly notes: Readonly<Record<'list' | 'create' | 'edit' | 'remove', string>>;
  /** Answers of creation and edit in addition to those of every resource. */
  readonly otherAnswers?: Readonly<Record<number, ResponseDoc>>;
}

/** How a resource's records look outside. */
export interface RecordShape<T extends RecordTypes> {
  readonly body: Schema<T['body']>;
  /** What a PATCH must come to. */
  readonly edited: Schema<T['edit']>;
  readonly query: Schema<T['query']>;
  readonly shapes: { readonly record: JsonSchema; readonly collection: JsonSchema };
  /** Fields that are shown and never set, in addition to id and dates, each with a word of help. */
  readonly readOnly: Readonly<Record<string, string>>;
  /** The fields of a record, without its id and dates. */
  readonly properties: (row: RecordRow<T>) => Document;
  /** The entity tag, where the version alone does not cover all that is shown; it begins with the version and a dash. */
  readonly etag?: (row: RecordRow<T>) => string;
}

/** How a resource's records are kept. */
export interface RecordStore<T extends RecordTypes> {
  /** Whether a record is the actor's own, where the actor's reach ends there. */
  readonly isOwn: (actor: UserActor, row: RecordRow<T>) => boolean;
  readonly find: (tenant: Tenant, id: Id<T['kind']>) => Promise<Lookup<RecordRow<T>>>;
  readonly findPage: (
    request: RecordRequest,
    query: T['query'],
    order: Order,
    page: Page,
  ) => Promise<PageOf<RecordRow<T>>>;
  /**
   * What a body names and is not to be had, read from the sound parts of a body whose shape is broken, so that all
   * violations come at once; of other bodies `create` and `edit` say so. `row` is the record that is edited.
   */
  readonly lookupViolations?: (
    request: RecordRequest,
    body: unknown,
    row: RecordRow<T> | null,
  ) => Promise<readonly Violation[]>;
  readonly create: (request: RecordRequest, id: Id<T['kind']>, body: T['body']) => Promise<void>;
  /** Writes over the row's version; false when it has another one now. */
  readonly edit: (request: RecordRequest, row: RecordRow<T>, edit: T['edit']) => Promise<boolean>;
  /** Deletes the row; false when it has another version than the one given, where one is given, or is gone. */
  readonly remove: (request: RecordRequest, row: RecordRow<T>, version: number | null) => Promise<boolean>;
  /** Fields that no two records share, with the message of the violation, by the unique index that says so. */
  readonly uniqueFields: Readonly<Record<string, { readonly field: string; readonly message: string }>>;
}
