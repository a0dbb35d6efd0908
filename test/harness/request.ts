import { assertDocumented } from './conformity.ts';
import { listAt, textAt } from './json.ts';
import type { TestService } from './service.ts';

export { at, fieldsOf, listAt, textAt } from './json.ts';

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

function defaultType(method: string, path: string): string {
  if (path.includes('/external')) return 'application/json';
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/ld+json';
}

/** The property paths of a 422's violations, in their order. */
export function violationPaths(body: unknown): string[] {
  return listAt(body, 'violations').map((violation) => textAt(violation, 'propertyPath'));
}
