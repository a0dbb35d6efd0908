import { API_PREFIX } from '../../domain/iri.ts';
import { mapSchema } from '../schema/json-schema.ts';
import type { RouteDefinition } from '../http/route.ts';
import { rolesOf } from '../http/route-roles.ts';
import type { JsonSchema } from '../schema/schema.ts';
import { createAnswers, requestBodyOf } from './answers.ts';
import { createComponents } from './components.ts';
import { HEADERS } from './headers.ts';
import { HEADER_PARAMETERS, parametersOf } from './parameters.ts';
import { publicSchema, requestSchema } from './public-schema.ts';
import { TAGS } from './tags.ts';
import { describeWebhooks } from './webhook.ts';

export const API_VERSION = '1.0.0';

const DESCRIPTION = `Shipments, tasks, delivery runs and drivers of a logistics and last-mile delivery platform.

**Two surfaces.** The dashboard requires a token (\`POST /login_check\`, then \`Authorization: Bearer …\`); \`/external\` requires an organization’s API key (\`X-API-KEY\`). Neither gives access to the other, and neither belongs in a web page.

**Bodies** of the dashboard are JSON-LD with Hydra collections. \`PATCH\` accepts a JSON merge patch (RFC 7396): fields that are sent are changed, null removes a field, arrays are replaced as a whole. You can send back the document that you read; a changed read-only value is rejected with 422. Unknown fields are ignored on the dashboard and rejected on \`/external\`. An optional text that is empty counts as not given, and in a \`PATCH\` clears the field, like null. \`application/json\` and \`application/ld+json\` are accepted alike, as the type of a body and in \`Accept\`.

**Errors** are problem details (RFC 9457). An unknown or invalid query parameter is 400; an invalid body is 422 with every violation in one response. Texts are Unicode without NUL and without unpaired surrogates. A method that a path does not support is 405 with \`Allow\`.

**Conditions.** Reads of a record answer with an \`ETag\`; \`If-None-Match\` with it gets 304 while the answer would be the same. \`PATCH\` and \`DELETE\` with \`If-Match\` are rejected with 412 if something that can be edited has changed since; a task that moved does not count. A write with \`If-None-Match\` is rejected with 412 if that names the current state, or is \`*\`.

**Amounts** are strings with two decimals in the organization’s currency, weights are in kilograms, dates and times are ISO 8601 with an offset, in responses in UTC.

**Compatibility.** v1 changes only by additions: ignore fields that you do not know.`;

/** An OpenAPI 3.1 document and what a test wants to know of its making. */
export interface OpenApi {
  readonly document: JsonSchema;
  /** Titles that two different shapes share. */
  readonly conflicts: readonly string[];
}

/**
 * Makes the OpenAPI 3.1 document of the rows that the router runs, so that the two cannot differ (contract
 * «Versioning»). `published` is how responses are described: open for clients, for a test exactly as their routes define them.
 */
export function createOpenApi(
  rows: readonly RouteDefinition[],
  publicUrl: string,
  published: (schema: JsonSchema) => JsonSchema = publicSchema,
): OpenApi {
  const components = createComponents();
  const answers = createAnswers((schema) => components.refer(published(schema)));
  const paths = new Map<string, JsonSchema>();
  for (const row of rows) {
    const known = paths.get(row.path) ?? {};
    paths.set(row.path, {
      ...known,
      [row.method.toLowerCase()]: operationOf(
        row,
        (schema) => components.refer(requestSchema(schema)),
        answers,
      ),
    });
  }
  const document = {
    openapi: '3.1.0',
    info: { title: 'Shipment Delivery Service', version: API_VERSION, description: DESCRIPTION },
    jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base',
    servers: [{ url: `${publicUrl}${API_PREFIX}` }],
    tags: tagsOf(rows),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: components.schemas(),
      parameters: HEADER_PARAMETERS,
      headers: HEADERS,
      responses: answers.shared(),
    },
  };
  return { document, conflicts: components.conflicts() };
}

function tagsOf(rows: readonly RouteDefinition[]): readonly JsonSchema[] {
  const used = new Set(rows.map(({ tag }) => tag));
  const described = Object.entries(TAGS).filter(([name]) => used.has(name));
  const undescribed = [...used].filter((name) => TAGS[name] === undefined);
  return [
    ...described.map(([name, description]) => ({ name, description })),
    ...undescribed.map((name) => ({ name })),
  ];
}

const SECURITY_SCHEMES: JsonSchema = {
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The `token` of `POST /login_check`, valid for 4 hours; `POST /token/refresh` returns a new one.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-KEY',
    description: 'The organization’s API key, for `/external` only.',
  },
};

function operationOf(
  row: RouteDefinition,
  refer: (schema: JsonSchema) => JsonSchema,
  answers: ReturnType<typeof createAnswers>,
): JsonSchema {
  const description = [row.description, ...bodyRules(row), rolesOf(row)]
    .filter((part) => part !== undefined)
    .join('\n\n');
  const parameters = parametersOf(row, refer);
  const requestBody = requestBodyOf(row, refer);
  return {
    operationId: row.operation,
    tags: [row.tag],
    summary: row.summary,
    ...(description === '' ? {} : { description }),
    security: securityOf(row),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    ...callbacksOf(row, refer),
    responses: answers.of(row),
  };
}

/**
 * The webhooks (contract «Events»), as callbacks of the operation that sets their address: several generators fail over
 * `webhooks` (decision 0021).
 */
function callbacksOf(
  { operation }: RouteDefinition,
  refer: (schema: JsonSchema) => JsonSchema,
): { readonly callbacks?: JsonSchema } {
  if (operation !== 'organizations.edit') return {};
  const callbacks = Object.entries(describeWebhooks(refer)).map(([event, item]) => {
    return [event, { '{$request.body#/webhookUrl}': item }] as const;
  });
  return { callbacks: Object.fromEntries(callbacks) };
}

/** What a body has to keep that its schema cannot say: the rules of its objects, and that what it names exists. */
function bodyRules({ bodyJson, method }: RouteDefinition): readonly string[] {
  if (bodyJson === null) return [];
  const parts: JsonSchema[] = [];
  mapSchema(bodyJson, (part) => {
    parts.push(part);
    return part;
  });
  const objects = parts.filter(({ type }) => type === 'object');
  const rules = new Set(
    objects.flatMap(({ description }) => (typeof description === 'string' ? [description] : [])),
  );
  const namesRecords = parts.some(({ format }) => format === 'iri-reference');
  return [
    ...(method === 'PATCH' ? [PATCH_RULE] : []),
    ...(rules.size === 0 ? [] : [`Rules of the body (422): ${[...rules].join(' ')}`]),
    ...(namesRecords ? ['Records that the body refers to must exist in the organization (422).'] : []),
  ];
}

/** A patch's schema requires nothing; what it comes to is held to the whole. */
const PATCH_RULE =
  'The patched record must be valid as a whole (422): required fields stay required, also in an object that the patch creates, and a changed read-only value is rejected.';

function securityOf({ surface }: RouteDefinition): readonly JsonSchema[] {
  switch (surface) {
    case 'dashboard':
      return [{ token: [] }];
    case 'external':
      return [{ apiKey: [] }];
    case 'public':
      return [];
  }
}
