import type { JsonSchema, Schema, Shown } from './schema.ts';
import { described, named, schemaOf } from './schema.ts';
import type { Field, ShownObject } from './schema-objects.ts';
import { objectJoi, objectJson, shownObject } from './schema-objects.ts';

/**
 * A field of a record, said once: how a body gives it, how a row shows it, what both look like in OpenAPI.
 */
export interface RecordField<Row> {
  /** Reads it from a body; null where no client sets it. */
  readonly body: Field<unknown> | null;
  /** Its form in answers; null where none has it. */
  readonly shown: JsonSchema | null;
  /** Whether every answer has it. */
  readonly isAlways: boolean;
  readonly show: (row: Row) => unknown;
  /** What the error says to do instead; null where it may be sent with any value. */
  readonly readOnly: string | null;
}

/** A field that bodies have. */
export interface BodyField<Row, Output> extends RecordField<Row> {
  readonly body: Field<Output>;
}

type Read<Row, Value> = (row: Row) => Value;
type Maybe<Value> = Value | null | undefined;

/** What the error says of a read-only field that has no sentence of its own. */
export const LEAVE_OUT = 'Leave it out, or send it unchanged.';

/** Makes the fields of records whose rows are `Row`; each reads its value from the row. */
export function fieldsOf<Row>() {
  const show =
    <Value>(value: Shown<Value>, of: Read<Row, Maybe<Value>>) =>
    (row: Row) => {
      const read = of(row);
      return read === null || read === undefined ? null : value.show(read);
    };
  const only = <Value>(
    value: Shown<Value>,
    of: Read<Row, Maybe<Value>>,
    isAlways: boolean,
    readOnly: string | null,
  ): RecordField<Row> => ({ body: null, shown: value.shown, isAlways, show: show(value, of), readOnly });
  const twofold = <Output, Value>(
    body: Field<Output>,
    value: Shown<Value>,
    of: Read<Row, Maybe<Value>>,
    isAlways = body.presence !== 'optional',
  ): BodyField<Row, Output> => {
    return { body, shown: value.shown, isAlways, show: show(value, of), readOnly: null };
  };
  return {
    /** A field that a client sets. */
    field: <Output>(body: Field<Output>, of: Read<Row, Output>) => twofold(body, body, of),
    /** A field that a client sends in another form than it gets. */
    twofold,
    /** A field that a client sets and never gets. */
    unshown: <Output>(body: Field<Output>): BodyField<Row, Output> => {
      return { body, shown: null, isAlways: false, show: () => null, readOnly: null };
    },
    /** A field that the service sets; `hint` says what a client does instead of changing it. */
    shown: <Value>(value: Shown<Value>, of: Read<Row, Value>, hint = LEAVE_OUT) =>
      only(value, of, true, hint),
    /** The same, of what some records lack. */
    shownIfSet: <Value>(value: Shown<Value>, of: Read<Row, Maybe<Value>>, hint = LEAVE_OUT) =>
      only(value, of, false, hint),
    /** A field that is shown for a while, and ignored when a client sends it back. */
    transient: <Value>(value: Shown<Value>, of: Read<Row, Maybe<Value>>) => only(value, of, false, null),
  };
}

export type RecordFields<Row> = Readonly<Record<string, RecordField<Row>>>;

/** What a body of these fields comes to. */
export type BodyOf<F> = {
  readonly [
    Name in keyof F as F[Name] extends { readonly body: Field<unknown> } ? Name : never
  ]: F[Name] extends {
    readonly body: Field<infer Output>;
  }
    ? Output
    : never;
};

/** The body of a record: the fields that clients set; `rule` says what joi's conditions between them demand. */
export function bodyOf<F>(
  title: string,
  fields: F & Readonly<Record<string, Pick<RecordField<never>, 'body'>>>,
  rule?: string,
): Schema<BodyOf<F>> {
  const own = Object.fromEntries(
    Object.entries(fields).flatMap(([name, { body }]) => (body === null ? [] : [[name, body] as const])),
  );
  return named(title, schemaOf(objectJoi<BodyOf<F>>(own), { ...objectJson(own), ...described(rule) }));
}

/** How answers have an object whose parts are read from a row; `withNulls` where the surface shows nulls. */
export function view<Row>(
  fields: RecordFields<Row>,
  options: { readonly title?: string; readonly withNulls?: boolean } = {},
): ShownObject<Row> {
  const parts = Object.entries(fields).flatMap(([name, { shown, isAlways, show }]) =>
    shown === null ? [] : [{ name, shown, isAlways, show }],
  );
  const { title, withNulls } = options;
  const object = shownObject(parts, undefined, withNulls);
  return title === undefined ? object : { ...object, shown: { title, ...object.shown } };
}

/** The fields that no client changes, each with what it does instead. */
export function readOnlyHints(fields: RecordFields<never>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { readOnly }]) => (readOnly === null ? [] : [[name, readOnly]])),
  );
}
