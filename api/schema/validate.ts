import type Joi from 'joi';
import type { Violation, ViolationCode, Violations } from '../../domain/problem.ts';
import { isOneOf } from '../../domain/enumerations.ts';
import { VIOLATION_CODES } from '../../domain/problem.ts';
import { REQUEST_LIMITS } from '../../domain/request-limits.ts';
import { suggestName } from './suggest-name.ts';
import type { Schema } from './schema.ts';
import { PARSING } from './schema.ts';
import { NESTED_ERRORS, tooManyEntries, validFields } from './schema-objects.ts';
import type { ViolationCollector } from './violation-collector.ts';
import { collectViolations } from './violation-collector.ts';

/** A parsed value, or its violations: those that are reported, how many more there are, and an object's valid fields. */
export type Parsed<Output> =
  | { readonly kind: 'valid'; readonly value: Output }
  | ({ readonly kind: 'invalid'; readonly valid: Partial<Output> } & Violations);

/**
 * Parses an unknown value. Nothing is converted but what the schema says: "true" is not a boolean, "10.50" not
 * a number. Never throws for bad input.
 */
export function parseWith<Output>(schema: Schema<Output>, value: unknown): Parsed<Output> {
  // joi accepts an absent value, and copies a schema each time that an option says otherwise.
  if (value === undefined) return { kind: 'invalid', violations: [MISSING], valid: {} };
  const result = schema.joi.validate(value, PARSING);
  if (result.error === undefined) return { kind: 'valid', value: result.value };
  const collector = collectViolations();
  for (const detail of result.error.details) collect(collector, detail, []);
  const [detail] = result.error.details;
  const valid: unknown = detail?.path.length === 0 ? detail.context?.['valid'] : undefined;
  return { kind: 'invalid', ...collector.found(), valid: validFields<Output>(valid, []) };
}

const MISSING: Violation = { propertyPath: '', message: 'This field is required.', code: 'required' };

/** joi's own error types, as our codes and sentences. Rules of ours carry both themselves (`rule.<code>`). */
const JOI_ERRORS: Readonly<Record<string, { code: ViolationCode; message: (limit: unknown) => string }>> = {
  'any.required': { code: MISSING.code, message: () => MISSING.message },
  'string.base': { code: 'type', message: () => 'Must be a string.' },
  'string.empty': { code: 'blank', message: () => 'Must not be empty.' },
  'number.base': { code: 'type', message: () => 'Must be a number.' },
  'number.unsafe': { code: 'range', message: () => 'Must be a smaller number.' },
  'number.infinity': { code: 'range', message: () => 'Must be a finite number.' },
  'boolean.base': { code: 'type', message: () => 'Must be true or false.' },
  'object.base': { code: 'type', message: () => 'Must be an object.' },
  'array.base': { code: 'type', message: () => 'Must be an array.' },
  'array.min': { code: 'too_few', message: (limit) => `Must have at least ${String(limit)} entries.` },
  'array.max': { code: 'too_many', message: (limit) => tooManyEntries(Number(limit)) },
  'array.unique': { code: 'rule', message: () => 'Must not repeat an earlier entry.' },
  'array.includesRequiredUnknowns': { code: 'required', message: () => 'An entry is required.' },
  'any.unknown': { code: 'unknown_field', message: () => 'Unknown field.' },
};

type Path = readonly (string | number)[];

/** What a schema of ours carries for a value inside it: errors, names that are not known, broken rules. */
function collect(collector: ViolationCollector, detail: Joi.ValidationErrorItem, above: Path): void {
  const path = [...above, ...detail.path];
  if (detail.type !== NESTED_ERRORS) {
    collector.add(() => violationOf(detail, path));
    return;
  }
  const context: Readonly<Record<string, unknown>> = detail.context ?? {};
  for (const inner of listIn(context, 'details').filter(isErrorItem)) collect(collector, inner, path);
  const known = listIn(context, 'known').filter(isText);
  for (const name of listIn(context, 'unknown').filter(isText)) {
    collector.add(() => unknownField(name, known, path));
  }
  for (const rule of listIn(context, 'broken').filter(isBrokenRule)) {
    collector.add(() => ruleViolation(rule, path));
  }
}

function listIn(context: Readonly<Record<string, unknown>>, name: string): readonly unknown[] {
  const list = context[name];
  return Array.isArray(list) ? list : [];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

interface BrokenRule {
  readonly path: string;
  readonly code: ViolationCode;
  readonly message: string;
}

function ruleViolation(rule: BrokenRule, path: Path): Violation {
  const above = propertyPath(path);
  return {
    propertyPath: [above, rule.path].filter((part) => part !== '').join('.'),
    message: rule.message,
    code: rule.code,
  };
}

function isErrorItem(value: unknown): value is Joi.ValidationErrorItem {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    'path' in value &&
    Array.isArray(value.path)
  );
}

function isBrokenRule(value: unknown): value is BrokenRule {
  return (
    typeof value === 'object' && value !== null && 'path' in value && 'message' in value && 'code' in value
  );
}

function violationOf(detail: Joi.ValidationErrorItem, fullPath: Path): Violation {
  const context: Readonly<Record<string, unknown>> = detail.context ?? {};
  const path = propertyPath(fullPath);
  if (detail.type.startsWith('rule.')) {
    const code = detail.type.slice('rule.'.length);
    return {
      propertyPath: path,
      message: typeof context['message'] === 'string' ? context['message'] : 'Violates a rule.',
      code: isOneOf(VIOLATION_CODES, code) ? code : 'rule',
    };
  }
  // joi says «base» for null as well; the reader is helped by the plain word.
  if (context['value'] === null && detail.type.endsWith('.base')) {
    return { propertyPath: path, message: 'Must not be null.', code: 'null' };
  }
  const known = JOI_ERRORS[detail.type];
  return {
    propertyPath: path,
    message: known?.message(context['limit']) ?? 'Not valid.',
    code: known?.code ?? 'rule',
  };
}

function unknownField(name: string, known: readonly string[], above: Path): Violation {
  const nearest = suggestName(name, known);
  return {
    propertyPath: propertyPath([...above, name]),
    message:
      nearest === undefined ? 'Unknown field; remove it.' : `Unknown field; did you mean '${nearest}'?`,
    code: 'unknown_field',
  };
}

/** `items[0].quantity`, as clients of this family of APIs know it; cut where a client's own names make it long. */
export function propertyPath(path: readonly (string | number)[]): string {
  const written = path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
  const limit = REQUEST_LIMITS.propertyPathCharacters;
  return written.length > limit ? `${written.slice(0, limit - 1)}…` : written;
}
