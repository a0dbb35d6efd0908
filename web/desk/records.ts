import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { collectionPath } from '../../domain/iri.ts';
import type { Schemas } from '../shared/client.ts';
import { answer, api, idOf } from '../shared/client.ts';
import { LARGEST_PAGE } from './read-all.ts';

/** What a list of records is asked for. */
interface Asked {
  readonly itemsPerPage: number;
  readonly search?: string;
}

/** A kind of record that others name: how it is listed, searched by name, read and called. */
export interface RecordSource<Item> {
  /** The beginning of keys of queries: the collection's name first. */
  readonly key: readonly string[];
  readonly list: (query: Asked) => Promise<{ readonly member: readonly Item[]; readonly totalItems: number }>;
  readonly read: (id: string) => Promise<Item>;
  readonly iriOf: (item: Item) => string;
  readonly labelOf: (item: Item) => string;
}

export const MERCHANTS: RecordSource<Schemas['MerchantMember']> = {
  key: ['merchants'],
  list: (query) => answer(api.GET('/merchants', { params: { query } })),
  read: (id) => answer(api.GET('/merchants/{id}', { params: { path: { id } } })),
  iriOf: ({ id }) => `${collectionPath('merchant')}/${id}`,
  labelOf: ({ name }) => name,
};

export const PICKUP_POINTS: RecordSource<Schemas['PickupPointMember']> = {
  key: ['pickup-points'],
  list: (query) => answer(api.GET('/pickup-points', { params: { query } })),
  read: (id) => answer(api.GET('/pickup-points/{id}', { params: { path: { id } } })),
  iriOf: ({ id }) => `${collectionPath('pickup_point')}/${id}`,
  labelOf: ({ name, address: { city } }) => `${name}, ${city}`,
};

export const DRIVERS: RecordSource<Schemas['DriverMember']> = {
  key: ['drivers'],
  list: (query) => answer(api.GET('/drivers', { params: { query } })),
  read: (id) => answer(api.GET('/drivers/{id}', { params: { path: { id } } })),
  iriOf: ({ id }) => `${collectionPath('driver')}/${id}`,
  labelOf: ({ firstName, lastName }) => `${firstName} ${lastName}`.trim(),
};

/** Those to whom tasks can be assigned. */
export const AVAILABLE_DRIVERS: typeof DRIVERS = {
  ...DRIVERS,
  key: ['drivers', 'available'],
  list: (query) => answer(api.GET('/drivers', { params: { query: { ...query, isAvailable: true } } })),
};

/** Those who may sign in as a driver. */
export const DRIVER_USERS: RecordSource<Schemas['UserMember']> = {
  key: ['users', 'drivers'],
  list: (query) => answer(api.GET('/users', { params: { query: { ...query, role: 'ROLE_DRIVER' } } })),
  read: (id) => answer(api.GET('/users/{id}', { params: { path: { id } } })),
  iriOf: ({ id }) => `${collectionPath('user')}/${id}`,
  labelOf: ({ email }) => email,
};

/** So long names are taken for known. */
const STALE_MS = 10_000;
/** A search begins when the typing pauses. */
const TYPING_PAUSE_MS = 250;

/**
 * The records of a choice: all where one page has them; else the newest, those that a search found, and the one that is named
 * by `chosen`, its IRI, its id or empty.
 */
export function useRecords<Item extends { readonly id: string }>(
  source: RecordSource<Item>,
  chosen: string,
  isEnabled = true,
) {
  const { key, list, read } = source;
  const [typed, setTyped] = useState('');
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const first = useQuery({
    queryKey: [...key, 'choice', 'first'],
    queryFn: () => list({ itemsPerPage: LARGEST_PAGE }),
    enabled: isEnabled,
    staleTime: STALE_MS,
  });
  const hasMore = first.data !== undefined && first.data.totalItems > first.data.member.length;
  const found = useQuery({
    queryKey: [...key, 'choice', 'found', typed],
    queryFn: () => list({ itemsPerPage: LARGEST_PAGE, search: typed }),
    enabled: hasMore && typed !== '',
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  });
  const listed = [...(first.data?.member ?? []), ...(found.data?.member ?? [])];
  const id = idOf(chosen);
  const one = useQuery({
    queryKey: [...key, 'choice', 'one', id],
    queryFn: () => read(id),
    enabled: hasMore && id !== '' && !listed.some((item) => item.id === id),
    staleTime: STALE_MS,
  });
  const items = new Map<string, Item>();
  for (const item of one.data === undefined ? listed : [...listed, one.data]) items.set(item.id, item);
  const search = (text: string) => {
    clearTimeout(pause.current);
    pause.current = setTimeout(() => setTyped(text.trim()), TYPING_PAUSE_MS);
  };
  return {
    items: [...items.values()],
    first,
    isSearching: found.isFetching,
    /** Asks the service for those whose name has the words; undefined where all are there. */
    search: hasMore ? search : undefined,
  };
}

/** The record that an IRI names; undefined until it is read, and where there is none. */
export function useRecord<Item extends { readonly id: string }>(
  source: RecordSource<Item>,
  iri: string | null | undefined,
  isEnabled = true,
): Item | undefined {
  const id = idOf(iri ?? '');
  const { items } = useRecords(source, id, isEnabled && id !== '');
  return items.find((item) => item.id === id);
}
