import Joi from 'joi';
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

const MISSING: Violation = { propertyPath: '', message: 'This field is required.', code: 'required' };

type Context = Readonly<Record<string, unknown>>;

/** What joi says of a broken rule, as our code and sentence; `at` is where below the value it belongs. */
interface Words {
  readonly code: ViolationCode;
  readonly message: string | ((context: Context) => string);
  readonly at?: (context: Context) => unknown;
}

const WORDS: Readonly<Record<string, Words>> = {
  'any.required': MISSING,
  'any.only': { code: 'choice', message: notAmong },
  'any.unknown': { code: 'rule', message: 'Must be absent or null here.' },
  'string.base': { code: 'type', message: 'Must be a string.' },
  'string.empty': { code: 'blank', message: 'Must not be empty.' },
  'string.pattern.name': { code: 'format', message: ({ name }) => `Must be ${String(name)}.` },
  'number.base': { code: 'type', message: 'Must be a number.' },
  'number.unsafe': { code: 'range', message: 'Must be a smaller number.' },
  'number.infinity': { code: 'range', message: 'Must be a finite number.' },
  'number.integer': { code: 'type', message: 'Must be a whole number.' },
  'number.min': { code: 'range', message: ({ limit }) => `Must be at least ${String(limit)}.` },
  'number.max': { code: 'range', message: ({ limit }) => `Must be at most ${String(limit)}.` },
  'number.precision': {
    code: 'format',
    message: ({ limit }) => `Must have at most ${String(limit)} decimals.`,
  },
  'boolean.base': { code: 'type', message: 'Must be true or false.' },
  'array.base': { code: 'type', message: 'Must be an array.' },
  'array.min': { code: 'too_few', message: ({ limit }) => `Must have at least ${String(limit)} entries.` },
  'array.max': { code: 'too_many', message: ({ limit }) => `Must have at most ${String(limit)} entries.` },
  'array.unique': { code: 'rule', message: 'Must not repeat an earlier entry.' },
  'array.includesRequiredUnknowns': { code: 'required', message: 'An entry is required.' },
  'object.base': { code: 'type', message: 'Must be an object.' },
  'object.and': {
    code: 'required',
    message: ({ present }) => `Required together with ${listed(present)}.`,
    at: ({ missing }) => missing,
  },
  'object.missing': { code: 'rule', message: ({ peers }) => `Send exactly one of ${listed(peers)}.` },
  'object.xor': { code: 'rule', message: ({ peers }) => `Send exactly one of ${listed(peers)}.` },
  'object.without': {
    code: 'rule',
    message: ({ main, peer }) => `Send either ${String(main)} or ${String(peer)}, not both.`,
    at: ({ main }) => main,
  },
};

function violationOf({ type, path, context = {} }: Joi.ValidationErrorItem): Violation {
  const { code, message, at } = wordsOf(type, context);
  const below = [at?.(context) ?? []]
    .flat()
    .filter((part) => typeof part === 'string' || typeof part === 'number');
  return {
    propertyPath: propertyPath([...path, ...below]),
    message: typeof message === 'string' ? message : message(context),
    code,
  };
}

function wordsOf(type: string, { value, message }: Context): Words {
  // For null joi reports a wrong type or a wrong choice. This message says directly what is wrong.
  if (value === null) return { code: 'null', message: 'Must not be null.' };
  const known = WORDS[type];
  if (known !== undefined) return known;
  // A rule of ours carries its words itself (`violation` of schema.ts).
  const code = type.slice('rule.'.length);
  return {
    code: isOneOf(VIOLATION_CODES, code) ? code : 'rule',
    message: typeof message === 'string' ? message : 'Not valid.',
    at: ({ below }) => below,
  };
}

function notAmong({ value, valids }: Context): string {
  const isText = typeof value === 'string';
  return `${isText ? `'${value.slice(0, 40)}' is not allowed; use` : 'Must be'} one of: ${listed(valids)}.`;
}

function unknownViolation({ path, known }: UnknownField): Violation {
  const nearest = suggestName(String(path.at(-1)), known);
  const advice = nearest === undefined ? '; remove it.' : `; did you mean '${nearest}'?`;
  return { propertyPath: propertyPath(path), message: `Unknown field${advice}`, code: 'unknown_field' };
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
