const names = new Map<string, string>();

/**
 * Marks a statement for preparation: each connection parses and plans it once and keeps it under a name. For statements
 * on the hot paths that find rows by key; lists stay unmarked, as a plan that is made without their values may be a bad
 * one for a large organization. The text must be constant: the process and each connection keep every text they have seen.
 */
export function prepared(sql: string): string {
  // Sequelize trims what it sends.
  const text = sql.trim();
  if (!names.has(text)) names.set(text, `statement_${names.size + 1}`);
  return text;
}

/** The name under which connections keep a marked statement; undefined for any other. */
export function preparedName(sql: string): string | undefined {
  return names.get(sql);
}
