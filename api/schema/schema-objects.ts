import Joi from 'joi';
import { orEmpty } from './json-schema.ts';
import type { JsonSchema, Schema, Shown } from './schema.ts';
import { described, schemaOf } from './schema.ts';

/** A field of an object: how it may be absent, and what it is then. */
export interface Field<Output> extends Schema<Output> {
  readonly presence: 'required' | 'optional' | 'defaulted';
}

/** Must be there and not null. */
export function required<Output>(schema: Schema<Output>): Field<Output> {
  return { ...schema, presence: 'required', joi: schema.joi.required() };
}

const ABSENT = Joi.valid(null);
const ABSENT_TEXT = Joi.valid(null, '');

/** What counts as absent: null, and of a text the empty one, which forms send for what was left blank (decision 0024). */
function absence({ json }: Schema<unknown>): Joi.Schema {
  return json['type'] === 'string' ? ABSENT_TEXT : ABSENT;
}

/** May be absent or null, which are the same, as an empty text is: null comes out. */
export function optional<Output>(schema: Schema<Output>): Field<Output | null> {
  const { shown, json } = schema;
  const joi: Joi.Schema<Output | null> = schema.joi.empty(absence(schema)).default(null);
  const show = (value: Output | null) => (value === null ? null : schema.show(value));
  return { presence: 'optional', joi, json: absentable(json), shown, show };
}

/** May be absent, null or an empty text: the default comes out. */
export function defaulted<Output>(schema: Schema<Output>, value: Output): Field<Output> {
  const joi: Joi.Schema<Output> = schema.joi.empty(absence(schema)).default(() => value);
  const json = { ...absentable(schema.json), default: schema.show(value) };
  return { ...schema, presence: 'defaulted', joi, json };
}

type Condition = readonly [name: string, is: string | null];

/**
 * Optional, but required while another field of the object has a value, and all `others` have theirs. A name with three
 * dots before it is of the object around.
 */
export function requiredIf<Output>(
  schema: Schema<Output>,
  [name, is]: Condition,
  ...others: readonly Condition[]
): Field<Output | null> {
  const field = optional(schema);
  const then = others.reduce<Joi.Schema>(
    (inner, [other, value]) => Joi.any().when(other, { is: value, then: inner }),
    Joi.required(),
  );
  return { ...field, joi: field.joi.when(name, { is, then }) };
}

/** A field whose value no longer matters. `show` is a method, so that a field of any value is one. */
interface AnyField extends Schema<unknown> {
  readonly presence: string;
}
type Fields = Readonly<Record<string, AnyField>>;
type FieldOutput<F> = F extends Field<infer Output> ? Output : never;
export type ObjectOf<F extends Fields> = { readonly [Key in keyof F]: FieldOutput<F[Key]> };

/** joi's rules between the fields of an object (`and`, `xor`, `without`); `description` says them in OpenAPI. */
interface ObjectRules<Output> {
  readonly description: string;
  readonly add: (object: Joi.ObjectSchema<Output>) => Joi.ObjectSchema<Output>;
}

/** For joi's rules about presence: a field that is null is absent. */
export const UNLESS_NULL = { isPresent: (value: unknown) => value !== null && value !== undefined };

/**
 * An object of known fields. Unknown keys are dropped, or with `strict` each is a violation with the nearest known name:
 * `additionalProperties` tells the parser (validate.ts).
 */
export function object<F extends Fields>(
  fields: F,
  options: { strict?: boolean; rules?: ObjectRules<ObjectOf<F>>; description?: string } = {},
): Schema<ObjectOf<F>> {
  const { strict = false, rules, description } = options;
  const base = objectJoi<ObjectOf<F>>(fields);
  const parts: ShownPart<ObjectOf<F>>[] = [];
  for (const name in fields) {
    const field: AnyField | undefined = fields[name];
    if (field === undefined) continue;
    const show = (value: ObjectOf<F>) => {
      const part: unknown = value[name];
      return part === null || part === undefined ? null : field.show(part);
    };
    parts.push({ name, shown: field.shown, isAlways: field.presence !== 'optional', show });
  }
  return {
    joi: rules === undefined ? base : rules.add(base),
    json: {
      ...objectJson(fields),
      ...(strict ? { additionalProperties: false } : {}),
      ...described(description, rules?.description),
    },
    ...shownObject(parts, description),
  };
}

/** The joi schema of an object whose fields were chosen one by one; its type is what they come to. */
export function objectJoi<Output>(fields: Fields): Joi.ObjectSchema<Output> {
  const keys = Object.entries(fields).map(([name, { joi }]) => [name, joi] as const);
  return Joi.object<Output, false, Record<string, unknown>>(Object.fromEntries(keys));
}

/** How a request has an object of these fields. */
export function objectJson(fields: Fields): JsonSchema {
  const entries = Object.entries(fields);
  const mandatory = entries.flatMap(([name, { presence }]) => (presence === 'required' ? [name] : []));
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { json }]) => [name, json])),
    ...(mandatory.length === 0 ? {} : { required: mandatory }),
  };
}

/** How an answer has an object. */
export interface ShownObject<Value> extends Shown<Value> {
  show(value: Value): Readonly<Record<string, unknown>>;
}

/** A part of an object as answers have it; `isAlways`, unless it is null in some. */
export interface ShownPart<Value> {
  readonly name: string;
  readonly shown: JsonSchema;
  readonly isAlways: boolean;
  readonly show: (value: Value) => unknown;
}

/** How answers have an object: closed, without what is null, or `withNulls`. A test holds every answer to it. */
export function shownObject<Value>(
  parts: readonly ShownPart<Value>[],
  description?: string,
  withNulls = false,
): ShownObject<Value> {
  const always = parts.filter(({ isAlways }) => isAlways || withNulls);
  return {
    shown: {
      type: 'object',
      properties: Object.fromEntries(
        parts.map(({ name, shown, isAlways }) => [name, withNulls && !isAlways ? nullable(shown) : shown]),
      ),
      required: always.map(({ name }) => name),
      additionalProperties: false,
      ...described(description),
    },
    show: (value) => {
      const written: Record<string, unknown> = {};
      // A loop: lists spend their time here.
      for (const { name, show } of parts) {
        const part = show(value) ?? null;
        if (part !== null || withNulls) written[name] = part;
      }
      return written;
    },
  };
}

/** A schema that is read only of values that pass a guard, for values whose inside would take long to look at. */
export function checkedFirst<Output>(
  guard: Joi.Schema<Output>,
  then: Joi.Schema<Output>,
): Joi.Schema<Output> {
  return guard.when(guard, { then });
}

/** Any object, kept as it is, for bodies that are checked later. */
export function anyObject(description?: string): Schema<Readonly<Record<string, unknown>>> {
  const joi = Joi.object<Readonly<Record<string, unknown>>>().unknown(true);
  return schemaOf(joi, { type: 'object', ...described(description) });
}

/** An array of at most `max` values of whatever kind, kept as they are. */
export function anyList(max: number): Schema<readonly unknown[]> {
  return schemaOf(Joi.array<readonly unknown[]>().max(max), { type: 'array' }, { maxItems: max });
}

/** An array of `min` to `max` values. They are counted first: where there are too many, none is looked at. */
export function list<Item>(
  item: Schema<Item>,
  options: { min?: number; max: number; unique?: boolean; description?: string },
): Schema<readonly Item[]> {
  const { min = 0, max, unique = false, description } = options;
  const items = Joi.array<readonly Item[]>().items(item.joi).min(min);
  const joi = checkedFirst(Joi.array<readonly Item[]>().max(max), unique ? items.unique() : items);
  const limits = {
    items: item.json,
    ...(min === 0 ? {} : { minItems: min }),
    maxItems: max,
    ...(unique ? { uniqueItems: true } : {}),
    ...described(description, unique ? 'Entries must be unique, however they are written.' : undefined),
  };
  return { joi, json: { type: 'array', ...limits }, ...shownList(item, description) };
}

/** How answers have a list. */
export function shownList<Item>(item: Shown<Item>, description?: string): Shown<readonly Item[]> {
  return {
    shown: { type: 'array', items: item.shown, ...described(description) },
    show: (values) => values.map((value) => item.show(value)),
  };
}

/** The same, or null, or an empty text where a pattern says what the text may be; `withoutNull` takes both away again. */
function absentable(json: JsonSchema): JsonSchema {
  const { pattern } = json;
  return nullable(typeof pattern === 'string' ? { ...json, pattern: orEmpty(pattern) } : json);
}

/** The same, or null. A titled shape stays whole: OpenAPI keeps it once, under its title. */
export function nullable(json: JsonSchema): JsonSchema {
  const { type, enum: words, title } = json;
  if (typeof type !== 'string' || title !== undefined) return { anyOf: [json, { type: 'null' }] };
  const list: readonly unknown[] | undefined = Array.isArray(words) ? words : undefined;
  return { ...json, type: [type, 'null'], ...(list === undefined ? {} : { enum: [...list, null] }) };
}
