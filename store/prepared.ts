import { createHash } from 'node:crypto';

const MARK = '/* prepared */ ';

/**
 * Marks a statement for preparation: each connection parses and plans it once and keeps it under a name. For statements
 * on the hot paths that find rows by key; lists stay unmarked, as a plan that is made without their values may be a bad
 * one for a large organization. The text must be constant: a connection keeps every text it has seen.
 */
export function prepared(sql: string): string {
  return `${MARK}${sql}`;
}

const names = new Map<string, string>();

/** The name under which connections keep a marked statement; undefined for any other. */
export function preparedName(sql: string): string | undefined {
  if (!sql.startsWith(MARK)) return undefined;
  const name = names.get(sql) ?? createHash('sha256').update(sql).digest('base64url').slice(0, 24);
  names.set(sql, name);
  return name;
}
