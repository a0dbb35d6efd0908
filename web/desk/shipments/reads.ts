import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../shared/client.ts';
import { answer, answerWithTag, api } from '../../shared/client.ts';
import { LARGEST_PAGE } from '../read-all.ts';

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

/** A person's name; a missing last name leaves no space. */
export function nameOf(person: { readonly firstName: string; readonly lastName?: string | null }): string {
  return [person.firstName, person.lastName ?? ''].join(' ').trim();
}
