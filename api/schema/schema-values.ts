import Joi from 'joi';
import type { Id } from '../../domain/ids.ts';
import { parseId } from '../../domain/ids.ts';
import type { ResourceKind } from '../../domain/iri.ts';
import { collectionPath, iriPattern, parseIri, parseReference } from '../../domain/iri.ts';
import { formatAmount, parseAmount, AMOUNT_PATTERN } from '../../domain/money.ts';
import type { Schema } from './schema.ts';
import { described, violation } from './schema.ts';

/** Text that Postgres and JSON can both hold: no NUL, no half of a surrogate pair. */
const UNSTORABLE = /[\u0000\uD800-\uDFFF]/u;
const NOT_BLANK_PATTERN = '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$';
const STORABLE_PATTERN = '^[^\\u0000]*$';

/** Characters are counted as PostgreSQL and JSON Schema do, not as the halves of surrogate pairs that JavaScript has. */
function isLongerThan(max: number, value: string): boolean {
  // A character has two halves at most, so that a text of any length is judged by its first characters.
  return value.length > max && (value.length > 2 * max || Array.from(value).length > max);
}

/** Up to `max` characters; with `min` 1, the default, something other than white space. */
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
    if (isLongerThan(max, value))
      return violation(helpers, 'too_long', `Must have at most ${max} characters.`);
    if (UNSTORABLE.test(value))
      return violation(helpers, 'format', 'Must not contain NUL or unpaired surrogate characters.');
    if (min === 1 && value.trim() === '') return violation(helpers, 'blank', 'Must not be blank.');
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
      if (isLongerThan(max, value))
        return violation(helpers, 'too_long', `Must have at most ${max} characters.`);
      if (UNSTORABLE.test(value) || !form.test(value)) return violation(helpers, 'format', message);
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
    message: 'Must be a valid email address, for example name@example.com.',
    example: 'amina@example.com',
  });
}

/** A phone number in international format (contract «Recipient»), kept in E.164: separators are dropped. */
export function phoneNumber(): Schema<string> {
  return pattern('^\\+[1-9](?:[ ().-]{0,2}[0-9]){6,14}$', {
    message: 'Must be an international phone number with + and the country code, for example +33612345678.',
    max: 40,
    example: '+33612345678',
    normalize: (value) => `+${value.replace(/\D/g, '')}`,
  });
}

/** One of a closed set of words; the violation lists them. */
export function choice<Word extends string>(words: readonly Word[], description?: string): Schema<Word> {
  return {
    joi: Joi.string<Word>().custom((value: string, helpers) => {
      const word = words.find((candidate) => candidate === value);
      return (
        word ??
        violation(
          helpers,
          'choice',
          `'${value.slice(0, 40)}' is not allowed; use one of: ${words.join(', ')}.`,
        )
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
      if (!Number.isInteger(value)) return violation(helpers, 'type', 'Must be a whole number.');
      if (value < min || value > max) return violation(helpers, 'range', `Must be from ${min} to ${max}.`);
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
      if (value < min || value > max) return violation(helpers, 'range', `Must be from ${min} to ${max}.`);
      if (decimals !== undefined && Number(value.toFixed(decimals)) !== value) {
        return violation(helpers, 'format', `Must have at most ${decimals} decimals.`);
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

/** An amount: a string with two decimals on the wire, whole cents after parsing (interpretation 3). */
export function money(description?: string): Schema<number> {
  return {
    joi: Joi.string<number>().custom(
      (value: string, helpers) =>
        parseAmount(value) ??
        violation(helpers, 'format', "Must be an amount: a string with two decimals, for example '1250.00'."),
    ),
    json: {
      type: 'string',
      pattern: `^${AMOUNT_PATTERN.replace(/^\^|\$$/g, '')}$`,
      examples: [formatAmount(125_000)],
      ...described(description),
    },
  };
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
        read(kind, value) ?? violation(helpers, 'reference', `Must be an IRI, for example ${example}.`),
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
      (value: string, helpers) => parseId<Kind>(value) ?? violation(helpers, 'format', 'Must be a UUID.'),
    ),
    json: { type: 'string', format: 'uuid', ...described(description) },
  };
}
