import type Joi from 'joi';
import type { Said } from '../../domain/messages.ts';
import type { ViolationCode } from '../../domain/problem.ts';

/**
 * The values that travel over HTTP, each said once (decision 0006): joi reads it, OpenAPI shows it in requests and in
 * answers, TypeScript knows what it is. A body that passes is a value that cannot be wrong; inside it is trusted. What can
 * be said is in schema-values.ts, schema-moments.ts and schema-objects.ts; fields.ts makes the fields of a record of them.
 */

/** JSON Schema 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** How an answer has a value. */
export interface Shown<Value> {
  /** Its form: of a request's the same without the limits, which hold for what is sent. */
  readonly shown: JsonSchema;
  /** Writes it as JSON. */
  show(value: Value): unknown;
}

/** A value: `joi` turns an unknown one into `Output` or says every way in which it is none. */
export interface Schema<Output> extends Shown<Output> {
  readonly joi: Joi.Schema<Output>;
  /** How a request has it. */
  readonly json: JsonSchema;
}

/** What a schema's value is. */
export type Infer<S> = S extends Schema<infer Output> ? Output : never;

/** Makes a schema: `form` is said of requests and answers, `limits` of requests alone. `show` is for what is kept otherwise. */
export function schemaOf<Output>(
  joi: Joi.Schema<Output>,
  form: JsonSchema,
  limits: JsonSchema = {},
  show: (value: Output) => unknown = (value) => value,
): Schema<Output> {
  return { joi, json: { ...form, ...limits }, shown: form, show };
}

/** A value that is only shown, as it is kept. */
export function shownAsIs<Value>(shown: JsonSchema): Shown<Value> {
  return { shown, show: (value) => value };
}

/** A rule's violation: its code, its sentence, and where below the value it is, when it is not the value itself. */
export function violation(
  helpers: Joi.CustomHelpers,
  code: ViolationCode,
  said: Said,
  below: readonly (string | number)[] = [],
): Joi.ErrorReport {
  return helpers.error(`rule.${code}`, { said, below });
}

/** The same schema with a title, under which OpenAPI keeps it as a component. */
export function named<S extends Schema<unknown>>(title: string, schema: S): S {
  return { ...schema, json: { title, ...schema.json } };
}

/** The description as a part of a JSON Schema, when there is one. */
export function described(...sentences: readonly (string | undefined)[]): { description?: string } {
  const description = sentences.filter((sentence) => sentence !== undefined).join(' ');
  return description === '' ? {} : { description };
}
