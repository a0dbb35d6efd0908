import { API_PREFIX } from '../../domain/iri.ts';
import { propertiesOf, requiredNames, withoutNull } from '../schema/json-schema.ts';
import type { RouteDefinition } from '../http/route.ts';
import { rolesOf } from '../http/route-roles.ts';
import type { JsonSchema } from '../schema/schema.ts';
import { described } from '../schema/schema.ts';
import { classIri, propertyIri, vocabularyAddress } from './context.ts';
import type { EntrypointLink } from './entrypoint.ts';
import { memberType } from './entrypoint.ts';
import type { VocabularyClass } from './vocabulary.ts';
import { classNameOf, heldBy, HYDRA, typeOf } from './vocabulary.ts';

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
  const types = typesByPath(rows);
  /** The operations at the address that a record's link leads to: `approve` of a shipment to `/shipments/{id}/approve`. */
  const linkedRows = (owner: string, link: string) =>
    rows.filter(
      ({ path }) => path.endsWith(`}/${link}`) && types.get(path.slice(0, -link.length - 1)) === owner,
    );
  const supported = propertyMaker(classes, linkedRows);
  const linked = [...classes.values()].flatMap(({ name, properties }) =>
    Object.entries(properties).flatMap(([property, schema]) =>
      isLink(schema) ? bodiesOf(linkedRows(name, property)) : [],
    ),
  );
  return {
    '@context': { '@vocab': vocabularyAddress(publicUrl), ...TERMS },
    '@id': `${API_PREFIX}/docs.jsonld`,
    '@type': 'ApiDocumentation',
    title: 'Shipment Delivery Service',
    description:
      'Shipments, tasks, delivery runs and drivers of a logistics and last-mile delivery platform.',
    entrypoint: API_PREFIX,
    supportedClass: [
      ...[...classes.values()].map((shown) =>
        recordClass(
          shown,
          rows.filter(({ path }) => types.get(path) === shown.name),
          supported,
        ),
      ),
      ...linked.filter(({ title }) => title !== undefined).map((body) => requestClass(body, supported)),
      entrypointClass(links, rows),
    ],
  };
}

/** A class of records, with what the rows of its paths do. */
function recordClass(
  { name, properties }: VocabularyClass,
  own: readonly RouteDefinition[],
  supported: SupportedProperty,
): JsonSchema {
  const items = own.filter(({ path }) => path.endsWith('}'));
  const creates = bodiesOf(own.filter(({ path, method }) => !path.endsWith('}') && method === 'POST'));
  const writeable = Object.fromEntries(
    [...bodiesOf(items), ...creates].flatMap((body) => Object.entries(propertiesOf(body))),
  );
  const required = creates.flatMap(requiredNames);
  return {
    '@id': documentedClass(name),
    '@type': 'Class',
    title: name,
    ...(name === 'ConstraintViolation' ? { subClassOf: 'hydra:Error' } : {}),
    supportedProperty: Object.entries({ ...writeable, ...properties }).map(([property, schema]) =>
      supported(name, property, schema, {
        // What is never shown (a password) is not asked for at each edit.
        required: required.includes(property) && property in properties,
        readable: property in properties,
        writeable: property in writeable,
      }),
    ),
    supportedOperation: items.map((row) => operation(row, name)),
  };
}

/** The class of a body of an operation behind a link, which is not a record's. */
function requestClass(body: JsonSchema, supported: SupportedProperty): JsonSchema {
  const name = String(body['title']);
  return {
    '@id': `#${name}`,
    '@type': 'Class',
    title: name,
    supportedProperty: Object.entries(propertiesOf(body)).map(([property, schema]) => {
      const isRequired = requiredNames(body).includes(property);
      return supported(name, property, schema, { required: isRequired, readable: false, writeable: true });
    }),
    supportedOperation: [],
  };
}

/** The class that a collection's path lists, and that an item's path names: as its collection, else as its own answers say. */
function typesByPath(rows: readonly RouteDefinition[]): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  const reads = rows.filter(({ method }) => method === 'GET');
  for (const row of reads) {
    const member = memberType(row);
    if (member !== undefined) types.set(row.path, member).set(`${row.path}/{id}`, member);
  }
  for (const { path, answers } of reads) {
    const answered = typeOf(answers[200]?.schema ?? {});
    if (/^\/[\w-]+\/\{\w+\}$/.test(path) && answered !== undefined && !types.has(path))
      types.set(path, answered);
  }
  return types;
}

function bodiesOf(rows: readonly RouteDefinition[]): readonly JsonSchema[] {
  return rows.flatMap(({ bodyJson }) => (bodyJson === null ? [] : [bodyJson]));
}

/** Hydra's own class of errors is described here too: our problem documents say more than it does. */
function documentedClass(name: string): string {
  return name === 'Error' ? classIri(name) : `#${name}`;
}

function isList(schema: JsonSchema): boolean {
  return withoutNull(schema)['type'] === 'array';
}

function isLink(schema: JsonSchema): boolean {
  return heldBy(schema)['format'] === 'iri-reference';
}

interface PropertyUse {
  readonly required: boolean;
  readonly readable: boolean;
  readonly writeable: boolean;
}

type SupportedProperty = ReturnType<typeof propertyMaker>;

/** Makes a property of a class, with its range and the operations behind it. */
function propertyMaker(
  classes: ReadonlyMap<string, VocabularyClass>,
  linkedRows: (owner: string, link: string) => readonly RouteDefinition[],
) {
  return (owner: string, name: string, schema: JsonSchema, use: PropertyUse): JsonSchema => {
    const range = rangeOf(name, schema, classes);
    const operations = isLink(schema) ? linkedRows(owner, name) : [];
    const { description } = schema;
    return {
      '@type': 'SupportedProperty',
      property: {
        '@id': propertyIri(owner, name),
        '@type': isLink(schema) ? 'Link' : 'rdf:Property',
        label: name,
        domain: documentedClass(owner),
        ...(range === undefined ? {} : { range }),
        // Without it a generic client takes a reference for a list of them.
        ...(isLink(schema) && !isList(schema) ? { 'owl:maxCardinality': 1 } : {}),
        ...(operations.length === 0
          ? {}
          : { supportedOperation: operations.map((row) => operation(row, owner, row.bodyJson?.['title'])) }),
      },
      title: name,
      ...use,
      ...(typeof description === 'string' ? { description } : {}),
    };
  };
}

/** References whose name is not that of their class. */
const REFERENCED: Readonly<Record<string, string>> = { previous: 'Task' };

/** What admins of this family of APIs know a list of plain values by; XML Schema has no such type. */
const LIST = 'xsd:array';

const RANGES: Readonly<Record<string, string>> = {
  string: 'xsd:string',
  integer: 'xsd:integer',
  number: 'xsd:decimal',
  boolean: 'xsd:boolean',
};

function rangeOf(
  name: string,
  schema: JsonSchema,
  classes: ReadonlyMap<string, VocabularyClass>,
): string | undefined {
  const held = heldBy(schema);
  const embedded = classNameOf(held);
  if (embedded !== undefined) return `#${embedded}`;
  if (isLink(schema)) {
    const named = REFERENCED[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return classes.has(named) ? `#${named}` : undefined;
  }
  if (isList(schema)) return LIST;
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

/** An operation on records of a type; `expects` is its body's class, which by default is the records' own. */
function operation(
  row: RouteDefinition,
  type: string,
  expects: unknown = row.bodyJson === null ? undefined : type,
): JsonSchema {
  const action = row.method === 'PATCH' ? undefined : ACTIONS[row.method];
  const isList = memberType(row) !== undefined;
  return {
    '@type': action === undefined ? 'Operation' : ['Operation', action],
    method: row.method,
    title: row.summary,
    ...described(row.description, rolesOf(row)),
    ...(typeof expects === 'string' ? { expects: `#${expects}` } : {}),
    returns: row.method === 'DELETE' ? 'owl:Nothing' : isList ? 'hydra:Collection' : `#${type}`,
  };
}
