import { API_PREFIX } from '../../domain/iri.ts';
import { isJsonObject, propertiesOf, requiredNames, withoutNull } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/schema.ts';
import { SAMPLE_ID, SAMPLES } from './samples.ts';

/** An answer's example shows every field; a request's leaves out what names other records, so that it can be sent. */
export type ExampleKind = 'request' | 'answer';

/** Makes an example of a schema, out of its own examples, constants and enumerations, else out of the samples. */
export function exampleOf(given: JsonSchema, kind: ExampleKind, name = ''): unknown {
  const schema = withoutNull(given);
  const { const: constant, anyOf, oneOf, ...rest } = schema;
  const sample = SAMPLES[name];
  const [own] = listOf(schema['examples']);
  if (own !== undefined) return isFit(schema, sample) ? sample : own;
  if (constant !== undefined) return constant;
  const choice = [...listOf(anyOf), ...listOf(oneOf)].find(isJsonObject);
  if (choice !== undefined) return exampleOf({ ...choice, ...rest }, kind, name);
  const words = listOf(schema['enum']);
  if (words.length > 0) return words.includes(sample) ? sample : words[0];
  const { items, default: fallback } = schema;
  switch (schema['type']) {
    case 'object':
      return isJsonObject(sample) ? sample : exampleObject(schema, kind);
    case 'array':
      return isJsonObject(items) ? [exampleOf(items, kind, name.replace(/s$/, ''))] : [];
    case 'integer':
    case 'number':
      return typeof sample === 'number' ? sample : (fallback ?? schema['minimum'] ?? 1);
    case 'boolean':
      return fallback ?? true;
    case 'string': {
      const format = FORMATS[String(schema['format'])];
      const texts = [sample, format, fallback, 'sample', '12.50', SAMPLES['trackingNumber']];
      return texts.find((text) => isFit(schema, text)) ?? '';
    }
    default:
      return sample ?? {};
  }
}

function exampleObject(schema: JsonSchema, kind: ExampleKind): Record<string, unknown> {
  const required = requiredNames(schema);
  const properties = propertiesOf(schema);
  const type = properties['@type']?.['const'];
  const shown = Object.entries(properties).filter(
    ([name, part]) => kind === 'answer' || required.includes(name) || isSendable(withoutNull(part)),
  );
  const maximum = schema['maxProperties'];
  const example = Object.fromEntries(
    shown.slice(0, typeof maximum === 'number' ? maximum : undefined).map(([name, part]) => {
      return [name, linkedData(name, type) ?? exampleOf(part, kind, name)];
    }),
  );
  return type === 'Collection' ? { ...example, ...frameOfCollection(example) } : example;
}

/** A collection's addresses are those of its members' kind. */
function frameOfCollection({ member, view }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const [first] = listOf(member);
  const iri = isJsonObject(first) ? String(first['@id']) : '';
  const type = isJsonObject(first) ? String(first['@type']) : '';
  const path = iri.slice(0, iri.lastIndexOf('/'));
  const pages = { '@id': 2, first: 1, last: 3, previous: 1, next: 3 };
  const links = Object.entries(pages).map(([name, page]) => [name, `${path}?page=${page}`] as const);
  return {
    '@context': `${API_PREFIX}/contexts/${type}`,
    '@id': path,
    totalItems: 68,
    ...(isJsonObject(view) ? { view: { ...view, ...Object.fromEntries(links) } } : {}),
  };
}

/** A reference or a moment that was made up would be rejected by the service. */
function isSendable({ format, items }: JsonSchema): boolean {
  const isOfRecords = isJsonObject(items) && items['format'] !== undefined;
  return !isOfRecords && !['iri-reference', 'uuid', 'date-time', 'date'].includes(String(format));
}

function linkedData(name: string, type: unknown): string | undefined {
  if (typeof type !== 'string') return undefined;
  const segment = type.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
  if (name === '@context') return `${API_PREFIX}/contexts/${type}`;
  return name === '@id' ? `${API_PREFIX}/${segment.replace(/y$/, 'ie')}s/${SAMPLE_ID}` : undefined;
}

/** Whether a text may stand where this schema is; formats have examples of their own. */
function isFit({ type, pattern, format, maxLength }: JsonSchema, text: unknown): boolean {
  if (typeof text !== 'string' || type !== 'string') return false;
  const example = typeof format === 'string' ? FORMATS[format] : undefined;
  const isOfFormat = example === undefined || format === 'uri' || example === text;
  const isOfForm = typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text);
  return isOfFormat && isOfForm && (typeof maxLength !== 'number' || text.length <= maxLength);
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: SAMPLE_ID,
  date: '2026-03-01',
  'date-time': '2026-03-01T09:30:00Z',
  'iri-reference': `${API_PREFIX}/drivers/${SAMPLE_ID}`,
  uri: 'https://shop.example.com',
  binary: 'bytes',
};

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
