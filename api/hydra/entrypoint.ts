import { API_PREFIX } from '../../domain/iri.ts';
import { propertiesOf } from '../schema/json-schema.ts';
import type { RouteDefinition } from '../http/route.ts';
import type { Document } from './resource.ts';
import { contextPath } from './resource.ts';
import { heldBy, typeOf } from './vocabulary.ts';

/** A collection that can be found from the entrypoint. */
export interface EntrypointLink {
  /** `deliveryRun`: the member's class with a small first letter, as this family of APIs names it. */
  readonly name: string;
  readonly type: string;
  /** Below the prefix: `/delivery-runs`. */
  readonly path: string;
}

/** Every top-level collection of the routes, by name. */
export function entrypointLinks(rows: readonly RouteDefinition[]): readonly EntrypointLink[] {
  return rows
    .flatMap((row) => {
      const type = memberType(row);
      if (row.method !== 'GET' || type === undefined || row.path.includes('{')) return [];
      return [{ name: `${type.charAt(0).toLowerCase()}${type.slice(1)}`, type, path: row.path }];
    })
    .sort((left, right) => left.name.localeCompare(right.name));
}

/** The class of a collection's members; undefined for other answers. */
export function memberType({ answers }: Pick<RouteDefinition, 'answers'>): string | undefined {
  const schema = answers[200]?.schema;
  if (schema === undefined || typeOf(schema) !== 'Collection') return undefined;
  const { member } = propertiesOf(schema);
  return member === undefined ? undefined : typeOf(heldBy(member));
}

/** The entrypoint (interpretation 25): the only address that a client has to know. */
export function entrypointDocument(links: readonly EntrypointLink[]): Document {
  return {
    '@context': contextPath('Entrypoint'),
    '@id': API_PREFIX,
    '@type': 'Entrypoint',
    ...Object.fromEntries(links.map(({ name, path }) => [name, `${API_PREFIX}${path}`])),
  };
}

/** The terms of the entrypoint's context. */
export function entrypointTerms(links: readonly EntrypointLink[]): Document {
  return Object.fromEntries(links.map(({ name }) => [name, { '@id': `Entrypoint/${name}`, '@type': '@id' }]));
}
