import type Joi from 'joi';
import type { ViolationCode } from '../../domain/problem.ts';

/**
 * The shapes that travel over HTTP, each said once: joi checks with it, OpenAPI shows it, TypeScript knows
 * what comes out. A body that passes is a value that cannot be wrong; inside it is trusted. What can be said is in
 * schema-values.ts, schema-moments.ts and schema-objects.ts.
 */

/** JSON Schema 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A shape: `joi` turns an unknown value into `Output` or says every way in which it is none. */
export interface Schema<Output> {
  readonly joi: Joi.Schema<Output>;
  readonly json: JsonSchema;
}

/** What a schema's value is. */
export type Infer<S> = S extends Schema<infer Output> ? Output : never;

/** A rule's violation: its code and its message. */
export function violation(helpers: Joi.CustomHelpers, code: ViolationCode, message: string): Joi.ErrorReport {
  return helpers.error(`rule.${code}`, { message });
}

/** How everything is parsed: all errors, nothing converted. joi words none: ours are in validate.ts, for what is reported. */
export const PARSING = {
  abortEarly: false,
  convert: false,
  errors: { render: false, label: false },
} as const;

/** The same schema with a title, under which OpenAPI keeps it as a component. */
export function named<Output>(title: string, schema: Schema<Output>): Schema<Output> {
  return { joi: schema.joi, json: { title, ...schema.json } };
}

/** The description as a part of a JSON Schema, when there is one. */
export function described(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description };
}
