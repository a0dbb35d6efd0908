import { isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createDocumentation } from '../../api/openapi/documentation.ts';
import { isJsonObject } from '../../api/schema/json-schema.ts';
import type { JsonSchema } from '../../api/schema/schema.ts';
import { readMoment } from '../../api/schema/schema-moments.ts';
import { routes } from '../../api/routes.ts';

/** What is compared of an exchange. */
export interface Exchange {
  readonly method: string;
  /** With or without the version prefix and the query. */
  readonly path: string;
  /** The JSON that was sent, where it was JSON. */
  readonly sentBody?: unknown;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

const PREFIX = '/api/v1';
const ROOT = 'openapi.json';

/** The document that the service serves, but that its answers are closed: none may say more than its row tells. */
const openApiDocument = createDocumentation(routes, 'http://localhost:8080', (schema) => schema).openApi
  .document;

const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  allErrors: true,
  // The whole document is checked once, in test/api/openapi/openapi.test.ts.
  validateSchema: false,
});
addFormats.default(ajv);
// Not among the formats of ajv-formats; every address that we write is ASCII.
ajv.addFormat('iri-reference', /^[\x21-\x7e]+$/);
ajv.addFormat('binary', true);
ajv.addVocabulary(['components', 'example']);
ajv.addSchema({ $id: ROOT, components: openApiDocument['components'] }, ROOT, false, false);
const compiled = new Map<string, ValidateFunction>();

/** Each path of the document with the form of the paths that fall under it; fixed segments come before parameters. */
const templates = Object.keys(objectAt(openApiDocument, 'paths'))
  .sort((left, right) => left.split('{').length - right.split('{').length)
  .map((template) => {
    const form = template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+');
    return { template, form: new RegExp(`^${form}$`) };
  });

/**
 * Holds an answer to the OpenAPI document: its status, content type, headers and body have to be what the operation
 * says, and a body that the operation's schema forbids must have been refused. Throws an Error that names all of it.
 */
export function assertDocumented(exchange: Exchange): void {
  const path = exchange.path
    .replace(/[?#].*$/s, '')
    .replace(PREFIX, '')
    .replace('/pickup_points', '/pickup-points');
  if (path.startsWith('/health') || path.startsWith('/docs/')) return;
  const faults = faultsOf(exchange, path === '' ? '/' : path);
  if (faults.length === 0) return;
  const shown = JSON.stringify(exchange.body).slice(0, 1_500);
  throw new Error(
    `${exchange.method} ${exchange.path} answered ${exchange.status}, which /docs does not describe:\n` +
      faults.map((fault) => `  - ${fault}`).join('\n') +
      `\nAnswer: ${shown}\nMend the row's \`answers\` (routes.ts), its fields (fields.ts), or the answer.`,
  );
}

function faultsOf(exchange: Exchange, path: string): string[] {
  const template = templateOf(path);
  if (template === undefined)
    return exchange.status === 404 ? problemFaults(exchange, 404) : [`no path ${path}`];
  const operations = objectAt(openApiDocument, 'paths', template);
  const method = exchange.method === 'HEAD' ? 'get' : exchange.method.toLowerCase();
  const operation = operations[method];
  if (!isJsonObject(operation)) return methodFaults(exchange);
  const answers = objectAt(operation, 'responses');
  const answer = resolved(answers[String(exchange.status)]);
  if (answer === undefined)
    return [`status ${exchange.status} is not among ${Object.keys(answers).join(', ')}`];
  return [
    ...headerFaults(objectAt(answer, 'headers'), exchange.headers),
    ...(exchange.method === 'HEAD' ? [] : contentFaults(objectAt(answer, 'content'), exchange)),
    ...forbiddenFaults(operation, exchange),
  ];
}

/** A method that a path does not know: 405 that names those it knows, or 204 to OPTIONS. */
function methodFaults(exchange: Exchange): string[] {
  if (!exchange.headers.has('allow'))
    return ['a method that the path does not know is answered without Allow'];
  if (exchange.method === 'OPTIONS' && exchange.status === 204) return [];
  return exchange.status === 405 ? problemFaults(exchange, 405) : ['the operation is not described'];
}

function problemFaults(exchange: Exchange, status: number): string[] {
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  return exchange.status === status ? contentFaults(content, exchange) : [`status ${exchange.status}`];
}

function headerFaults(headers: JsonSchema, sent: Headers): string[] {
  return Object.entries(headers).flatMap(([name, reference]) => {
    const header = resolved(reference) ?? {};
    const value = sent.get(name);
    if (value === null) return header['required'] === true ? [`the header ${name} is missing`] : [];
    const schema = objectAt(header, 'schema');
    const isNumber = schema['type'] === 'integer' || schema['type'] === 'number';
    return schemaFaults(schema, isNumber ? Number(value) : value).map(
      (fault) => `the header ${name} ${fault}`,
    );
  });
}

function contentFaults(content: JsonSchema, exchange: Exchange): string[] {
  const type = (exchange.headers.get('content-type') ?? '').split(';')[0] ?? '';
  const isEmpty = exchange.body === '' || exchange.body === undefined;
  if (Object.keys(content).length === 0) return isEmpty ? [] : [`a body of ${type} where none is described`];
  const media = content[type];
  if (!isJsonObject(media)) return [`content type '${type}' is not among ${Object.keys(content).join(', ')}`];
  return type.includes('json') ? schemaFaults(objectAt(media, 'schema'), exchange.body) : [];
}

/** What the document forbids is refused. */
function forbiddenFaults(operation: JsonSchema, { status, sentBody }: Exchange): string[] {
  if (sentBody === undefined || status >= 400) return [];
  const [media] = Object.values(objectAt(operation, 'requestBody', 'content'));
  if (!isJsonObject(media)) return [];
  return bodyFaults(objectAt(media, 'schema'), sentBody).map(
    (fault) => `the body was taken though it ${fault}`,
  );
}

/**
 * Where and how a request's body differs from its schema. The service reads more forms of some values than the document asks
 * clients to write (decision 0024): a body has no faults that has none in the form of the document.
 */
export function bodyFaults(schema: JsonSchema, body: unknown): string[] {
  const faults = schemaFaults(schema, body);
  return faults.length === 0 || schemaFaults(schema, asDocumented(body)).length === 0 ? [] : faults;
}

/** The same body without its empty texts, and with its moments in full. */
function asDocumented(value: unknown): unknown {
  if (typeof value === 'string') return readMoment(value)?.toISOString() ?? value;
  if (Array.isArray(value)) return value.map(asDocumented);
  if (!isJsonObject(value)) return value;
  const given = Object.entries(value).filter(([, part]) => part !== '');
  return Object.fromEntries(given.map(([name, part]) => [name, asDocumented(part)]));
}

/** Where and how a value differs from a schema of the document. */
export function schemaFaults(schema: JsonSchema, value: unknown): string[] {
  const validate = validatorOf(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).slice(0, 8).map(({ instancePath, message, params }) => {
    const details = isDeepStrictEqual(params, {}) ? '' : ` (${JSON.stringify(params)})`;
    return `at ${instancePath === '' ? '/' : instancePath}: ${message ?? 'differs'}${details}`;
  });
}

function validatorOf(schema: JsonSchema): ValidateFunction {
  const key = JSON.stringify(schema);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const absolute: unknown = JSON.parse(key.replaceAll('"#/components/', `"${ROOT}#/components/`));
  const validate = ajv.compile(isJsonObject(absolute) ? absolute : {});
  compiled.set(key, validate);
  return validate;
}

/** The path of the document that a request's path falls under. */
function templateOf(path: string): string | undefined {
  return templates.find(({ form }) => form.test(path))?.template;
}

function resolved(value: unknown): JsonSchema | undefined {
  if (!isJsonObject(value)) return undefined;
  const { $ref } = value;
  if (typeof $ref !== 'string') return value;
  return resolved(objectAt(openApiDocument, ...$ref.slice(2).split('/')));
}

function objectAt(value: JsonSchema, ...path: readonly string[]): JsonSchema {
  return path.reduce<JsonSchema>((inside, name) => {
    const part = inside[name];
    return isJsonObject(part) ? part : {};
  }, value);
}
