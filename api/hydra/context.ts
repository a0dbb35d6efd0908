import { API_PREFIX } from '../../domain/iri.ts';
import { isJsonObject, mapSchema, propertiesOf } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/schema.ts';
import type { VocabularyClass } from './vocabulary.ts';
import { classNameOf, heldBy, HYDRA, typeOf, VIOLATION } from './vocabulary.ts';

type Terms = Readonly<Record<string, unknown>>;

/** The address before each of our own terms. */
export function vocabularyAddress(publicUrl: string): string {
  return `${publicUrl}${API_PREFIX}/docs.jsonld#`;
}

const link = (term: string) => ({ '@id': `hydra:${term}`, '@type': '@id' });

/** The terms of a page of a collection; they are Hydra's (interpretation 25), not ours. */
const COLLECTION_TERMS: Terms = {
  Collection: 'hydra:Collection',
  PartialCollectionView: 'hydra:PartialCollectionView',
  member: 'hydra:member',
  totalItems: 'hydra:totalItems',
  view: { '@id': 'hydra:view', '@type': '@id' },
  first: link('first'),
  last: link('last'),
  next: link('next'),
  previous: link('previous'),
  search: 'hydra:search',
  BasicRepresentation: 'hydra:BasicRepresentation',
  IriTemplate: {
    '@id': 'hydra:IriTemplate',
    '@context': {
      template: 'hydra:template',
      variableRepresentation: { '@id': 'hydra:variableRepresentation', '@type': '@vocab' },
      mapping: 'hydra:mapping',
    },
  },
  IriTemplateMapping: {
    '@id': 'hydra:IriTemplateMapping',
    '@context': {
      variable: 'hydra:variable',
      property: { '@id': 'hydra:property', '@type': '@vocab' },
      required: 'hydra:required',
    },
  },
};

/** What Hydra has words for in our problem documents. */
const PROBLEM_TERMS: Readonly<Record<string, string>> = {
  title: 'hydra:title',
  detail: 'hydra:description',
  status: 'hydra:statusCode',
};
const PROBLEM_CLASSES: readonly string[] = ['Error', 'ConstraintViolation'];

/**
 * The context of one class (JSON-LD 1.1): Hydra's terms for the collections it comes in, its own terms, and for each
 * class that is shown inside it that class's own, which count for nodes of that type alone.
 */
export function contextOf(
  shown: VocabularyClass,
  classes: ReadonlyMap<string, VocabularyClass>,
  publicUrl: string,
): JsonSchema {
  const types = [...withEmbedded(shown, classes)].map(
    (inner) => [inner.name, { '@id': classIri(inner.name), '@context': termsOfClass(inner) }] as const,
  );
  return contextDocument(publicUrl, {
    ...termsOfClass(shown),
    ...COLLECTION_TERMS,
    ...Object.fromEntries(types),
  });
}

/** A context document with our vocabulary as the default. */
export function contextDocument(publicUrl: string, terms: Terms): JsonSchema {
  return {
    '@context': { '@version': 1.1, '@vocab': vocabularyAddress(publicUrl), hydra: HYDRA, ...terms },
  };
}

/** A class by its own name, but for the error that Hydra has itself. */
export function classIri(name: string): string {
  return name === 'Error' ? 'hydra:Error' : name;
}

/** A property of a class, as the documentation names it: Hydra's own word, or one of ours. */
export function propertyIri(owner: string, name: string): string {
  const shared = PROBLEM_CLASSES.includes(owner) ? PROBLEM_TERMS[name] : undefined;
  return shared ?? `#${ownIri(owner, name)}`;
}

/**
 * A property in our vocabulary, `Shipment/status`. Those that say what is wrong with a request are there without a class, where
 * generic clients of this family of APIs look for them (decision 0027).
 */
function ownIri(owner: string, name: string): string {
  const isAboutViolations = owner === VIOLATION || (owner === 'ConstraintViolation' && name === 'violations');
  return isAboutViolations ? name : `${owner}/${name}`;
}

function termsOfClass({ name, properties }: VocabularyClass): Terms {
  const terms = termsOf(name, properties);
  return PROBLEM_CLASSES.includes(name) ? { ...terms, ...PROBLEM_TERMS } : terms;
}

function termsOf(prefix: string, properties: Readonly<Record<string, JsonSchema>>): Terms {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => !name.startsWith('@'))
      .map(([name, schema]) => [name, termOf(ownIri(prefix, name), schema)]),
  );
}

/** One term: a link, a plain value, an object with terms of its own, or JSON that is to be left alone. */
function termOf(iri: string, schema: JsonSchema): unknown {
  const held = heldBy(schema);
  const { format, type } = held;
  if (format === 'iri-reference' || format === 'uri') return { '@id': iri, '@type': '@id' };
  if (type !== 'object' || typeOf(held) !== undefined || isChoice(held)) return iri;
  const inner = propertiesOf(held);
  // A polygon's rings are arrays of arrays, which JSON-LD would flatten; an object of unknown keys has no terms.
  if (Object.keys(inner).length === 0 || Object.values(inner).some(holdsNestedArrays)) {
    return { '@id': iri, '@type': '@json' };
  }
  return { '@id': iri, '@context': termsOf(classNameOf(held) ?? iri, inner) };
}

function isChoice({ anyOf, oneOf }: JsonSchema): boolean {
  return anyOf !== undefined || oneOf !== undefined;
}

function holdsNestedArrays({ items }: JsonSchema): boolean {
  return isJsonObject(items) && items['type'] === 'array';
}

/** The class itself and all that are shown somewhere inside its documents. */
function withEmbedded(
  shown: VocabularyClass,
  classes: ReadonlyMap<string, VocabularyClass>,
  known = new Set<VocabularyClass>(),
): ReadonlySet<VocabularyClass> {
  if (known.has(shown)) return known;
  known.add(shown);
  mapSchema({ properties: shown.properties }, (part) => {
    const inner = classes.get(typeOf(part) ?? '');
    if (inner !== undefined) withEmbedded(inner, classes, known);
    return part;
  });
  return known;
}
