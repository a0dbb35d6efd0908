import { say } from '../../domain/messages.ts';
import type { Violation } from '../../domain/problem.ts';
import type { Document } from '../hydra/resource.ts';
import { LEAVE_OUT } from './fields.ts';
import { propertiesOf, propertyNames } from './json-schema.ts';
import type { JsonSchema, Schema } from './schema.ts';
import { anyObject } from './schema-objects.ts';
import { isMemberSentBack } from './sent-back.ts';
import type { Parsed } from './validate.ts';
import { parseWith } from './validate.ts';

/** Any object is read as a patch; what it comes to is checked after it was merged. */
export const MERGE_PATCH_BODY: Schema<Document> = anyObject();

/** RFC 7396: null removes, objects merge, everything else (arrays whole) replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const before = isObject(target) ? target : {};
  // Spread also takes a key `__proto__` for a key; a map of the entries takes four times as long for thousands of them.
  const merged: Record<string, unknown> = { ...before, ...patch };
  for (const name of Object.keys(patch)) {
    const value = patch[name];
    if (value === null) Reflect.deleteProperty(merged, name);
    else if (isObject(value)) merged[name] = mergePatch(ownValue(before, name), value);
  }
  return merged;
}

function ownValue(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** A document without its empty texts, which count as absent where they are valid (decision 0024). Lists stay as they are. */
export function withoutEmptyTexts(document: unknown): unknown {
  if (!isObject(document)) return document;
  const kept = Object.entries(document).filter(([, part]) => part !== '');
  return Object.fromEntries(kept.map(([name, part]) => [name, withoutEmptyTexts(part)]));
}

/** The fields that a client is shown and cannot set. */
interface ReadOnlyFields {
  /** How the document is shown. */
  readonly shape: JsonSchema;
  readonly names: readonly string[];
  /** What to do instead, by name; the others have a sentence of their own. */
  readonly hints: Readonly<Record<string, string>>;
}

/** A patch, the document that it is for, and what it makes of it. */
interface MergedPatch {
  readonly document: Document;
  readonly patch: Document;
  readonly merged: unknown;
}

/** What says which record a document shows: never another's, however old the document is. */
const IDENTITY: readonly string[] = ['@id', '@type', 'id'];

/**
 * Parses what a merge patch makes of a document (contract «Content types», interpretation 25): clients may send
 * back the whole document they got. A read-only value that is sent unchanged (sent-back.ts) is accepted, a changed one is a
 * violation, unless the document was read before the record changed (`isOutdated`); unknown keys are ignored.
 */
export function parsePatch<Body>(
  { document, patch, merged }: MergedPatch,
  schema: Schema<Body>,
  { shape, names, hints }: ReadOnlyFields,
): Parsed<Body> {
  const writable = new Set(propertyNames(schema.json));
  const changed = names
    .filter((name) => name in patch && !writable.has(name))
    .filter((name) => !isMemberSentBack(shape, name, patch[name], document));
  const isOwn = !changed.some((name) => IDENTITY.includes(name));
  const changedReadOnly = changed
    .filter((name) => !isOwn || !isOutdated({ patch, document }, hints[name]))
    .map((name): Violation => {
      const hint = hints[name] ?? LEAVE_OUT;
      return { propertyPath: name, ...say('read_only', { hint }), code: 'read_only' };
    });
  const parsed = parseWith(schema, merged);
  if (changedReadOnly.length === 0) return parsed;
  if (parsed.kind === 'valid') return { kind: 'invalid', violations: changedReadOnly, valid: parsed.value };
  return { ...parsed, violations: [...changedReadOnly, ...parsed.violations] };
}

/** Whether a client sends back what it read, rather than the fields that it changes. */
export function isWholeDocument(patch: Document): boolean {
  return 'updatedAt' in patch && ('@id' in patch || 'id' in patch);
}

/**
 * Whether a read-only value of a whole document may differ because it was read earlier (decision 0027). Values that move without
 * an edit of the record may do so always. One that names what to do instead may be an attempt to set it, and differs only where
 * the document's `updatedAt` is earlier than the record's.
 */
function isOutdated({ patch, document }: Pick<MergedPatch, 'patch' | 'document'>, hint = LEAVE_OUT): boolean {
  if (!isWholeDocument(patch)) return false;
  if (hint === LEAVE_OUT) return true;
  const [sent, current] = [patch['updatedAt'], document['updatedAt']];
  return typeof sent === 'string' && typeof current === 'string' && Date.parse(sent) < Date.parse(current);
}

/**
 * The patch of a schema, for OpenAPI: each field may be absent, in nested objects too, and then stays as it is. Arrays
 * are replaced whole, so their items keep every rule.
 */
export function patchJson(schema: Schema<unknown>): JsonSchema {
  return partialJson(schema.json);
}

function partialJson(json: JsonSchema): JsonSchema {
  const { anyOf, default: _default, ...rest } = json;
  if (Array.isArray(anyOf)) {
    return { ...rest, anyOf: anyOf.map((part: unknown) => (isObject(part) ? partialJson(part) : part)) };
  }
  const properties = Object.entries(propertiesOf(json));
  if (properties.length === 0) return rest;
  const { required: _required, title, ...open } = rest;
  return {
    ...open,
    ...(typeof title === 'string' ? { title: `${title.replace(/Request$/, '')}Patch` } : {}),
    properties: Object.fromEntries(properties.map(([name, part]) => [name, partialJson(part)])),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
