import { COLUMNS } from './columns.ts';

/** Headers that the export and the failed rows add. Import leaves them alone, without a warning. */
export const IGNORED_HEADERS = [
  'errors',
  'tracking_number',
  'status',
  'created_at',
  'delivery_deadline',
  'delivery_fee',
  'total_cod_to_collect',
  'currency',
  'merchant',
  'driver',
] as const;

/**
 * The form in which headers are compared: accents, case, spaces, dashes, stars and what stands in
 * parentheses do not count. `Téléphone *` and `TELEPHONE` are one header.
 */
export function headerKey(header: string): string {
  return header
    .replace(/\([^()]*\)/gu, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Finds columns by any of their headers. Built once per import, as it needs no more than the table. */
export function columnFinder(): (header: string) => (typeof COLUMNS)[number] | undefined {
  const columns = new Map<string, (typeof COLUMNS)[number]>();
  for (const column of COLUMNS) {
    for (const header of [column.header, ...column.aliases]) columns.set(headerKey(header), column);
  }
  return (header) => columns.get(headerKey(header));
}
