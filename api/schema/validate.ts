import Joi from 'joi';
import type { Said } from '../../domain/messages.ts';
import { isSaid, say, TEXT_FORMS } from '../../domain/messages.ts';
import type { Violation, ViolationCode, Violations } from '../../domain/problem.ts';
import { isOneOf } from '../../domain/enumerations.ts';
import { VIOLATION_CODES } from '../../domain/problem.ts';
import { REQUEST_LIMITS } from '../../domain/request-limits.ts';
import { isJsonObject } from './json-schema.ts';
import type { Schema } from './schema.ts';
import type { UnknownField } from './unknown-fields.ts';
import { suggestName, withoutUnknown } from './unknown-fields.ts';

/** A parsed value, or its violations: those that are reported, how many more there are, and an object's valid fields. */
export type Parsed<Output> =
  | { readonly kind: 'valid'; readonly value: Output }
  | ({ readonly kind: 'invalid'; readonly valid: Partial<Output> } & Violations);

/** All errors, nothing converted, unknown fields dropped. joi words nothing: the words are below, for what is reported. */
const PARSING = {
  abortEarly: false,
  convert: false,
  stripUnknown: true,
  errors: { render: false, label: false },
} as const;

/**
 * Parses an unknown value. Nothing is converted but what the schema says: "true" is not a boolean, "10.50" not
 * a number. Never throws for bad input.
 */
export function parseWith<Output>(schema: Schema<Output>, value: unknown): Parsed<Output> {
  // joi accepts an absent value, and copies a schema each time that an option says otherwise.
  if (value === undefined) return { kind: 'invalid', violations: [MISSING], valid: {} };
  const unknown: UnknownField[] = [];
  const result = schema.joi.validate(withoutUnknown(schema.json, value, unknown), PARSING);
  if (result.error === undefined && unknown.length === 0) return { kind: 'valid', value: result.value };
  const details = result.error?.details ?? [];
  // A value that breaks several of its rules is one violation, the first.
  const places = details.filter(({ path }, index) => !isSame(path, details[index - 1]?.path));
  const limit = REQUEST_LIMITS.reportedViolations;
  const violations = [
    ...places.slice(0, limit).map(violationOf),
    ...unknown.slice(0, Math.max(0, limit - places.length)).map(unknownViolation),
  ];
  return {
    kind: 'invalid',
    violations,
    furtherViolations: places.length + unknown.length - violations.length,
    valid: validFields<Output>(result.value, details),
  };
}

type Path = readonly (string | number)[];

function isSame(path: Path, other: Path | undefined): boolean {
  return path.length === other?.length && path.every((part, index) => part === other[index]);
}

/** The parsed fields of an object that have no error. */
function validFields<Output>(parsed: unknown, details: readonly Joi.ValidationErrorItem[]): Partial<Output> {
  if (!isJsonObject(parsed)) return {};
  const broken = new Set(details.map(({ path }) => path[0]));
  const entries = Object.entries(parsed).filter(([name]) => !broken.has(name));
  const sound = Joi.object<Partial<Output>>().unknown(true).validate(Object.fromEntries(entries));
  return sound.error === undefined ? sound.value : {};
}

const MISSING: Violation = { propertyPath: '', ...say('required'), code: 'required' };

type Context = Readonly<Record<string, unknown>>;

/** What joi says of a broken rule, as our code and sentence; `at` is where below the value it belongs. */
interface Words {
  readonly code: ViolationCode;
  readonly said: Said | ((context: Context) => Said);
  readonly at?: (context: Context) => unknown;
}

const WORDS: Readonly<Record<string, Words>> = {
  'any.required': { code: 'required', said: say('required') },
  'any.only': { code: 'choice', said: notAmong },
  'any.unknown': { code: 'rule', said: say('absent_here') },
  'string.base': { code: 'type', said: say('string') },
  'string.empty': { code: 'blank', said: say('not_empty') },
  'string.pattern.name': {
    code: 'format',
    said: ({ name }) => say(isOneOf(TEXT_FORMS, name) ? name : 'not_valid'),
  },
  'number.base': { code: 'type', said: say('number') },
  'number.unsafe': { code: 'range', said: say('number_too_large') },
  'number.infinity': { code: 'range', said: say('number_infinite') },
  'number.integer': { code: 'type', said: say('whole_number') },
  'number.min': { code: 'range', said: (context) => say('at_least', limitOf(context)) },
  'number.max': { code: 'range', said: (context) => say('at_most', limitOf(context)) },
  'number.precision': { code: 'format', said: (context) => say('at_most_decimals', limitOf(context)) },
  'boolean.base': { code: 'type', said: say('boolean') },
  'array.base': { code: 'type', said: say('list') },
  'array.min': { code: 'too_few', said: (context) => say('at_least_entries', limitOf(context)) },
  'array.max': { code: 'too_many', said: (context) => say('at_most_entries', limitOf(context)) },
  'array.unique': { code: 'rule', said: say('repeated_entry') },
  'array.includesRequiredUnknowns': { code: 'required', said: say('entry_required') },
  'object.base': { code: 'type', said: say('object') },
  'object.and': {
    code: 'required',
    said: ({ present }) => say('required_together', { fields: listed(present) }),
    at: ({ missing }) => missing,
  },
  'object.missing': { code: 'rule', said: oneOfPeers },
  'object.xor': { code: 'rule', said: oneOfPeers },
  'object.without': {
    code: 'rule',
    said: ({ main, peer }) => say('not_both', { field: String(main), other: String(peer) }),
    at: ({ main }) => main,
  },
};

function violationOf({ type, path, context = {} }: Joi.ValidationErrorItem): Violation {
  const { code, said, at } = wordsOf(type, context);
  const below = [at?.(context) ?? []]
    .flat()
    .filter((part) => typeof part === 'string' || typeof part === 'number');
  return {
    propertyPath: propertyPath([...path, ...below]),
    ...(typeof said === 'function' ? said(context) : said),
    code,
  };
}

function wordsOf(type: string, { value, said }: Context): Words {
  // For null joi reports a wrong type or a wrong choice. This message says directly what is wrong.
  if (value === null) return { code: 'null', said: say('not_null') };
  const known = WORDS[type];
  if (known !== undefined) return known;
  // A rule of ours carries its sentence itself (`violation` of schema.ts).
  const code = type.slice('rule.'.length);
  return {
    code: isOneOf(VIOLATION_CODES, code) ? code : 'rule',
    said: isSaid(said) ? said : say('not_valid'),
    at: ({ below }) => below,
  };
}

function limitOf({ limit }: Context): { readonly limit: number | string } {
  return { limit: typeof limit === 'number' ? limit : String(limit) };
}

function oneOfPeers({ peers }: Context): Said {
  return say('exactly_one_of', { fields: listed(peers) });
}

function notAmong({ value, valids }: Context): Said {
  const choices = listed(valids);
  return typeof value === 'string'
    ? say('other_choice', { value: value.slice(0, 40), choices })
    : say('choice', { choices });
}

function unknownViolation({ path, known }: UnknownField): Violation {
  const nearest = suggestName(String(path.at(-1)), known);
  const said = nearest === undefined ? say('unknown_field') : say('misspelt_field', { nearest });
  return { propertyPath: propertyPath(path), ...said, code: 'unknown_field' };
}

function listed(names: unknown): string {
  return Array.isArray(names) ? names.join(', ') : '';
}

/** `items[0].quantity`, as clients of this family of APIs know it; cut where a client's own names make it long. */
export function propertyPath(path: Path): string {
  const written = path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
  const limit = REQUEST_LIMITS.propertyPathCharacters;
  return written.length > limit ? `${written.slice(0, limit - 1)}…` : written;
}
