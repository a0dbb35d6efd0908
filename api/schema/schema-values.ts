import type { TextForm } from '../../domain/messages.ts';
import { say } from '../../domain/messages.ts';
import Joi from 'joi';
import type { Id } from '../../domain/ids.ts';
import { parseId } from '../../domain/ids.ts';
import type { ResourceKind } from '../../domain/iri.ts';
import { collectionPath, iriOf, iriPattern, parseIri, parseReference } from '../../domain/iri.ts';
import { AMOUNT_PATTERN, formatAmount, parseAmount } from '../../domain/money.ts';
import { parsePhoneNumber, PHONE_NUMBER_PATTERN } from '../../domain/phone-number.ts';
import type { Schema } from './schema.ts';
import { described, schemaOf, violation } from './schema.ts';

/** Text that Postgres and JSON can both hold: no NUL, no half of a surrogate pair. */
const UNSTORABLE = /[\u0000\uD800-\uDFFF]/u;
const NOT_BLANK_PATTERN = '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$';
const STORABLE_PATTERN = '^[^\\u0000]*$';

/** Characters are counted as PostgreSQL and JSON Schema do; joi's `max` counts the halves of surrogate pairs. */
function isLongerThan(max: number, value: string): boolean {
  // A character has two halves at most, so that a text of any length is judged by its first characters.
  return value.length > max && (value.length > 2 * max || Array.from(value).length > max);
}

/** A text that can be kept, of up to `max` characters. */
function storableText(max: number): Joi.StringSchema<string> {
  return Joi.string<string>().custom((value: string, helpers) => {
    if (isLongerThan(max, value))
      return violation(helpers, 'too_long', say('at_most_characters', { limit: max }));
    if (UNSTORABLE.test(value)) return violation(helpers, 'format', say('unstorable'));
    return value;
  });
}

/** Up to `max` characters; with `min` 1, the default, something other than white space. */
export function text(options: { max?: number; min?: 0 | 1; description?: string } = {}): Schema<string> {
  const { max = 255, min = 1, description } = options;
  const base = storableText(max);
  const joi =
    min === 0
      ? base.allow('')
      : base.custom((value: string, helpers) =>
          value.trim() === '' ? violation(helpers, 'blank', say('not_blank')) : value,
        );
  const form = { type: 'string', ...described(description) };
  return schemaOf(joi, form, {
    maxLength: max,
    pattern: min === 0 ? STORABLE_PATTERN : NOT_BLANK_PATTERN,
  });
}

/** Text of one form; `form` is the sentence that says what it must be. `read` is for what is kept otherwise; undefined rejects. */
export function pattern(
  source: string,
  options: {
    form: TextForm;
    max?: number;
    example?: string;
    description?: string;
    read?: (text: string) => string | undefined;
  },
): Schema<string> {
  const { form, max = 255, example, read = (value: string) => value, description } = options;
  const joi = storableText(max)
    .pattern(new RegExp(source, 'u'), form)
    .custom((value: string, helpers) => read(value) ?? violation(helpers, 'format', say(form)));
  return schemaOf(
    joi,
    { type: 'string', ...described(description) },
    { maxLength: max, pattern: source, ...(example === undefined ? {} : { examples: [example] }) },
  );
}

/** An e-mail address, kept as written. joi's own rule knows top-level domains, and rejects addresses that are in use. */
export function email(): Schema<string> {
  return pattern('^[^\\s@\\u0000]+@[^\\s@\\u0000]+\\.[^\\s@\\u0000]+$', {
    form: 'email',
    example: 'amina@example.com',
  });
}

/** An HTTPS address. Whether it may be called, or leads anywhere, is not asked here. */
export function httpsUrl(options: { max: number; example?: string; description?: string }): Schema<string> {
  return pattern('^https://[^\\s\\u0000/?#]+[^\\s\\u0000]*$', {
    ...options,
    form: 'https_url',
  });
}

/** A phone number in international format (contract «Recipient»), kept in E.164. */
export function phoneNumber(): Schema<string> {
  return pattern(PHONE_NUMBER_PATTERN, {
    form: 'phone_number',
    max: 40,
    example: '+33612345678',
    read: parsePhoneNumber,
  });
}

/** One of a closed set of words; the violation lists them. */
export function choice<Word extends string>(words: readonly Word[], description?: string): Schema<Word> {
  const form = { type: 'string', enum: [...words], ...described(description) };
  return schemaOf(Joi.string<Word>().valid(...words), form);
}

export function boolean(description?: string): Schema<boolean> {
  return schemaOf(Joi.boolean<boolean>(), { type: 'boolean', ...described(description) });
}

/** A whole number within bounds. */
export function integer(options: { min: number; max: number; description?: string }): Schema<number> {
  const { min, max, description } = options;
  return schemaOf(
    Joi.number<number>().integer().min(min).max(max),
    { type: 'integer', minimum: min, ...described(description) },
    { maximum: max },
  );
}

/** How many there are, as answers say it. */
export function count(description?: string): Schema<number> {
  return integer({ min: 0, max: Number.MAX_SAFE_INTEGER, ...described(description) });
}

interface DecimalOptions {
  readonly min: number;
  readonly max: number;
  readonly decimals?: number;
  readonly description?: string;
}

/** A number within bounds; with `decimals`, no more of them than that. */
export function decimal({ min, max, decimals, description }: DecimalOptions): Schema<number> {
  const bounded = Joi.number<number>().min(min).max(max);
  const rule = decimals === undefined ? undefined : `At most ${decimals} decimals.`;
  return schemaOf(
    decimals === undefined ? bounded : bounded.precision(decimals),
    { type: 'number', ...described(description) },
    { minimum: min, maximum: max, ...described(description, rule) },
  );
}

/** A weight: kilograms with up to three decimals, whole grams inside. */
export function weight(max: number, description: string): Schema<number> {
  const kilograms = decimal({ min: 0, max, decimals: 3, description });
  const joi = kilograms.joi.custom((value: number) => Math.round(value * 1_000));
  return { ...kilograms, joi, show: (grams) => grams / 1_000 };
}

/** An amount: a string with two decimals on the wire, whole cents inside (interpretation 3). */
export function money(description?: string): Schema<number> {
  const joi = Joi.string<number>().custom(
    (value: string, helpers) => parseAmount(value) ?? violation(helpers, 'format', say('amount')),
  );
  return schemaOf(
    joi,
    { type: 'string', pattern: '^-?\\d+\\.\\d{2}$', ...described(description) },
    { pattern: AMOUNT_PATTERN, examples: [formatAmount(125_000)] },
    formatAmount,
  );
}

/** The IRI of a resource; with `bare`, its id alone is read too. Whether it exists is the store's to say. */
export function reference<Kind extends ResourceKind>(
  kind: Kind,
  options: { bare?: boolean; description?: string } = {},
): Schema<Id<Kind>> {
  const example = `${collectionPath(kind)}/3f0c2f1e-7f55-4c3e-9c39-2a0d0f6f5a11`;
  const read = options.bare === true ? parseReference : parseIri;
  const joi = Joi.string<Id<Kind>>().custom(
    (value: string, helpers) => read(kind, value) ?? violation(helpers, 'reference', say('iri', { example })),
  );
  return schemaOf(
    joi,
    { type: 'string', format: 'iri-reference', ...described(options.description) },
    { pattern: iriPattern(kind, options.bare), examples: [example] },
    (id) => iriOf(kind, id),
  );
}

/** A bare UUID of a record of one kind; joi's own rule keeps capital letters. */
export function uuid<Kind extends string>(description?: string): Schema<Id<Kind>> {
  const joi = Joi.string<Id<Kind>>().custom(
    (value: string, helpers) => parseId<Kind>(value) ?? violation(helpers, 'format', say('uuid')),
  );
  return schemaOf(joi, { type: 'string', format: 'uuid', ...described(description) });
}
