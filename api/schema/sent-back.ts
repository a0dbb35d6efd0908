import { isDeepStrictEqual } from 'node:util';
import { namesRecord } from '../../domain/iri.ts';
import { isJsonObject, propertiesOf, withoutNull } from './json-schema.ts';
import type { JsonSchema } from './schema.ts';

/**
 * Whether a client sent back what it was shown (decision 0027): the value as it was written, the same moment in another
 * notation, or the same record by its IRI, by its id or as a document. Keywords of JSON-LD may be left out, as clients with
 * types of their own do, and what the schema does not know is not looked at.
 */
export function isSentBack(schema: JsonSchema, sent: unknown, shown: unknown): boolean {
  if (isDeepStrictEqual(sent ?? null, shown ?? null)) return true;
  const { format, items } = withoutNull(schema);
  if (Array.isArray(shown)) {
    return (
      Array.isArray(sent) &&
      sent.length === shown.length &&
      isJsonObject(items) &&
      sent.every((entry, index) => isSentBack(items, entry, shown[index]))
    );
  }
  if (isJsonObject(shown)) {
    if (!isJsonObject(sent)) return namesSame(shown['@id'], sent);
    const expected = Object.keys(shown).filter((name) => !name.startsWith('@'));
    return (
      expected.every((name) => Object.hasOwn(sent, name)) &&
      Object.entries(sent).every(([name, part]) => isMemberSentBack(schema, name, part, shown))
    );
  }
  if (format === 'date-time') return isSameMoment(sent, shown);
  return format === 'iri-reference' && namesSame(shown, isJsonObject(sent) ? sent['@id'] : sent);
}

/** The same of one member of a document. Its `id` may be its IRI: react-admin writes the `@id` there. */
export function isMemberSentBack(
  schema: JsonSchema,
  name: string,
  sent: unknown,
  document: Readonly<Record<string, unknown>>,
): boolean {
  const known = propertiesOf(schema);
  const own = Object.hasOwn(known, name) ? known[name] : undefined;
  if (own === undefined) return Object.keys(known).length > 0;
  return isSentBack(own, sent, document[name]) || (name === 'id' && namesSame(document['@id'], sent));
}

function namesSame(iri: unknown, sent: unknown): boolean {
  return typeof iri === 'string' && typeof sent === 'string' && namesRecord(iri, sent);
}

/** To the millisecond: clients that keep moments as objects write them in a notation of their own. */
function isSameMoment(sent: unknown, shown: unknown): boolean {
  return typeof sent === 'string' && typeof shown === 'string' && Date.parse(sent) === Date.parse(shown);
}
