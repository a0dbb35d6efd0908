import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { collectionPath } from '../../domain/iri.ts';
import type { Schemas } from '../shared/client.ts';
import { answer, api, idOf } from '../shared/client.ts';
import { RejectedRequest } from '../shared/problem.ts';
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
/** A list may read as many single records as it has rows; what changes meanwhile is told by the stream of changes. */
const SINGLE_STALE_MS = 5 * 60_000;
/** A search begins when the typing pauses. */
const TYPING_PAUSE_MS = 250;

/** A record; null where there is none any more, so that it is not asked for again and again. Rejects as `read` does otherwise. */
async function readOrNull<Item>(read: Promise<Item>): Promise<Item | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof RejectedRequest && error.status === 404) return null;
    throw error;
  }
}

function stateOf(one: {
  readonly data: unknown;
  readonly isError: boolean;
}): 'deleted' | 'unreadable' | 'reading' {
  if (one.data === null) return 'deleted';
  return one.isError ? 'unreadable' : 'reading';
}

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
  const [awaited, setAwaited] = useState('');
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
    queryFn: () => readOrNull(read(id)),
    enabled: isEnabled && first.isSuccess && id !== '' && !listed.some((item) => item.id === id),
    staleTime: SINGLE_STALE_MS,
  });
  const items = new Map<string, Item>();
  for (const item of one.data ? [one.data, ...listed] : listed) items.set(item.id, item);
  const search = (text: string) => {
    clearTimeout(pause.current);
    setAwaited(text.trim());
    pause.current = setTimeout(() => setTyped(text.trim()), TYPING_PAUSE_MS);
  };
  const foundIds = new Set(found.isPlaceholderData ? [] : found.data?.member.map((item) => item.id));
  return {
    items: [...items.values()],
    first,
    /** From the first letter on: the pause before the request counts. */
    isSearching: hasMore && (awaited !== typed || found.isFetching),
    /** The text for which the service found a record last; undefined where it was not found by one. */
    foundBy: ({ id: itemId }: Item) => (foundIds.has(itemId) ? typed : undefined),
    /** What is known of the chosen record where it is not among the items. */
    chosenState: stateOf(one),
    /** Asks the service for those that have the words; undefined where all are there. */
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
