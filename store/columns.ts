/**
 * The select list of these columns, separated by commas, under the names that rows have in the code:
 * `columns('s', 'id, tracking_number')` is `s.id as "id", s.tracking_number as "trackingNumber"`.
 */
export function columns(table: string, names: string): string {
  return names
    .split(',')
    .map((name) => name.trim())
    .map((name) => `${table}.${name} as "${name.replace(/_./g, (match) => match.slice(1).toUpperCase())}"`)
    .join(', ');
}

/** A row's values under the names of its columns, for `jsonb_populate_record`. */
export function byColumn(row: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(row).map(([field, value]: [string, unknown]) => [columnOf(field), value]),
  );
}

/** An import asks for the same few names thousands of times. */
const columnNames = new Map<string, string>();

function columnOf(field: string): string {
  const known = columnNames.get(field);
  if (known !== undefined) return known;
  const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  columnNames.set(field, name);
  return name;
}
