import type { Id } from '../../domain/ids.ts';
import type { ResourceKind } from '../../domain/iri.ts';
import { iriOf } from '../../domain/iri.ts';
import type { BodyOf, RecordFields } from '../schema/fields.ts';
import { bodyOf, fieldsOf, readOnlyHints, view } from '../schema/fields.ts';
import { propertyNames } from '../schema/json-schema.ts';
import type { JsonSchema, Schema, Shown } from '../schema/schema.ts';
import { shownAsIs } from '../schema/schema.ts';
import { dateTime } from '../schema/schema-moments.ts';
import { collectionShape, iri, string, uuid } from '../schema/shapes.ts';
import type { Document } from './resource.ts';
import { contextPath } from './resource.ts';

const dated = fieldsOf<{ readonly createdAt: Date; readonly updatedAt: Date }>();

/** When a record was made and last changed. */
export const DATES = {
  createdAt: dated.shown(dateTime(), (row) => row.createdAt),
  updatedAt: dated.shown(dateTime(), (row) => row.updatedAt),
};

/**
 * How records of one kind are read and shown (interpretation 25), all of it made of their fields. A member of a collection
 * is shown from a `Row`, a document of its own from a `Full` one.
 */
export interface RecordType<Row, Full, Body> {
  /** What a client sets. */
  readonly body: Schema<Body>;
  /** What a client does instead of setting a field that no client sets. */
  readonly hints: Readonly<Record<string, string>>;
  /** What a merge patch is read by (api/resource/edit.ts). */
  readonly editing: {
    readonly shape: JsonSchema;
    readonly schema: Schema<Body>;
    readonly hints: Readonly<Record<string, string>>;
    readonly ignored: readonly string[];
  };
  /** Of a document of the record what a client may edit: the first part of its entity tag (decision 0025). */
  readonly editable: (document: Document) => Document;
  readonly shapes: { readonly record: JsonSchema; readonly collection: JsonSchema };
  /** The record inside another document. */
  readonly member: Shown<Row>;
  readonly present: (row: Full) => Document;
  readonly presentMember: (row: Row) => Document;
}

/** Makes the type of records of a kind out of their fields; those of `alone` only a document of its own has. */
export function recordType<
  Kind extends ResourceKind,
  Row extends { readonly id: Id<Kind> },
  F,
  Full extends Row,
  Alone,
>(
  kind: Kind,
  type: string,
  fields: F & RecordFields<Row>,
  alone: Alone & RecordFields<Full>,
  options: {
    /** OpenAPI's title of a member; `DriverMember` by default. */
    readonly memberTitle?: string;
    /** What the body's conditions between fields demand. */
    readonly rule?: string;
  } = {},
): RecordType<Row, Full, BodyOf<F & Alone>> {
  const { memberTitle = `${type}Member`, rule } = options;
  const all = { ...fields, ...alone };
  const hints = readOnlyHints(all);
  const ignored = Object.keys(all).filter((name) => all[name]?.body === null && !(name in hints));
  const frame = fieldsOf<Row>();
  const framed = {
    '@id': frame.shown({ shown: iri, show: (id: Id<Kind>) => iriOf(kind, id) }, (row) => row.id),
    '@type': frame.shown(shownAsIs<string>({ const: type }), () => type),
    id: frame.shown(shownAsIs<string>(uuid), (row) => row.id),
  };
  const context = { '@context': frame.shown(shownAsIs<string>(string), () => contextPath(type)) };
  const member = view({ ...framed, ...fields }, { title: memberTitle });
  const document = view<Full>({ ...context, ...framed, ...all }, { title: type });
  const body = bodyOf<F & Alone>(`${type}Request`, all, rule);
  const edited = propertyNames(body.json);
  return {
    body,
    hints,
    editing: { shape: document.shown, schema: body, hints, ignored },
    editable: (shown) => Object.fromEntries(edited.map((name) => [name, shown[name]])),
    shapes: { record: document.shown, collection: collectionShape(`${type}Collection`, member.shown) },
    member,
    present: (row) => document.show(row),
    presentMember: (row) => member.show(row),
  };
}
