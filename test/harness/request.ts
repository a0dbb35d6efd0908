import { Agent } from 'undici';
import { assertDocumented } from './conformity.ts';
import { exchange } from './http.ts';
import type { HttpAnswer, HttpRequest } from './http.ts';
import { listAt, textAt } from './json.ts';
import type { TestService } from './service.ts';

export type { HttpAnswer, HttpRequest } from './http.ts';
export { at, fieldsOf, listAt, textAt } from './json.ts';

const agent = new Agent();

/**
 * Makes a real request (http.ts), and holds its answer to the OpenAPI document (conformity.ts): a test fails where the two
 * differ.
 */
export async function send(
  service: Pick<TestService, 'baseUrl'>,
  method: string,
  path: string,
  request: HttpRequest = {},
): Promise<HttpAnswer> {
  const answer = await exchange(agent, service.baseUrl, method, path, request);
  const { body } = request;
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;
  assertDocumented({
    method,
    path,
    ...(isRaw || body === undefined ? {} : { sentBody: body }),
    status: answer.status,
    headers: answer.headers,
    body: answer.body,
  });
  return answer;
}

/** The property paths of a 422's violations, in their order. */
export function violationPaths(body: unknown): string[] {
  return listAt(body, 'violations').map((violation) => textAt(violation, 'propertyPath'));
}
