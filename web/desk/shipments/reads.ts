import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { collectionPath } from '../../../domain/iri.ts';
import type { Schemas } from '../../shared/client.ts';
import { answer, answerWithTag, api } from '../../shared/client.ts';
import { LARGEST_PAGE, readAll } from '../read-all.ts';

export type Shipment = Schemas['Shipment'];
export type ShipmentLine = Schemas['ShipmentLine'];
export type Task = Schemas['TaskMember'];

/** One page of the list by its query. While another page is read, the last one stays. */
export function useShipmentPage(query: URLSearchParams) {
  const text = query.toString();
  return useQuery({
    queryKey: ['shipments', 'list', text],
    queryFn: () => answer(api.GET('/shipments', { querySerializer: () => text })),
    placeholderData: keepPreviousData,
  });
}

export function readShipment(id: string) {
  return answerWithTag(api.GET('/shipments/{id}', { params: { path: { id } } }));
}

/** A shipment with the tag that an edit of it is sent with. */
export function useShipment(id: string) {
  return useQuery({ queryKey: ['shipments', 'one', id], queryFn: () => readShipment(id) });
}

/** The tasks of a shipment in full, for who may see them. */
export function useTasksOf(id: string, isEnabled: boolean) {
  return useQuery({
    queryKey: ['shipments', 'tasks', id],
    queryFn: async () => {
      const query = { shipment: id, itemsPerPage: LARGEST_PAGE, 'order[createdAt]': 'asc' } as const;
      return (await answer(api.GET('/tasks', { params: { query } }))).member;
    },
    enabled: isEnabled,
  });
}

/** Merchants, by whom shipments are filtered and for whom they are made. */
export function useMerchants() {
  return useQuery({
    queryKey: ['merchants', 'all'],
    queryFn: () =>
      readAll((page) =>
        answer(api.GET('/merchants', { params: { query: { page, itemsPerPage: LARGEST_PAGE } } })),
      ),
    staleTime: 60_000,
  });
}

export function usePickupPoints() {
  return useQuery({
    queryKey: ['pickup-points', 'all'],
    queryFn: () =>
      readAll((page) =>
        answer(api.GET('/pickup-points', { params: { query: { page, itemsPerPage: LARGEST_PAGE } } })),
      ),
    staleTime: 60_000,
  });
}

export function useDrivers(isEnabled: boolean) {
  return useQuery({
    queryKey: ['drivers', 'all'],
    queryFn: () =>
      readAll((page) =>
        answer(api.GET('/drivers', { params: { query: { page, itemsPerPage: LARGEST_PAGE } } })),
      ),
    enabled: isEnabled,
    staleTime: 10_000,
  });
}

/** A person's name; a missing last name leaves no space. */
export function nameOf(person: { readonly firstName: string; readonly lastName?: string | null }): string {
  return [person.firstName, person.lastName ?? ''].join(' ').trim();
}

/** The name of a record in requests. */
export function iriOf(kind: 'driver' | 'merchant' | 'pickup_point', id: string): string {
  return `${collectionPath(kind)}/${id}`;
}
