import type { JsonSchema } from './schema.ts';

/** JSON Schema parts for answers. Closed objects: a test holds every answer to them, so that none says too much. */

export const string: JsonSchema = { type: 'string' };
export const amount: JsonSchema = { type: 'string', pattern: '^-?\\d+\\.\\d{2}$' };
export const moment: JsonSchema = { type: 'string', format: 'date-time' };
export const iri: JsonSchema = { type: 'string', format: 'iri-reference' };
export const uuid: JsonSchema = { type: 'string', format: 'uuid' };

export function oneOf(words: readonly string[]): JsonSchema {
  return { type: 'string', enum: words };
}

export function array(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** May be null instead, on the surfaces that show nulls. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: words } = schema;
  if (typeof type !== 'string' || type === 'object' || type === 'array') {
    return { anyOf: [schema, { type: 'null' }] };
  }
  return { ...schema, type: [type, 'null'], ...(Array.isArray(words) ? { enum: withNull(words) } : {}) };
}

function withNull(words: readonly unknown[]): readonly unknown[] {
  return [...words, null];
}

/** A closed object. */
export function shape(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/**
 * A JSON-LD document of one record, or with `isMember` a record inside another document. `type` is its `@type`, where
 * that is not the title without `Member` or `Line`.
 */
export function documentShape(
  title: string,
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
  options: { readonly isMember?: boolean; readonly type?: string } = {},
): JsonSchema {
  const type = options.type ?? title.replace(/(?:Member|Line)$/, '');
  const frame = { '@id': iri, '@type': { const: type }, id: uuid };
  if (options.isMember === true) {
    return { title, ...shape({ ...frame, ...properties }, ['@id', '@type', 'id', ...required]) };
  }
  const dates = { createdAt: moment, updatedAt: moment };
  return {
    title,
    ...shape({ '@context': string, ...frame, ...properties, ...dates }, [
      '@context',
      '@id',
      '@type',
      'id',
      ...required,
    ]),
  };
}

/** How a collection can be searched (Hydra's IriTemplate): the parameters that it knows. */
const searchShape: JsonSchema = {
  title: 'CollectionSearch',
  ...shape(
    {
      '@type': { const: 'IriTemplate' },
      template: string,
      variableRepresentation: { const: 'BasicRepresentation' },
      mapping: array(
        shape(
          {
            '@type': { const: 'IriTemplateMapping' },
            variable: string,
            property: string,
            required: { type: 'boolean' },
          },
          ['@type', 'variable', 'property', 'required'],
        ),
      ),
    },
    ['@type', 'template', 'variableRepresentation', 'mapping'],
  ),
};

/** A page of a collection (contract «Collection envelope»). */
export function collectionShape(title: string, member: JsonSchema): JsonSchema {
  return {
    title,
    ...shape(
      {
        '@context': string,
        '@id': iri,
        '@type': { const: 'Collection' },
        totalItems: { type: 'integer', minimum: 0 },
        member: array(member),
        view: {
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
        },
        search: searchShape,
      },
      ['@context', '@id', '@type', 'totalItems', 'member', 'view', 'search'],
    ),
  };
}
