import Joi from 'joi';
import type { ViolationCode } from '../../domain/problem.ts';
import type { JsonSchema, Schema } from './schema.ts';
import { PARSING, described, violation } from './schema.ts';

/** A field of an object: how it may be absent, and what it is then. */
export interface Field<Output> {
  readonly schema: Schema<Output>;
  readonly presence: 'required' | 'optional' | 'defaulted';
  readonly joi: Joi.Schema<Output>;
  readonly json: JsonSchema;
}

/** Must be there and not null. */
export function required<Output>(schema: Schema<Output>): Field<Output> {
  return { schema, presence: 'required', joi: schema.joi.required(), json: schema.json };
}

/** May be absent or null, which are the same: null comes out. */
export function optional<Output>(schema: Schema<Output>): Field<Output | null> {
  const joi: Joi.Schema<Output | null> = schema.joi.allow(null).default(null);
  return { schema, presence: 'optional', joi, json: nullable(schema.json) };
}

/** May be absent or null: the default comes out. `shown` is the default as the wire has it. */
export function defaulted<Output>(
  schema: Schema<Output>,
  value: Output,
  shown: unknown = value,
): Field<Output> {
  const joi: Joi.Schema<Output> = schema.joi.empty(null).default(() => value);
  return { schema, presence: 'defaulted', joi, json: { ...nullable(schema.json), default: shown } };
}

type Fields = Readonly<
  Record<string, { readonly joi: Joi.Schema; readonly json: JsonSchema; readonly presence: string }>
>;
type FieldOutput<F> = F extends Field<infer Output> ? Output : never;
export type ObjectOf<F extends Fields> = { readonly [Key in keyof F]: FieldOutput<F[Key]> };

/**
 * A rule over a whole object. It is asked also when fields are broken, so that all violations are found together: `value` has
 * the fields that are not, `raw` is the object as it was sent. Its sentence is shown in OpenAPI.
 */
export interface ObjectRule<Output> {
  readonly description: string;
  readonly check: (
    value: Partial<Output>,
    raw: Readonly<Record<string, unknown>>,
  ) => { path: string; code: ViolationCode; message: string } | undefined;
}

/**
 * What a rejected value carries to api/schema/validate.ts: `details`, joi's errors with paths below it; `unknown`, names of
 * fields other than the `known` ones; `broken`, what its rules say; `valid`, the fields that have no error.
 */
export const NESTED_ERRORS = 'nested.errors';

/** An object of known fields. Unknown keys are dropped, or with `strict` each is a violation with the nearest known name. */
export function object<F extends Fields>(
  fields: F,
  options: { strict?: boolean; rules?: readonly ObjectRule<ObjectOf<F>>[]; description?: string } = {},
): Schema<ObjectOf<F>> {
  const { strict = false, rules = [], description } = options;
  const shape = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.joi]));
  const base = Joi.object<ObjectOf<F>, false, Record<string, unknown>>(shape);
  return {
    joi: examined(base, { known: Object.keys(fields), strict, rules }),
    json: objectJson(fields, strict, rules, description),
  };
}

interface Examination<Output> {
  readonly known: readonly string[];
  readonly strict: boolean;
  readonly rules: readonly ObjectRule<Output>[];
}

/**
 * joi stops at an object whose fields are broken; ours goes on to its rules and carries both. Of unknown names joi would
 * make an error each, or delete one after the other; here it never sees them.
 */
function examined<Output>(
  base: Joi.ObjectSchema<Output>,
  { known, strict, rules }: Examination<Output>,
): Joi.Schema<Output> {
  const knownNames = new Set(known);
  return Joi.any<Output>().custom((sent: unknown, helpers) => {
    if (!isPlainObject(sent)) return nested(base, sent, helpers);
    const names = known.filter((name) => Object.hasOwn(sent, name));
    const result = base.validate(Object.fromEntries(names.map((name) => [name, sent[name]])), PARSING);
    const details = result.error?.details ?? [];
    const unknown = strict ? Object.keys(sent).filter((name) => !knownNames.has(name)) : [];
    const value: Partial<Output> =
      result.error === undefined ? result.value : validFields<Output>(result.value, details);
    const broken = rules.map((rule) => rule.check(value, sent)).filter((found) => found !== undefined);
    if (result.error === undefined && unknown.length === 0 && broken.length === 0) return result.value;
    return helpers.error(NESTED_ERRORS, { details, known, unknown, broken, valid: value });
  });
}

/** Asks a schema inside another; its errors are carried upwards. */
function nested<Output>(
  schema: Joi.Schema<Output>,
  sent: unknown,
  helpers: Joi.CustomHelpers,
): Output | Joi.ErrorReport {
  const result = schema.validate(sent, PARSING);
  if (result.error === undefined) return result.value;
  return helpers.error(NESTED_ERRORS, { details: result.error.details });
}

/** The parsed fields of an object that have no error. */
export function validFields<Output>(
  parsed: unknown,
  details: readonly Joi.ValidationErrorItem[],
): Partial<Output> {
  if (!isPlainObject(parsed)) return {};
  const broken = new Set(details.map(({ path }) => path[0]));
  const entries = Object.entries(parsed).filter(([name]) => !broken.has(name));
  const sound: Joi.ValidationResult<Partial<Output>> = Joi.object<Partial<Output>>()
    .unknown(true)
    .validate(Object.fromEntries(entries));
  return sound.error === undefined ? sound.value : {};
}

/**
 * A schema that is asked only of values that pass a check, for values whose inside would take long to look at: a refused
 * one has this violation alone.
 */
export function checkedFirst<Output>(
  schema: Schema<Output>,
  check: (sent: unknown) => { readonly code: ViolationCode; readonly message: string } | undefined,
): Schema<Output> {
  return {
    joi: Joi.any<Output>().custom((sent: unknown, helpers) => {
      const refusal = check(sent);
      if (refusal !== undefined) return violation(helpers, refusal.code, refusal.message);
      return nested(schema.joi, sent, helpers);
    }),
    json: schema.json,
  };
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectJson(
  fields: Fields,
  strict: boolean,
  rules: readonly { description: string }[],
  description: string | undefined,
): JsonSchema {
  const requiredNames = Object.entries(fields).flatMap(([name, { presence }]) =>
    presence === 'required' ? [name] : [],
  );
  const sentences = [description, ...rules.map((rule) => rule.description)].filter(
    (part) => part !== undefined,
  );
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.json])),
    ...(requiredNames.length === 0 ? {} : { required: requiredNames }),
    ...(strict ? { additionalProperties: false } : {}),
    ...described(sentences.join(' ') || undefined),
  };
}

/** Any object, kept as it is, for bodies that are checked later. */
export function anyObject(description?: string): Schema<Readonly<Record<string, unknown>>> {
  return {
    joi: Joi.object<Readonly<Record<string, unknown>>>().unknown(true),
    json: { type: 'object', ...described(description) },
  };
}

/** An array of `min` to `max` values. They are counted first: where there are too many, none is looked at. */
export function list<Item>(
  item: Schema<Item>,
  options: { min?: number; max: number; unique?: boolean; description?: string },
): Schema<Item[]> {
  const { min = 0, max, unique = false, description } = options;
  const rule = unique ? 'Entries must be unique, however they are written.' : undefined;
  const base = Joi.array<Item[]>().items(item.joi).min(min);
  const json = {
    type: 'array',
    items: item.json,
    ...(min === 0 ? {} : { minItems: min }),
    maxItems: max,
    ...(unique ? { uniqueItems: true } : {}),
    ...described([description, rule].filter((part) => part !== undefined).join(' ') || undefined),
  };
  return checkedFirst({ joi: unique ? base.unique() : base, json }, (sent) =>
    Array.isArray(sent) && sent.length > max ? { code: 'too_many', message: tooManyEntries(max) } : undefined,
  );
}

/** What is said of an array that has too many entries. */
export function tooManyEntries(max: number): string {
  return `Must have at most ${max} entries.`;
}

function nullable(json: JsonSchema): JsonSchema {
  const type: unknown = json['type'];
  const words: unknown = json['enum'];
  // A titled shape stays whole: OpenAPI keeps it once, under its title.
  if (typeof type !== 'string' || json['title'] !== undefined) return { anyOf: [json, { type: 'null' }] };
  return { ...json, type: [type, 'null'], ...(isList(words) ? { enum: [...words, null] } : {}) };
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
