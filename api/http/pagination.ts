import Joi from 'joi';
import type { Order, Page } from '../../store/tenant.ts';
import type { Schema } from '../schema/schema.ts';
import type { Field } from '../schema/schema-objects.ts';
import { described, schemaOf, violation } from '../schema/schema.ts';
import { defaulted, optional } from '../schema/schema-objects.ts';
import { dateTimeText } from '../schema/schema-moments.ts';
import { choice } from '../schema/schema-values.ts';

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
    return violation(helpers, 'range', `Must be a whole number from ${min} to ${max}.`);
  });
  return schemaOf(joi, { type: 'integer', minimum: min, maximum: max, ...described(description) });
}

/** `true` or `false` in a query string. */
export function booleanText(description?: string): Schema<boolean> {
  const joi = Joi.string<boolean>().custom((value: string, helpers) => {
    if (value === 'true' || value === '1') return true;
    if (value === 'false' || value === '0') return false;
    return violation(helpers, 'choice', 'Must be true or false.');
  });
  return schemaOf(joi, { type: 'boolean', ...described(description) });
}

/** The orders of every collection. */
export const ORDER_QUERY = {
  'order[createdAt]': optional(choice(['asc', 'desc'] as const)),
  'order[updatedAt]': optional(
    choice(['asc', 'desc'] as const, 'Takes precedence over order[createdAt] when both are given.'),
  ),
} satisfies Record<string, Field<unknown>>;

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
  readonly 'order[createdAt]': 'asc' | 'desc' | null;
  readonly 'order[updatedAt]': 'asc' | 'desc' | null;
}

/** The order that was asked for; newest first where none was (a dispatcher looks at what came last). */
export function orderOf(query: Pick<CollectionQuery, 'order[createdAt]' | 'order[updatedAt]'>): Order {
  if (query['order[updatedAt]'] !== null) return { by: 'updated_at', direction: query['order[updatedAt]'] };
  return { by: 'created_at', direction: query['order[createdAt]'] ?? 'desc' };
}
