import { useEffect, useMemo, useRef } from 'react';
import type { MapTask } from '../board/map-slot.ts';
import type { BoardDriver, Iri } from '../board/rows.ts';
import { formatAge } from '../../shared/format.ts';
import { serverNowMs } from '../../shared/server-clock.ts';
import { useNow } from '../now.ts';
import { areaName, areaOf, usePointSights, useZones } from './fleet.ts';
import type { ShownLayers } from './legend.tsx';
import { firstLetters } from './letters.ts';
import { PIN_LOOKS } from './looks.ts';
import type { MapPort, Pin, Place, Sight } from './port.ts';
import { isInside } from './port.ts';

/** Where a driver was longer ago than this is shown as old. */
const OLD_POSITION_MS = 10 * 60_000;
const AGES_EVERY_MS = 15_000;

interface Shown {
  readonly tasks: readonly MapTask[];
  readonly drivers: readonly BoardDriver[];
  readonly selection: ReadonlySet<Iri>;
  readonly layers: ShownLayers;
}

/** Keeps the map as the board is. `showAll` makes it show every pin. */
export function useBoardLayers(map: MapPort | undefined, { tasks, drivers, selection, layers }: Shown) {
  const pins = useMemo(
    () => tasks.flatMap((task) => pinOf(task, selection.has(task['@id']))),
    [tasks, selection],
  );
  useEffect(() => map?.setPins(pins), [map, pins]);
  const zones = useZones().data;
  const points = usePointSights();
  useNow(AGES_EVERY_MS);
  const names = layers.zones ? (zones ?? []).flatMap(areaName) : [];
  const sights = [
    ...names,
    ...(layers.points ? points : []),
    ...(layers.drivers ? drivers.flatMap(driverSight) : []),
  ];
  useEffect(() => map?.setSights(sights));
  useEffect(() => map?.setAreas(layers.zones ? (zones ?? []).map(areaOf) : []), [map, zones, layers.zones]);
  const showAll = () => map?.fit([...pins, ...sights].map(({ place }) => place));
  useFirstView(map, pins, sights);
  useSelectedInView(map, pins, selection);
  return { showAll };
}

/** At the beginning the map shows every pin; where there is none, drivers, zones and pickup points. */
function useFirstView(map: MapPort | undefined, pins: readonly Pin[], sights: readonly Sight[]): void {
  const shown = useRef<{ map?: MapPort; rank: number }>({ rank: 0 });
  useEffect(() => {
    if (map === undefined) return;
    if (shown.current.map !== map) shown.current = { map, rank: 0 };
    const rank = pins.length > 0 ? 2 : sights.length > 0 ? 1 : 0;
    if (rank <= shown.current.rank) return;
    shown.current.rank = rank;
    map.fit((pins.length > 0 ? pins : sights).map(({ place }) => place));
  });
}

/** What is selected in the lanes alone comes into view. */
function useSelectedInView(
  map: MapPort | undefined,
  pins: readonly Pin[],
  selection: ReadonlySet<Iri>,
): void {
  const seen = useRef(selection);
  useEffect(() => {
    if (map === undefined || seen.current === selection) return;
    seen.current = selection;
    const pin = selection.size === 1 ? pins.find(({ isSelected }) => isSelected) : undefined;
    if (pin !== undefined && !isInside(pin.place, map.bounds())) map.center(pin.place);
  }, [map, pins, selection]);
}

const placed = new WeakMap<MapTask, Place>();

/** A task's place is the same object as long as the task does not change: the map finds it once. */
function placeOf(task: MapTask): Place | undefined {
  const known = placed.get(task);
  if (known !== undefined) return known;
  const { latitude, longitude } = task;
  if (latitude === undefined || longitude === undefined) return undefined;
  const place = { latitude, longitude };
  placed.set(task, place);
  return place;
}

function pinOf(task: MapTask, isSelected: boolean): Pin[] {
  const place = placeOf(task);
  if (place === undefined) return [];
  return [
    {
      id: task['@id'],
      place,
      look: PIN_LOOKS[task.pin],
      form: task.type === 'pickup' ? 'square' : 'circle',
      isSelected,
      isPending: task.isPending,
    },
  ];
}

/** A driver with initials, and how old the position is. */
function driverSight(driver: BoardDriver): Sight[] {
  const { latitude, longitude, positionAt, firstName, lastName } = driver;
  if (latitude === undefined || longitude === undefined) return [];
  const nowMs = serverNowMs();
  const isQuiet = positionAt === undefined || nowMs - Date.parse(positionAt) > OLD_POSITION_MS;
  const initials = [firstName, lastName].map((name) => firstLetters(name.trim(), 1)).join('\u200c');
  return [
    {
      id: driver['@id'],
      kind: 'driver',
      place: { latitude, longitude },
      sign: initials,
      label: positionAt === undefined ? '' : formatAge(positionAt, nowMs),
      isQuiet,
    },
  ];
}
