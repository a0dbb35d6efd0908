import { createHash } from 'node:crypto';
import pg from 'pg';

const MARK = '/* prepared */ ';

/**
 * Marks a statement for preparation: each connection parses and plans it once and keeps it under a name. For statements
 * on the hot paths that find rows by key; lists stay unmarked, as a plan that is made without their values may be a bad
 * one for a large organization. The text must be constant: a connection keeps every text it has seen.
 */
export function prepared(sql: string): string {
  return `${MARK}${sql}`;
}

/** A client that prepares marked statements; all others it runs as they are. */
class PreparingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const plainQuery: (...parts: never[]) => unknown = this.query.bind(this);
    const query = (first: unknown, ...rest: readonly unknown[]): unknown =>
      Reflect.apply(plainQuery, this, [namedWhenMarked(first), ...rest]);
    // The method has nine overloads; here they all pass through.
    Object.defineProperty(this, 'query', { value: query });
  }
}

/** The driver for Sequelize's `dialectModule`: pg, whose connections prepare marked statements. */
export const preparingDriver = { ...pg, Client: PreparingClient };

const names = new Map<string, string>();

function namedWhenMarked(first: unknown): unknown {
  if (typeof first !== 'string' || !first.startsWith(MARK)) return first;
  const name = names.get(first) ?? createHash('sha256').update(first).digest('base64url').slice(0, 24);
  names.set(first, name);
  return { name, text: first };
}
