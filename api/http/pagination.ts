import { say } from '../../domain/messages.ts';
import Joi from 'joi';
import { isOneOf } from '../../domain/enumerations.ts';
import type { Order, Page } from '../../store/tenant.ts';
import type { Schema } from '../schema/schema.ts';
import type { Field } from '../schema/schema-objects.ts';
import { described, schemaOf, violation } from '../schema/schema.ts';
import { defaulted, optional } from '../schema/schema-objects.ts';
import { dateTimeText } from '../schema/schema-moments.ts';
import { choice, text } from '../schema/schema-values.ts';

/** Page sizes (interpretation 27). */
const DEFAULT_ITEMS_PER_PAGE = 30;
const MAXIMUM_ITEMS_PER_PAGE = 100;
/** Beyond this an offset costs more than any reader can want; filters reach every row. */
const MAXIMUM_PAGE = 1_000_000;

/** A whole number written in digits, as query strings have it. */
export function integerText(options: { min: number; max: number; description?: string }): Schema<number> {
  const { min, max, description } = options;
  const joi = Joi.string<number>().custom((value: string, helpers) => {
    const number = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    return violation(helpers, 'range', say('whole_number_between', { minimum: min, maximum: max }));
  });
  return schemaOf(joi, { type: 'integer', minimum: min, maximum: max, ...described(description) });
}

/** A number written in digits, with a point before decimals. */
export function decimalText(options: { min: number; max: number; description?: string }): Schema<number> {
  const { min, max, description } = options;
  const joi = Joi.string<number>().custom((value: string, helpers) => {
    const number = /^-?\d{1,12}(?:\.\d{1,20})?$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    return violation(helpers, 'range', say('number_between', { minimum: min, maximum: max }));
  });
  return schemaOf(joi, { type: 'number', minimum: min, maximum: max, ...described(description) });
}

/** `true` or `false` in a query string. */
export function booleanText(description?: string): Schema<boolean> {
  const joi = Joi.string<boolean>().custom((value: string, helpers) => {
    if (value === 'true' || value === '1') return true;
    if (value === 'false' || value === '0') return false;
    return violation(helpers, 'choice', say('boolean'));
  });
  return schemaOf(joi, { type: 'boolean', ...described(description) });
}

const DIRECTIONS = ['asc', 'desc'] as const;

/** A direction of sorting, in any case: generic clients of this family of APIs write `ASC`. */
export function direction(description?: string): Schema<Order['direction']> {
  const joi = Joi.string<Order['direction']>().custom((value: string, helpers) => {
    const lower = value.toLowerCase();
    return isOneOf(DIRECTIONS, lower) ? lower : helpers.error('any.only', { valids: DIRECTIONS });
  });
  return { ...choice(DIRECTIONS, described(description, 'In any case.').description), joi };
}

/** The orders of every collection. */
export const ORDER_QUERY = {
  'order[createdAt]': optional(direction()),
  'order[updatedAt]': optional(direction('Takes precedence over order[createdAt] when both are given.')),
  'order[id]': optional(direction('The other orders take precedence over it.')),
} satisfies Record<string, Field<unknown>>;

/** The parameter that searches a collection of people, shops or places by what `searched` says. */
export function nameSearch(searched: string) {
  return {
    search: optional(
      text({
        max: 100,
        description: `Finds those that have each word, in any order, in ${searched}. Case and accents do not count.`,
      }),
    ),
  };
}

/** The parameters that choose a page, of every collection. */
export const PAGE_QUERY = {
  page: defaulted(integerText({ min: 1, max: MAXIMUM_PAGE, description: 'Starts at 1.' }), 1),
  itemsPerPage: defaulted(integerText({ min: 1, max: MAXIMUM_ITEMS_PER_PAGE }), DEFAULT_ITEMS_PER_PAGE),
  asOf: optional(
    dateTimeText(
      'Excludes records that were added later, so that pages stay the same while records are added. The links of a first page that is sorted newest first contain it.',
    ),
  ),
} satisfies Record<string, Field<unknown>>;

/** The parameters of every collection of records: page, page size and order. */
export const COLLECTION_QUERY = {
  ...PAGE_QUERY,
  ...ORDER_QUERY,
} satisfies Record<string, Field<unknown>>;

/** What the parameters of a collection come to. */
export interface CollectionQuery extends Page {
  readonly 'order[createdAt]': Order['direction'] | null;
  readonly 'order[updatedAt]': Order['direction'] | null;
  readonly 'order[id]': Order['direction'] | null;
}

/** The order that was asked for; newest first where none was (a dispatcher looks at what came last). */
export function orderOf({
  'order[createdAt]': createdAt,
  'order[updatedAt]': updatedAt,
  'order[id]': id,
}: Pick<CollectionQuery, keyof typeof ORDER_QUERY>): Order {
  if (updatedAt !== null) return { by: 'updated_at', direction: updatedAt };
  if (createdAt === null && id !== null) return { by: 'id', direction: id };
  return { by: 'created_at', direction: createdAt ?? 'desc' };
}
