import Joi from 'joi';
import type { ViolationCode } from '../../domain/problem.ts';
import { formatAmount, parseAmount, AMOUNT_PATTERN } from '../../domain/money.ts';
import type { Id } from '../../domain/ids.ts';
import { parseId } from '../../domain/ids.ts';
import type { ResourceKind } from '../../domain/iri.ts';
import { collectionPath, iriPattern, parseIri, parseReference } from '../../domain/iri.ts';

/**
 * The shapes that travel over HTTP, each said once: joi checks with it, OpenAPI shows it, TypeScript knows
 * what comes out. A body that passes is a value that cannot be wrong; inside it is trusted.
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

/** A rule's refusal: the code and the sentence that the violation carries. */
export function refuse(helpers: Joi.CustomHelpers, code: ViolationCode, message: string): Joi.ErrorReport {
  return helpers.error(`rule.${code}`, { message });
}

/** Text that Postgres and JSON can both hold: no NUL, no half of a surrogate pair. */
const UNSTORABLE = /[\u0000\uD800-\uDFFF]/u;
const NOT_BLANK_PATTERN = '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$';
const STORABLE_PATTERN = '^[^\\u0000]*$';

/** Up to `max` characters; with `min` 1, the default, something beside white space. */
export function text(options: { max?: number; min?: 0 | 1; description?: string } = {}): Schema<string> {
  const { max = 255, min = 1, description } = options;
  const json = {
    type: 'string',
    maxLength: max,
    pattern: min === 0 ? STORABLE_PATTERN : NOT_BLANK_PATTERN,
    ...described(description),
  };
  const base = min === 0 ? Joi.string<string>().allow('') : Joi.string<string>();
  const joi = base.custom((value: string, helpers) => {
    if (Array.from(value).length > max)
      return refuse(helpers, 'too_long', `It has more than ${max} characters.`);
    if (UNSTORABLE.test(value)) return refuse(helpers, 'format', 'It holds characters that are no text.');
    if (min === 1 && value.trim() === '') return refuse(helpers, 'blank', 'It must not be blank.');
    return value;
  });
  return { joi, json };
}

/** Text of one form, named in the message. */
export function pattern(
  source: string,
  options: {
    message: string;
    max?: number;
    example?: string;
    description?: string;
    normalize?: (text: string) => string;
  },
): Schema<string> {
  const { message, max = 255, example, normalize, description } = options;
  const form = new RegExp(source, 'u');
  return {
    joi: Joi.string<string>().custom((value: string, helpers) => {
      if (Array.from(value).length > max)
        return refuse(helpers, 'too_long', `It has more than ${max} characters.`);
      if (UNSTORABLE.test(value) || !form.test(value)) return refuse(helpers, 'format', message);
      return normalize === undefined ? value : normalize(value);
    }),
    json: {
      type: 'string',
      maxLength: max,
      pattern: source,
      ...(example === undefined ? {} : { examples: [example] }),
      ...described(description),
    },
  };
}

/** An e-mail address, kept as written. */
export function email(): Schema<string> {
  return pattern('^[^\\s@\\u0000]+@[^\\s@\\u0000]+\\.[^\\s@\\u0000]+$', {
    message: 'It is no e-mail address; write it as name@example.com.',
    example: 'amina@example.com',
  });
}

/** A phone number in international format (contract «Recipient»), kept in E.164: separators are dropped. */
export function phoneNumber(): Schema<string> {
  return pattern('^\\+[1-9](?:[ ().-]{0,2}[0-9]){6,14}$', {
    message: 'It is no international phone number; write it like +33612345678, with + and the country code.',
    max: 40,
    example: '+33612345678',
    normalize: (value) => `+${value.replace(/\D/g, '')}`,
  });
}

/** One of a closed set of words; a refusal lists them. */
export function choice<Word extends string>(words: readonly Word[], description?: string): Schema<Word> {
  return {
    joi: Joi.string<Word>().custom((value: string, helpers) => {
      const word = words.find((candidate) => candidate === value);
      return (
        word ??
        refuse(helpers, 'choice', `'${value.slice(0, 40)}' is not known; use one of: ${words.join(', ')}.`)
      );
    }),
    json: { type: 'string', enum: [...words], ...described(description) },
  };
}

export function boolean(description?: string): Schema<boolean> {
  return { joi: Joi.boolean<boolean>(), json: { type: 'boolean', ...described(description) } };
}

/** A whole number within bounds. */
export function integer(options: { min: number; max: number; description?: string }): Schema<number> {
  const { min, max, description } = options;
  return {
    joi: Joi.number<number>().custom((value: number, helpers) => {
      if (!Number.isInteger(value)) return refuse(helpers, 'type', 'It must be a whole number.');
      if (value < min || value > max) return refuse(helpers, 'range', `It must be from ${min} to ${max}.`);
      return value;
    }),
    json: { type: 'integer', minimum: min, maximum: max, ...described(description) },
  };
}

/** A number within bounds; with `decimals`, no more of them than that. */
export function decimal(options: {
  min: number;
  max: number;
  decimals?: number;
  description?: string;
}): Schema<number> {
  const { min, max, decimals, description } = options;
  const rule = decimals === undefined ? undefined : `At most ${decimals} decimals.`;
  return {
    joi: Joi.number<number>().custom((value: number, helpers) => {
      if (value < min || value > max) return refuse(helpers, 'range', `It must be from ${min} to ${max}.`);
      if (decimals !== undefined && Number(value.toFixed(decimals)) !== value) {
        return refuse(helpers, 'format', `It must have at most ${decimals} decimals.`);
      }
      return value;
    }),
    json: {
      type: 'number',
      minimum: min,
      maximum: max,
      ...described([description, rule].filter((part) => part !== undefined).join(' ') || undefined),
    },
  };
}

/** An amount: a string with two decimals outside, whole cents inside (design gap 3). */
export function money(description?: string): Schema<number> {
  return {
    joi: Joi.string<number>().custom(
      (value: string, helpers) =>
        parseAmount(value) ??
        refuse(helpers, 'format', "It is no amount; write it as a string with two decimals, like '1250.00'."),
    ),
    json: {
      type: 'string',
      pattern: `^${AMOUNT_PATTERN.replace(/^\^|\$$/g, '')}$`,
      examples: [formatAmount(125_000)],
      ...described(description),
    },
  };
}

const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;

/** Deadlines are counted from moments, and must still be moments that ISO 8601 writes with four digits. */
const LAST_YEAR = 9998;

/** A moment in ISO 8601 with offset (RFC 3339). Days and hours that do not exist are refused. */
export function dateTime(description?: string): Schema<Date> {
  const rule = `Years 1 to ${LAST_YEAR}.`;
  return {
    joi: Joi.string<Date>().custom(
      (value: string, helpers) =>
        parseDateTime(value) ??
        refuse(
          helpers,
          'format',
          'It is no existing moment; write it like 2026-03-01T09:30:00+01:00, with offset.',
        ),
    ),
    json: {
      type: 'string',
      format: 'date-time',
      description: description === undefined ? rule : `${description} ${rule}`,
    },
  };
}

/** Reads an RFC 3339 moment; undefined when its form is another or it does not exist. */
export function parseDateTime(value: string): Date | undefined {
  const match = DATE_TIME.exec(value);
  if (match === null || !isDay(`${match[1]}-${match[2]}-${match[3]}`)) return undefined;
  const moment = new Date(value.toUpperCase());
  const year = moment.getUTCFullYear();
  return Number.isNaN(moment.getTime()) || year < 1 || year > LAST_YEAR ? undefined : moment;
}

/** A calendar day, `YYYY-MM-DD`. */
export function date(description?: string): Schema<string> {
  return {
    joi: Joi.string<string>().custom((value: string, helpers) =>
      /^\d{4}-\d{2}-\d{2}$/.test(value) && isDay(value) && !value.startsWith('0000')
        ? value
        : refuse(helpers, 'format', 'It is no existing day; write it like 2026-03-01.'),
    ),
    json: { type: 'string', format: 'date', ...described(description) },
  };
}

function isDay(text: string): boolean {
  const moment = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}

/** The IRI of a resource; with `bare`, its id alone is taken too. Whether it exists is the store's to say. */
export function reference<Kind extends ResourceKind>(
  kind: Kind,
  options: { bare?: boolean; description?: string } = {},
): Schema<Id<Kind>> {
  const example = `${collectionPath(kind)}/3f0c2f1e-7f55-4c3e-9c39-2a0d0f6f5a11`;
  const read = options.bare === true ? parseReference : parseIri;
  return {
    joi: Joi.string<Id<Kind>>().custom(
      (value: string, helpers) =>
        read(kind, value) ??
        refuse(helpers, 'reference', `It is no IRI of that kind; write it like ${example}.`),
    ),
    json: {
      type: 'string',
      format: 'iri-reference',
      pattern: iriPattern(kind, options.bare),
      examples: [example],
      ...described(options.description),
    },
  };
}

/** A bare UUID of a record of one kind. */
export function uuid<Kind extends string>(description?: string): Schema<Id<Kind>> {
  return {
    joi: Joi.string<Id<Kind>>().custom(
      (value: string, helpers) => parseId<Kind>(value) ?? refuse(helpers, 'format', 'It is no UUID.'),
    ),
    json: { type: 'string', format: 'uuid', ...described(description) },
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

/** How everything is parsed: all errors, nothing converted. */
export const PARSING = { abortEarly: false, convert: false } as const;

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

/** Any object, kept as it is, for bodies that are checked later. */
export function anyObject(description?: string): Schema<Readonly<Record<string, unknown>>> {
  return {
    joi: Joi.object<Readonly<Record<string, unknown>>>().unknown(true),
    json: { type: 'object', ...described(description) },
  };
}

/** The same schema with a title, under which OpenAPI keeps it as a component. */
export function named<Output>(title: string, schema: Schema<Output>): Schema<Output> {
  return { joi: schema.joi, json: { title, ...schema.json } };
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

function described(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description };
}
