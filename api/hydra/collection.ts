import { API_PREFIX } from '../../domain/iri.ts';
import type { Page, PageOf } from '../../store/tenant.ts';
import { PAGE_QUERY } from '../http/pagination.ts';
import type { RequestParts, RouteResponse } from '../http/route.ts';
import { propertiesOf } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/schema.ts';
import type { Document } from './resource.ts';
import { contextPath } from './resource.ts';
import { heldBy } from './vocabulary.ts';

/**
 * Makes the pages of a collection whose page has a shape (contract «Collection envelope», interpretation 25): the exact total,
 * the members, and a `view` that is always present, with `first` and `last` always, `previous` and `next` where such pages
 * exist. All other parameters of the request are kept in the links, `page` last. `first` reads the current records; the
 * others keep the moment of their page, so that a client meets each record once while others are added.
 */
export function collectionOf<Row>(
  type: string,
  shape: JsonSchema,
  present: (row: Row) => Document,
): (request: RequestParts<Page>, page: PageOf<Row>) => RouteResponse {
  const members = propertiesOf(heldBy(propertiesOf(shape)['member'] ?? {}));
  return ({ context, query, queryNames }, { rows, totalItems, asOf }) => {
    const path = context.path.replace(`${API_PREFIX}/pickup_points`, `${API_PREFIX}/pickup-points`);
    const { page, itemsPerPage } = query;
    const link = pageLink(path, context.search, asOf);
    const lastPage = Math.max(1, Math.ceil(totalItems / itemsPerPage));
    const pages = {
      first: pageLink(path, context.search, null)(1),
      last: link(lastPage),
      ...(page > 1 ? { previous: link(Math.min(page - 1, lastPage)) } : {}),
      ...(page < lastPage ? { next: link(page + 1) } : {}),
    };
    const body = {
      '@context': contextPath(type),
      '@id': path,
      '@type': 'Collection',
      totalItems,
      member: rows.map(present),
      view: {
        '@id': pageLink(path, context.search, query.asOf)(page),
        '@type': 'PartialCollectionView',
        ...pages,
      },
      search: searchTemplate(path, queryNames, members),
    };
    return { status: 200, body, links: linkHeader(pages) };
  };
}

/** `search` is about several properties and counts as one of the first of them, which the members have. */
const SEARCHED = ['trackingNumber', 'name', 'lastName'];

/**
 * By what a collection can be searched and sorted, as API Platform writes it (decision 0027): each variable is a parameter's
 * own name, `order[createdAt]`, and maps to the property of the members' class that it is about. Those of pages are about none.
 */
function searchTemplate(
  path: string,
  names: readonly string[],
  members: Readonly<Record<string, unknown>>,
): Document {
  const searched = SEARCHED.find((name) => name in members) ?? '';
  const mapping = names
    .filter((name) => !(name in PAGE_QUERY) && (name !== 'order[id]' || 'id' in members))
    .map((variable) => ({
      '@type': 'IriTemplateMapping',
      variable,
      property:
        variable === 'search'
          ? searched
          : (/^order\[(\w+)\]$/.exec(variable)?.[1] ?? variable.replace(/\[.*$/, '')),
      required: false,
    }));
  return {
    '@type': 'IriTemplate',
    template: `${path}{?${mapping.map(({ variable }) => variable).join(',')}}`,
    variableRepresentation: 'BasicRepresentation',
    mapping,
  };
}

/** The addresses of a collection's pages as a Link header (RFC 8288), for clients that read only that. */
function linkHeader({ first, previous, next, last }: Readonly<Record<string, string>>): string {
  return Object.entries({ first, prev: previous, next, last })
    .flatMap(([rel, address]) => (address === undefined ? [] : [`<${address}>; rel="${rel}"`]))
    .join(', ');
}

function pageLink(path: string, search: string, asOf: Date | null): (page: number) => string {
  const parameters = new URLSearchParams(search);
  parameters.delete('page');
  parameters.delete('asOf');
  if (asOf !== null) parameters.set('asOf', asOf.toISOString());
  // RFC 3986 encoding: a space is %20, not +.
  const kept = parameters.toString().replaceAll('+', '%20');
  return (page) => `${path}?${kept === '' ? '' : `${kept}&`}page=${page}`;
}
