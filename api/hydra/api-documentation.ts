import { API_PREFIX } from '../../domain/iri.ts';
import { propertiesOf, propertyNames, requiredNames } from '../schema/json-schema.ts';
import type { RouteDefinition } from '../http/route.ts';
import type { JsonSchema } from '../schema/schema.ts';
import { classIri, propertyIri, vocabularyAddress } from './context.ts';
import type { EntrypointLink } from './entrypoint.ts';
import { memberType } from './entrypoint.ts';
import type { VocabularyClass } from './vocabulary.ts';
import { heldBy, HYDRA, typeOf } from './vocabulary.ts';

const id = (term: string) => ({ '@id': term, '@type': '@id' });

/** Every term of this document, in one flat context: strict processors reject a context inside a context. */
const TERMS = {
  hydra: HYDRA,
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  owl: 'http://www.w3.org/2002/07/owl#',
  schema: 'https://schema.org/',
  ApiDocumentation: 'hydra:ApiDocumentation',
  Class: 'hydra:Class',
  SupportedProperty: 'hydra:SupportedProperty',
  Operation: 'hydra:Operation',
  Link: 'hydra:Link',
  title: 'hydra:title',
  description: 'hydra:description',
  entrypoint: id('hydra:entrypoint'),
  supportedClass: 'hydra:supportedClass',
  supportedProperty: 'hydra:supportedProperty',
  supportedOperation: 'hydra:supportedOperation',
  property: 'hydra:property',
  required: 'hydra:required',
  readable: 'hydra:readable',
  writeable: 'hydra:writeable',
  method: 'hydra:method',
  expects: id('hydra:expects'),
  returns: id('hydra:returns'),
  label: 'rdfs:label',
  domain: id('rdfs:domain'),
  range: id('rdfs:range'),
  subClassOf: id('rdfs:subClassOf'),
};

const ACTIONS = { GET: 'schema:FindAction', POST: 'schema:CreateAction', DELETE: 'schema:DeleteAction' };

/** The Hydra description of the route rows (interpretation 25): each class with its properties and operations. */
export function apiDocumentation(
  rows: readonly RouteDefinition[],
  classes: ReadonlyMap<string, VocabularyClass>,
  links: readonly EntrypointLink[],
  publicUrl: string,
): JsonSchema {
  return {
    '@context': { '@vocab': vocabularyAddress(publicUrl), ...TERMS },
    '@id': `${API_PREFIX}/docs.jsonld`,
    '@type': 'ApiDocumentation',
    title: 'Shipment Delivery Service',
    description:
      'Shipments, tasks, delivery runs and drivers of a logistics and last-mile delivery platform.',
    entrypoint: API_PREFIX,
    supportedClass: [
      ...[...classes.values()].map((shown) => classDocument(shown, rows, classes)),
      ...requestClasses(rows, classes),
      entrypointClass(links, rows),
    ],
  };
}

function classDocument(
  { name, properties }: VocabularyClass,
  rows: readonly RouteDefinition[],
  classes: ReadonlyMap<string, VocabularyClass>,
): JsonSchema {
  const items = rows.filter((row) => isItemPath(row.path) && itemType(row, rows) === name);
  const creates = rows.filter((row) => row.method === 'POST' && collectionType(row, rows) === name);
  const writers = [...items, ...creates].flatMap(({ bodyJson }) => (bodyJson === null ? [] : [bodyJson]));
  const writeable = new Map(writers.flatMap((body) => Object.entries(propertiesOf(body))));
  const required = creates.flatMap(({ bodyJson }) => (bodyJson === null ? [] : requiredNames(bodyJson)));
  const names = [...new Set([...Object.keys(properties), ...writeable.keys()])];
  return {
    '@id': documentedClass(name),
    '@type': 'Class',
    title: name,
    ...(name === 'ConstraintViolation' ? { subClassOf: 'hydra:Error' } : {}),
    supportedProperty: names.map((property) => ({
      '@type': 'SupportedProperty',
      property: propertyDocument(
        name,
        property,
        properties[property] ?? writeable.get(property) ?? {},
        classes,
        linkedRows(name, property, rows),
      ),
      title: property,
      required: required.includes(property),
      readable: property in properties,
      writeable: writeable.has(property),
      ...describedBy(properties[property] ?? writeable.get(property)),
    })),
    supportedOperation: items.map((row) => operation(row, name)),
  };
}

/** Hydra's own class of errors is described here too: our problem documents say more than it does. */
function documentedClass(name: string): string {
  return name === 'Error' ? classIri(name) : `#${name}`;
}

function propertyDocument(
  owner: string,
  name: string,
  schema: JsonSchema,
  classes: ReadonlyMap<string, VocabularyClass>,
  linked: readonly RouteDefinition[] = [],
): JsonSchema {
  const held = heldBy(schema);
  const range = rangeOf(name, held, classes);
  const isLink = held['format'] === 'iri-reference';
  return {
    '@id': propertyIri(owner, name),
    '@type': isLink ? 'Link' : 'rdf:Property',
    label: name,
    domain: documentedClass(owner),
    ...(range === undefined ? {} : { range }),
    ...(isLink && linked.length > 0
      ? { supportedOperation: linked.map((row) => linkedOperation(row, owner)) }
      : {}),
  };
}

/** The operations at the address that a record's link leads to: `approve` of a shipment to `/shipments/{id}/approve`. */
function linkedRows(
  owner: string,
  link: string,
  rows: readonly RouteDefinition[],
): readonly RouteDefinition[] {
  return rows.filter((row) => {
    const parent = row.path.slice(0, row.path.lastIndexOf('/'));
    const isBelow = row.path === `${parent}/${link}` && isItemPath(parent);
    return isBelow && itemType({ ...row, path: parent }, rows) === owner;
  });
}

function linkedOperation(row: RouteDefinition, owner: string): JsonSchema {
  const { expects: _expects, ...told } = operation(row, owner);
  const request = requestTitle(row);
  return { ...told, ...(request === undefined ? {} : { expects: `#${request}` }) };
}

function requestTitle({ bodyJson }: RouteDefinition): string | undefined {
  const title = bodyJson?.['title'];
  return typeof title === 'string' ? title : undefined;
}

/** The bodies of operations behind links are classes of their own, not of a record. */
function requestClasses(
  rows: readonly RouteDefinition[],
  classes: ReadonlyMap<string, VocabularyClass>,
): readonly JsonSchema[] {
  const linked = [...classes.values()].flatMap(({ name, properties }) =>
    Object.entries(properties)
      .filter(([, schema]) => heldBy(schema)['format'] === 'iri-reference')
      .flatMap(([property]) => linkedRows(name, property, rows)),
  );
  return linked.flatMap((row) => {
    const name = requestTitle(row);
    return name === undefined || row.bodyJson === null ? [] : [requestClass(name, row.bodyJson, classes)];
  });
}

function requestClass(
  name: string,
  body: JsonSchema,
  classes: ReadonlyMap<string, VocabularyClass>,
): JsonSchema {
  const required = requiredNames(body);
  return {
    '@id': `#${name}`,
    '@type': 'Class',
    title: name,
    supportedProperty: Object.entries(propertiesOf(body)).map(([property, schema]) => ({
      '@type': 'SupportedProperty',
      property: propertyDocument(name, property, schema, classes),
      title: property,
      required: required.includes(property),
      readable: false,
      writeable: true,
      ...describedBy(schema),
    })),
    supportedOperation: [],
  };
}

const RANGES: Readonly<Record<string, string>> = {
  string: 'xsd:string',
  integer: 'xsd:integer',
  number: 'xsd:decimal',
  boolean: 'xsd:boolean',
};

function rangeOf(
  name: string,
  held: JsonSchema,
  classes: ReadonlyMap<string, VocabularyClass>,
): string | undefined {
  const embedded = typeOf(held);
  if (embedded !== undefined) return `#${embedded}`;
  if (held['format'] === 'iri-reference') {
    const named = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return classes.has(named) ? `#${named}` : undefined;
  }
  if (held['format'] === 'date-time') return 'xsd:dateTime';
  if (held['format'] === 'date') return 'xsd:date';
  return RANGES[String(held['type'])];
}

/** What can be done with collections is said at the entrypoint's links, where a client meets them. */
function entrypointClass(links: readonly EntrypointLink[], rows: readonly RouteDefinition[]): JsonSchema {
  return {
    '@id': '#Entrypoint',
    '@type': 'Class',
    title: 'Entrypoint',
    supportedProperty: links.map(({ name, type, path }) => ({
      '@type': 'SupportedProperty',
      property: {
        '@id': `#Entrypoint/${name}`,
        '@type': 'Link',
        label: `${type} collection`,
        domain: '#Entrypoint',
        'rdfs:range': [{ '@id': 'hydra:Collection' }, collectionOf(type)],
        supportedOperation: rows.filter((row) => row.path === path).map((row) => operation(row, type)),
      },
      title: name,
      required: true,
      readable: true,
      writeable: false,
    })),
    supportedOperation: [
      { '@type': 'Operation', method: 'GET', title: 'Read the entrypoint', returns: '#Entrypoint' },
    ],
  };
}

function collectionOf(type: string): JsonSchema {
  return {
    'owl:equivalentClass': {
      'owl:onProperty': { '@id': 'hydra:member' },
      'owl:allValuesFrom': { '@id': `#${type}` },
    },
  };
}

function operation(row: RouteDefinition, type: string): JsonSchema {
  const action = row.method === 'PATCH' ? undefined : ACTIONS[row.method];
  const isList = memberType(row) !== undefined;
  return {
    '@type': action === undefined ? 'Operation' : ['Operation', action],
    method: row.method,
    title: row.summary,
    ...(row.description === undefined ? {} : { description: row.description }),
    ...(row.bodyJson === null ? {} : { expects: `#${type}` }),
    returns: row.method === 'DELETE' ? 'owl:Nothing' : isList ? 'hydra:Collection' : `#${type}`,
  };
}

function isItemPath(path: string): boolean {
  return /^\/[\w-]+\/\{\w+\}$/.test(path);
}

/** The class of what an item's path names: as its collection lists it, else as its own answers say. */
function itemType(row: RouteDefinition, rows: readonly RouteDefinition[]): string | undefined {
  const path = row.path.slice(0, row.path.lastIndexOf('/'));
  const siblings = rows.filter((other) => other.path === row.path);
  return collectionTypeOf(path, rows) ?? siblings.map(answeredType).find((type) => type !== undefined);
}

function collectionType(row: RouteDefinition, rows: readonly RouteDefinition[]): string | undefined {
  return collectionTypeOf(row.path, rows);
}

function collectionTypeOf(path: string, rows: readonly RouteDefinition[]): string | undefined {
  return rows
    .filter((row) => row.method === 'GET' && row.path === path)
    .map(memberType)
    .find((type) => type !== undefined);
}

function answeredType({ answers }: RouteDefinition): string | undefined {
  const schema = answers[200]?.schema;
  return schema === undefined || propertyNames(schema).length === 0 ? undefined : typeOf(schema);
}

function describedBy(schema: JsonSchema | undefined): { description?: string } {
  const description = schema?.['description'];
  return typeof description === 'string' ? { description } : {};
}
