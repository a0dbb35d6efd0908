/** Collects conditions with their values; values only ever travel as parameters. */
export interface Filter {
  readonly conditions: string[];
  readonly values: unknown[];
}

/** Begins a filter with conditions whose placeholders are `$1`, `$2`, … */
export function startFilter(conditions: readonly string[], values: readonly unknown[]): Filter {
  return { conditions: [...conditions], values: [...values] };
}

/** Adds a condition unless the value is null; `write` gets the value's placeholder. */
export function addCondition(filter: Filter, value: unknown, write: (placeholder: string) => string): void {
  if (value === null || value === undefined) return;
  filter.values.push(value);
  filter.conditions.push(write(`$${filter.values.length}`));
}

/** The `where` clause. */
export function whereClause({ conditions }: Filter): string {
  return conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
}

/** Escapes a text for the inside of a `like` pattern. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}
