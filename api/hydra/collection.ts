import { API_PREFIX } from '../../domain/iri.ts';
import type { Page, PageOf } from '../../store/tenant.ts';
import type { RequestParts, RouteResponse } from '../http/route.ts';
import type { Document } from './resource.ts';
import { contextPath } from './resource.ts';

/**
 * A page of a collection (contract «Collection envelope», interpretation 25): the exact total, the members, and a
 * `view` that is always present, with `first` and `last` always, `previous` and `next` where such pages exist. All
 * other parameters of the request are kept in the links, `page` last. `first` reads the current records; the others
 * keep the moment of their page, so that a client meets each record once while others are added.
 */
export function collection<Row>(
  type: string,
  { context, query, queryNames }: RequestParts<Page>,
  { rows, totalItems, asOf }: PageOf<Row>,
  present: (row: Row) => Document,
): RouteResponse {
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
    search: searchTemplate(path, queryNames),
  };
  return { status: 200, body, links: linkHeader(pages) };
}

/**
 * What a collection can be asked for. Brackets cannot be part of a variable's name (RFC 6570), so they are escaped; the
 * property is the one that `order[createdAt]` or `createdAt[after]` is about.
 */
function searchTemplate(path: string, names: readonly string[]): Document {
  return {
    '@type': 'IriTemplate',
    template: `${path}{?${names.map(encodeURIComponent).join(',')}}`,
    variableRepresentation: 'BasicRepresentation',
    mapping: names.map((name) => ({
      '@type': 'IriTemplateMapping',
      variable: encodeURIComponent(name),
      property: /^order\[(\w+)\]$/.exec(name)?.[1] ?? name.replace(/\[.*$/, ''),
      required: false,
    })),
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
