import { randomBytes } from 'node:crypto';

/** An answer of the API. */
export interface VisitorAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Thrown when the deployment does not do what it must; its message says what was expected and what came. */
export class Unexpected extends Error {
  override readonly name = 'Unexpected';
}

/** Speaks to the API over HTTP, as a client outside does. */
export class Visitor {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(baseUrl: string, headers: Readonly<Record<string, string>> = {}) {
    this.#baseUrl = baseUrl;
    this.#headers = headers;
  }

  /** Sends a request and checks its status. Throws Unexpected, with the body, when it is another. */
  async send(method: string, path: string, status: number, body?: unknown): Promise<VisitorAnswer> {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const response = await fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: { ...this.#headers, ...(body === undefined ? {} : { 'Content-Type': contentType }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status !== status) {
      throw new Unexpected(
        `${method} ${path} was to answer ${status} and answered ${response.status}: ${text}`,
      );
    }
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  /** Signs a user in and resolves with a visitor who is that user. */
  async signIn(email: string, password: string): Promise<Visitor> {
    const { body } = await this.send('POST', '/login_check', 200, { email, password });
    return new Visitor(this.#baseUrl, { Authorization: `Bearer ${field(body, 'token')}` });
  }

  /** A visitor who is an organization's system. */
  withKey(apiKey: string): Visitor {
    return new Visitor(this.#baseUrl, { 'X-API-KEY': apiKey });
  }
}

/** A text of an answer, by its path of names and numbers. Throws Unexpected where there is none. */
export function field(body: unknown, ...path: readonly string[]): string {
  let value: unknown = body;
  for (const name of path) {
    value =
      typeof value === 'object' && value !== null
        ? Object.entries(value).find(([key]) => key === name)?.[1]
        : undefined;
  }
  if (typeof value === 'string') return value;
  throw new Unexpected(`${path.join('.')} is missing in ${JSON.stringify(body)}`);
}

/** A password nobody has had before. */
export function newPassword(): string {
  return randomBytes(12).toString('base64url');
}
