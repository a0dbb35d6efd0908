import { assertDocumented } from './conformity.ts';
import type { TestService } from './service.ts';

/** An answer as a client sees it; `body` is parsed where it is JSON, text otherwise. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly bytes: Buffer;
}

/** What to send beside method and path. An object body goes as the surface's JSON type unless told. */
export interface HttpRequest {
  readonly token?: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Makes a real request, and holds its answer to the OpenAPI document (conformity.ts): a test fails where the two
 * differ. `path` is below the version prefix, or from the root where it begins with /api or /health.
 */
export async function send(
  service: Pick<TestService, 'baseUrl'>,
  method: string,
  path: string,
  request: HttpRequest = {},
): Promise<HttpAnswer> {
  const { token, key, body } = request;
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;
  const contentType = request.contentType ?? defaultType(method, path);
  const isAbsolute = path.startsWith('/api/') || path.startsWith('/health');
  const answer = await fetch(`${service.baseUrl}${isAbsolute ? '' : '/api/v1'}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': contentType }),
      ...request.headers,
    },
    ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    redirect: 'manual',
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const isJson = (answer.headers.get('content-type') ?? '').includes('json');
  const parsed: unknown =
    isJson && bytes.length > 0 ? JSON.parse(bytes.toString('utf8')) : bytes.toString('utf8');
  const sentBody = isRaw || body === undefined ? {} : { sentBody: body };
  assertDocumented({
    method,
    path,
    ...sentBody,
    status: answer.status,
    headers: answer.headers,
    body: parsed,
  });
  return { status: answer.status, headers: answer.headers, body: parsed, bytes };
}

/** Reads a value out of an unknown body by its path, `recipient.address.city` or `member.0.@id`; undefined where there is none. */
export function at(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null) return undefined;
    return new Map<string, unknown>(Object.entries(value)).get(name);
  }, body);
}

/** As `at`, for a text that has to be there. */
export function textAt(body: unknown, path: string): string {
  const value = at(body, path);
  if (typeof value === 'string') return value;
  throw new Error(`no text at ${path} in ${JSON.stringify(body).slice(0, 500)}`);
}

function defaultType(method: string, path: string): string {
  if (path.includes('/external')) return 'application/json';
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/ld+json';
}

/** The fields of a body that has to be an object. */
export function fieldsOf(body: unknown): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body };
  throw new Error(`no object: ${JSON.stringify(body).slice(0, 500)}`);
}

/** The entries of an array inside a body. Throws where there is none. */
export function listAt(body: unknown, path: string): readonly unknown[] {
  const value = at(body, path);
  if (Array.isArray(value)) return value;
  throw new Error(`no array at ${path} in ${JSON.stringify(body).slice(0, 500)}`);
}

/** The property paths of a 422's violations, in their order. */
export function violationPaths(body: unknown): string[] {
  return listAt(body, 'violations').map((violation) => textAt(violation, 'propertyPath'));
}
