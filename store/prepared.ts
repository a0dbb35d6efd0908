import { createHash } from 'node:crypto';
import type pg from 'pg';

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

/**
 * A statement as the driver takes it: named where it is marked, so that each connection prepares it once. No parameters
 * means the simple protocol, the only one that accepts several statements in one query.
 */
export function statementOf(sql: string, bind: readonly unknown[]): pg.QueryConfig {
  const values = bind.length === 0 ? {} : { values: [...bind] };
  if (!sql.startsWith(MARK)) return { text: sql, ...values };
  const name = names.get(sql) ?? createHash('sha256').update(sql).digest('base64url').slice(0, 24);
  names.set(sql, name);
  return { name, text: sql, ...values };
}
