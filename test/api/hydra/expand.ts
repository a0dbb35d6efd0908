import jsonld from 'jsonld';
import type { NodeObject } from 'jsonld';
import type { HttpAnswer } from '../../harness/request.ts';
import { send } from '../../harness/request.ts';
import type { TestService } from '../../harness/service.ts';

export const HYDRA = 'http://www.w3.org/ns/hydra/core#';

/** One node after expansion: absolute IRIs to lists of values. */
export type Node = Readonly<Record<string, unknown>>;

/**
 * Expands a real answer by the contexts that the service itself serves (JSON-LD 1.1, safe mode: a term that would be
 * dropped is an error). Nothing else is loaded: a context of another origin fails the test.
 */
export async function expand(
  service: TestService,
  answer: HttpAnswer,
  path: string,
): Promise<readonly Node[]> {
  const { publicUrl } = service.config;
  const options = {
    base: `${publicUrl}${path}`,
    safe: true,
    documentLoader: async (url: string) => {
      if (!url.startsWith(publicUrl)) throw new Error(`a document of another origin was asked for: ${url}`);
      const accept = 'application/ld+json';
      const context = await send(service, 'GET', url.slice(publicUrl.length), { headers: { accept } });
      return { documentUrl: url, document: documentOf(context) };
    },
  };
  const nodes: unknown = await jsonld.expand(documentOf(answer), options);
  return listOf(nodes).filter(isNode);
}

function documentOf({ body }: HttpAnswer): NodeObject {
  if (isDocument(body)) return body;
  throw new Error(`no JSON object: ${JSON.stringify(body)}`);
}

function isDocument(value: unknown): value is NodeObject {
  return isNode(value);
}

/** The values of a node's property. */
export function valuesOf(node: unknown, property: string): readonly unknown[] {
  return isNode(node) ? listOf(node[property]) : [];
}

/** The nodes of a node's property. */
export function nodesOf(node: unknown, property: string): readonly Node[] {
  return valuesOf(node, property).filter(isNode);
}

/** The only literal of a property, else the only `@id`. */
export function valueOf(node: unknown, property: string): unknown {
  const [first, ...others] = nodesOf(node, property);
  if (first === undefined || others.length > 0) return undefined;
  return first['@value'] ?? first['@id'];
}

/** Every property of every node, at any depth. */
export function propertiesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(propertiesIn);
  if (!isNode(value) || value['@type'] === '@json') return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...propertiesIn(inner)]);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
