import { useLocation, useSearch } from 'wouter';
import { SHIPMENT_STATUSES } from '../../../../domain/enumerations.ts';
import { isTerminalShipment } from '../../../../domain/shipment-status.ts';
import { fromWallClock } from '../../../shared/zoned-time.ts';
import { collectionPath } from '../../../../domain/iri.ts';

/** What the list is narrowed by, as it stands in the screen's address. An absent filter is an empty text. */
export const FILTERS = [
  'status',
  'priority',
  'merchant',
  'search',
  'from',
  'until',
  'order',
  'page',
] as const;
export type Filters = Readonly<Record<(typeof FILTERS)[number], string>>;

export const ITEMS_PER_PAGE = 50;
const ORDERS = ['createdAt', 'updatedAt'] as const;
export type OrderName = (typeof ORDERS)[number];

/** `open` and `ended` stand for several statuses. */
const STATUS_GROUPS: Readonly<Record<string, readonly string[]>> = {
  open: SHIPMENT_STATUSES.filter((status) => !isTerminalShipment(status)),
  ended: SHIPMENT_STATUSES.filter(isTerminalShipment),
};

/** The filters in the address and what changes some of them; a changed filter begins at the first page. */
export function useFilters(): readonly [
  Filters,
  (changes: Partial<Filters>, options?: { readonly replace: boolean }) => void,
] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const filters = readFilters(new URLSearchParams(search));
  const change = (changes: Partial<Filters>, options = { replace: false }) => {
    const parameters = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries({ page: '', ...changes })) {
      if (value === '') parameters.delete(name);
      else parameters.set(name, value);
    }
    const query = parameters.toString();
    navigate(query === '' ? path : `${path}?${query}`, options);
  };
  return [filters, change];
}

function readFilters(parameters: URLSearchParams): Filters {
  const read = (name: keyof Filters) => parameters.get(name) ?? '';
  return {
    status: read('status'),
    priority: read('priority'),
    merchant: read('merchant'),
    search: read('search'),
    from: read('from'),
    until: read('until'),
    order: read('order'),
    page: read('page'),
  };
}

export function pageOf({ page }: Filters): number {
  return Math.max(1, Number.parseInt(page, 10) || 1);
}

/** By what the list is ordered: `-updatedAt` is the last changed first; the newest first by default. */
export function orderOf({ order }: Filters): { readonly by: OrderName; readonly direction: 'asc' | 'desc' } {
  const direction = order === '' || order.startsWith('-') ? 'desc' : 'asc';
  return { by: ORDERS.find((name) => order.endsWith(name)) ?? 'createdAt', direction };
}

/** Whether the list is narrowed at all. */
export function isNarrowed({ order: _order, page: _page, ...others }: Filters): boolean {
  return Object.values(others).some((value) => value !== '');
}

/** The filters and the order as parameters of the list and of the export. Days are those of the time zone. */
export function filterQuery(filters: Filters, timeZone: string): URLSearchParams {
  const query = new URLSearchParams();
  const statuses = STATUS_GROUPS[filters.status] ?? (filters.status === '' ? [] : [filters.status]);
  for (const status of statuses) query.append('status[]', status);
  if (filters.priority !== '') query.set('priority', filters.priority);
  if (filters.merchant !== '') query.set('merchant', `${collectionPath('merchant')}/${filters.merchant}`);
  if (filters.search.trim() !== '') query.set('search', filters.search.trim());
  const after = fromWallClock(`${filters.from}T00:00`, timeZone);
  const before = fromWallClock(`${filters.until}T23:59`, timeZone);
  if (after !== undefined) query.set('createdAt[after]', after);
  // The last minute of the day, to its end.
  if (before !== undefined) query.set('createdAt[before]', before.replace(/\d\d\.\d{3}Z$/, '59.999Z'));
  const { by, direction } = orderOf(filters);
  query.set(`order[${by}]`, direction);
  return query;
}

/** The parameters of the page that the address names. */
export function listQuery(filters: Filters, timeZone: string): URLSearchParams {
  const query = filterQuery(filters, timeZone);
  query.set('page', String(pageOf(filters)));
  query.set('itemsPerPage', String(ITEMS_PER_PAGE));
  return query;
}
