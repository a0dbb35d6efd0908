import type { TaggedRecord } from '../../parts/use-edit.ts';
import type { Column } from '../../parts/table.tsx';
import type { FormField, FormValues } from './form-field.ts';

/** One page of a collection. */
export interface RecordPage<Member> {
  readonly totalItems: number;
  readonly member: readonly Member[];
}

/** A kind of record that the settings list, make, change and delete: merchants, pickup points, users. */
export interface RecordKind<Member extends { readonly id: string }, Row, Body extends object> {
  /** The collection's name in keys of queries. */
  readonly name: 'merchants' | 'pickup-points' | 'users';
  readonly columns: readonly Column<Member>[];
  readonly fields: (values: FormValues, isNew: boolean) => readonly FormField[];
  readonly fresh: FormValues;
  readonly valuesOf: (row: Row) => FormValues;
  readonly bodyOf: (values: FormValues) => Body;
  readonly list: (page: number) => Promise<RecordPage<Member>>;
  readonly read: (id: string) => Promise<TaggedRecord<Row>>;
  /** A repeat with the same key creates nothing twice. */
  readonly create: (body: Body, key: string) => Promise<unknown>;
  readonly edit: (id: string, patch: Partial<Body>, etag: string | null) => Promise<TaggedRecord<Row>>;
  /** Absent where the role may not delete. */
  readonly remove: ((id: string, etag: string | null) => Promise<void>) | undefined;
  readonly words: RecordWords;
}

/** What the screen says of the kind. */
export interface RecordWords {
  readonly plural: string;
  readonly make: string;
  readonly change: string;
  readonly empty: string;
  /** What deleting one means, beyond that it is gone. */
  readonly removal: string;
}

export const PAGE_SIZE = 50;

/** Parameters of a request to one record, with the tag that it was read with. */
export function taggedParams(id: string, etag: string | null) {
  return { path: { id }, header: etag === null ? {} : { 'If-Match': etag } };
}

/** Parameters of a request that creates. */
export function keyedParams(key: string) {
  return { header: { 'Idempotency-Key': key } };
}

export const PATCH_HEADERS = { 'Content-Type': 'application/merge-patch+json' };
