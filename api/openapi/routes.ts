import { stringify } from 'yaml';
import { contentEtag, CACHEABLE } from '../http/static-content.ts';
import { JSON_TYPE } from '../http/media-types.ts';
import type { RouteResponse, RouteDefinition } from '../http/route.ts';
import { publicRoute } from '../http/route.ts';
import type { JsonSchema } from '../schema/schema.ts';
import type { PageFile } from './page/files.ts';
import { PAGE_HTML, PAGE_POLICY } from './page/files.ts';

const HTML = 'text/html';
/** The second is OpenAPI's own name, the third that of API Platform and its clients. */
const JSON_TYPES = [JSON_TYPE, 'application/vnd.oai.openapi+json', 'application/vnd.openapi+json'];
/** The registered name first (RFC 9512); the last three are its older names. */
const YAML_TYPES = [
  'application/yaml',
  'application/vnd.oai.openapi',
  'application/vnd.oai.openapi+yaml',
  'application/vnd.openapi+yaml',
  'application/x-yaml',
  'text/yaml',
  'text/x-yaml',
];
/** JSON for clients that do not ask for a page: tools that load the description send no Accept, or any. */
const DOCS_TYPES = [...JSON_TYPES, HTML, ...YAML_TYPES];

const tag = 'Documentation';
const openApiJson: JsonSchema = {
  type: 'object',
  properties: { openapi: { type: 'string' }, info: { type: 'object' }, paths: { type: 'object' } },
  required: ['openapi', 'info', 'paths'],
  examples: [{ openapi: '3.1.0', info: { title: 'Shipment Delivery Service', version: '1.0.0' }, paths: {} }],
};

/** A text that is made once, with its entity tag. */
export interface CacheableText {
  readonly text: string;
  readonly etag: string;
}

/** The description in the forms in which it is asked for. */
export interface DescriptionTexts {
  readonly json: () => CacheableText;
  readonly yaml: () => CacheableText;
}

/**
 * Writes the description, each form once and when it is first asked for: YAML takes as long as all else of a start.
 * Anchors would puzzle readers of YAML, and some tools.
 */
export function descriptionTexts(document: JsonSchema): DescriptionTexts {
  return {
    json: once(() => cacheableText(JSON.stringify(document))),
    yaml: once(() => cacheableText(stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 }))),
  };
}

function once<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** A text with its entity tag. */
export function cacheableText(text: string): CacheableText {
  return { text, etag: contentEtag(text) };
}

/**
 * The rows of the OpenAPI description (contract «Collections and documentation»): `/docs` negotiates between page, JSON
 * and YAML; `docs.json` and `docs.yaml` are for tools that cannot. `texts` is asked when a request comes, since the
 * description is made of these rows too.
 */
export function docsRoutes(texts: () => DescriptionTexts): readonly RouteDefinition[] {
  const negotiated = publicRoute({
    operation: 'docs.read',
    method: 'GET',
    path: '/docs',
    tag,
    summary: 'This documentation',
    description: 'A page for browsers, or the OpenAPI 3.1 description as JSON or YAML, depending on Accept.',
    produces: DOCS_TYPES,
    answers: { 200: { description: 'The page or the description.', schema: openApiJson, headers: ['ETag'] } },
    handle: ({ contentType }) => (contentType === HTML ? page() : description(texts(), contentType)),
  });
  return [
    negotiated,
    fixed('docs.readJson', '/docs.json', JSON_TYPES, texts),
    fixed('docs.readYaml', '/docs.yaml', YAML_TYPES, texts),
  ];
}

function fixed(
  operation: string,
  path: string,
  produces: readonly string[],
  texts: () => DescriptionTexts,
): RouteDefinition {
  return publicRoute({
    operation,
    method: 'GET',
    path,
    tag,
    summary: `The OpenAPI description as ${path.endsWith('json') ? 'JSON' : 'YAML'}`,
    produces,
    answers: { 200: { description: 'The description.', schema: openApiJson, headers: ['ETag'] } },
    handle: ({ contentType }) => description(texts(), contentType),
  });
}

/** The files that the page loads; they are not part of the API and so not in its description. */
export function pageFileRoutes(files: readonly PageFile[]): readonly RouteDefinition[] {
  return files.map(({ name, contentType, bytes, etag }) =>
    publicRoute({
      operation: `docs.page.${name}`,
      method: 'GET',
      path: `/docs/${name}`,
      tag,
      summary: `A file of the documentation page: ${name}`,
      produces: [contentType.split(';')[0] ?? contentType],
      answers: { 200: { description: 'The file.', contentType, headers: ['ETag'] } },
      handle: () => ({ status: 200, body: bytes, contentType, etag, headers: CACHEABLE }),
    }),
  );
}

const PAGE_ETAG = contentEtag(PAGE_HTML);

function page(): RouteResponse {
  return {
    status: 200,
    body: PAGE_HTML,
    contentType: `${HTML}; charset=utf-8`,
    etag: PAGE_ETAG,
    headers: { ...CACHEABLE, 'content-security-policy': PAGE_POLICY },
  };
}

function description({ json, yaml }: DescriptionTexts, type: string): RouteResponse {
  const { text, etag } = type.includes('json') ? json() : yaml();
  return { status: 200, body: text, contentType: `${type}; charset=utf-8`, etag, headers: CACHEABLE };
}
