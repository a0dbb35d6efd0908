import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../shared/client.ts';
import { answer, api } from '../../shared/client.ts';
import { LARGEST_PAGE, readAll } from '../read-all.ts';
import { useSession } from '../session.tsx';
import type { Area, Place, Sight } from './port.ts';

export type Zone = Schemas['ZoneMember'];

/** Every zone, for who may see them. */
export function useZones() {
  const { may } = useSession();
  return useQuery({
    queryKey: ['zones', 'all'],
    queryFn: () =>
      readAll((page) =>
        answer(api.GET('/zones', { params: { query: { page, itemsPerPage: LARGEST_PAGE } } })),
      ),
    enabled: may('zone.read'),
    staleTime: 60_000,
  });
}

/** The rings of a polygon as places; GeoJSON has the longitude first, and the first corner again at the end. */
export function ringsOf({ polygon }: Pick<Zone, 'polygon'>): readonly (readonly Place[])[] {
  return polygon.coordinates.map((ring) =>
    ring.slice(0, -1).map(([longitude = 0, latitude = 0]) => ({ latitude, longitude })),
  );
}

export function areaOf(zone: Zone): Area {
  return { id: zone.id, rings: ringsOf(zone), isQuiet: !zone.isActive };
}

/** The name of a zone in its middle. */
export function areaName(zone: Zone): readonly Sight[] {
  const [border = []] = ringsOf(zone);
  if (border.length === 0) return [];
  const middle = (of: (place: Place) => number) =>
    (Math.min(...border.map(of)) + Math.max(...border.map(of))) / 2;
  const place = {
    latitude: middle(({ latitude }) => latitude),
    longitude: middle(({ longitude }) => longitude),
  };
  return [{ id: zone.id, kind: 'text', place, sign: '', label: zone.name, isQuiet: !zone.isActive }];
}

/** The pickup points that have a place. */
export function usePointSights(): readonly Sight[] {
  const { data = [] } = useQuery({
    queryKey: ['pickup-points', 'all'],
    queryFn: () =>
      readAll((page) =>
        answer(api.GET('/pickup-points', { params: { query: { page, itemsPerPage: LARGEST_PAGE } } })),
      ),
    staleTime: 60_000,
  });
  return data.flatMap(({ id, name, address: { latitude, longitude } }): Sight[] =>
    latitude === undefined || longitude === undefined
      ? []
      : [
          {
            id,
            kind: 'pickup_point',
            place: { latitude, longitude },
            sign: '',
            label: name,
            isQuiet: false,
          },
        ],
  );
}
