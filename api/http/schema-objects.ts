import Joi from 'joi';
import type { ViolationCode } from '../../domain/problem.ts';
import type { JsonSchema, Schema } from './schema.ts';
import { PARSING, described } from './schema.ts';

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
 * A rule over a whole object. It is asked also when fields are broken, so that all violations come at once: `value` has
 * the fields that are not, `raw` is the object as it was sent. Its sentence is shown in OpenAPI.
 */
export interface ObjectRule<Output> {
  readonly description: string;
  readonly check: (
    value: Partial<Output>,
    raw: Readonly<Record<string, unknown>>,
  ) => { path: string; code: ViolationCode; message: string } | undefined;
}

/** What a refused object carries to api/http/validate.ts: its fields' errors with paths below it, and its rules'. */
export const OBJECT_ERRORS = 'object.errors';

/** An object of known fields. Unknown keys are dropped, or with `strict` each is a violation with the nearest known name. */
export function object<F extends Fields>(
  fields: F,
  options: { strict?: boolean; rules?: readonly ObjectRule<ObjectOf<F>>[]; description?: string } = {},
): Schema<ObjectOf<F>> {
  const { strict = false, rules = [], description } = options;
  const shape = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.joi]));
  const plain = Joi.object<ObjectOf<F>, false, Record<string, unknown>>(shape);
  const known = Object.keys(fields);
  const base = strict
    ? plain.unknown(false).error(namingKnownFields(known))
    : plain.options({ stripUnknown: { objects: true } });
  return {
    joi: rules.length === 0 ? base : withRules(base, shape, rules),
    json: objectJson(fields, strict, rules, description),
  };
}

/** joi stops at an object whose fields are broken; ours goes on to its rules and carries both. */
function withRules<Output>(
  base: Joi.ObjectSchema<Output>,
  shape: Readonly<Record<string, Joi.Schema>>,
  rules: readonly ObjectRule<Output>[],
): Joi.Schema<Output> {
  return Joi.any<Output>().custom((sent: unknown, helpers) => {
    const result = base.validate(sent, PARSING);
    if (!isPlainObject(sent)) return helpers.error(OBJECT_ERRORS, { details: result.error?.details ?? [] });
    const value: Partial<Output> =
      result.error === undefined ? result.value : soundFields<Output>(shape, sent);
    const broken = rules.map((rule) => rule.check(value, sent)).filter((found) => found !== undefined);
    if (result.error === undefined && broken.length === 0) return result.value;
    return helpers.error(OBJECT_ERRORS, { details: result.error?.details ?? [], broken });
  });
}

function soundFields<Output>(
  shape: Readonly<Record<string, Joi.Schema>>,
  sent: Readonly<Record<string, unknown>>,
): Partial<Output> {
  const sound = Joi.object<Partial<Output>>();
  const entries = Object.entries(shape).flatMap(([name, schema]): [string, unknown][] => {
    const result: Joi.ValidationResult<unknown> = schema.validate(sent[name], PARSING);
    return result.error === undefined ? [[name, result.value]] : [];
  });
  const result: Joi.ValidationResult<Partial<Output>> = sound
    .unknown(true)
    .validate(Object.fromEntries(entries));
  return result.error === undefined ? result.value : {};
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Tells an unknown field's violation which names were possible there; an inner object has told its own before. */
function namingKnownFields(known: readonly string[]): Joi.ValidationErrorFunction {
  return (errors) =>
    errors.map((error) => {
      if (error.code === 'object.unknown' && !('known' in error.local)) Object.assign(error.local, { known });
      return error;
    });
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

/** An array of at most `max` values of whatever kind, kept as they are. */
export function anyList(max: number): Schema<readonly unknown[]> {
  return { joi: Joi.array<readonly unknown[]>().max(max), json: { type: 'array', maxItems: max } };
}

/** Any object, kept as it is, for bodies that are checked later. */
export function anyObject(description?: string): Schema<Readonly<Record<string, unknown>>> {
  return {
    joi: Joi.object<Readonly<Record<string, unknown>>>().unknown(true),
    json: { type: 'object', ...described(description) },
  };
}

/** An array of `min` to `max` values. */
export function list<Item>(
  item: Schema<Item>,
  options: { min?: number; max: number; unique?: boolean; description?: string },
): Schema<Item[]> {
  const { min = 0, max, unique = false, description } = options;
  const rule = unique ? 'Nothing twice, however it is spelled.' : undefined;
  const base = Joi.array<Item[]>().items(item.joi).min(min).max(max);
  return {
    joi: unique ? base.unique() : base,
    json: {
      type: 'array',
      items: item.json,
      ...(min === 0 ? {} : { minItems: min }),
      maxItems: max,
      ...(unique ? { uniqueItems: true } : {}),
      ...described([description, rule].filter((part) => part !== undefined).join(' ') || undefined),
    },
  };
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
