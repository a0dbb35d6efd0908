import type { JsonSchema } from './schema.ts';

/**
 * JSON Schema parts for answers that no record type describes. Closed objects: a test holds every answer to them, so that
 * none says too much.
 */

export const string: JsonSchema = { type: 'string' };
export const iri: JsonSchema = { type: 'string', format: 'iri-reference' };
export const uuid: JsonSchema = { type: 'string', format: 'uuid' };

export function oneOf(words: readonly string[]): JsonSchema {
  return { type: 'string', enum: words };
}

export function array(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** A closed object; every property is required unless others are named. */
export function shape(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** How a collection can be searched (Hydra's IriTemplate): the parameters that it knows. */
const searchShape: JsonSchema = {
  title: 'CollectionSearch',
  ...shape({
    '@type': { const: 'IriTemplate' },
    template: string,
    variableRepresentation: { const: 'BasicRepresentation' },
    mapping: array(
      shape({
        '@type': { const: 'IriTemplateMapping' },
        variable: string,
        property: string,
        required: { type: 'boolean' },
      }),
    ),
  }),
};

const viewShape: JsonSchema = {
  title: 'CollectionView',
  ...shape(
    {
      '@id': iri,
      '@type': { const: 'PartialCollectionView' },
      first: iri,
      last: iri,
      previous: iri,
      next: iri,
    },
    ['@id', '@type', 'first', 'last'],
  ),
};

/** A page of a collection (contract «Collection envelope»). */
export function collectionShape(title: string, member: JsonSchema): JsonSchema {
  return {
    title,
    ...shape({
      '@context': string,
      '@id': iri,
      '@type': { const: 'Collection' },
      totalItems: { type: 'integer', minimum: 0 },
      member: array(member),
      view: viewShape,
      search: searchShape,
    }),
  };
}
