import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useState, useSyncExternalStore } from 'react';
import { useAddressParameter } from '../address.ts';
import type { BoardMapProps, MapSource, MapTask } from '../board/map-slot.ts';
import { Button } from '../parts/button.tsx';
import type { PanelSubject } from './board-panel.tsx';
import type { ShownLayers } from './legend.tsx';
import { Legend } from './legend.tsx';
import { MapButton, MapFrame } from './map-frame.tsx';
import type { Hit, MapPort } from './port.ts';
import { isInside } from './port.ts';
import { MapTip } from './map-tip.tsx';
import { useBoardLayers } from './use-board-layers.ts';
import { useMap } from './use-map.ts';
import styles from './map.module.css';

/** What a click on the map opens; its code is loaded with the first one. */
const BoardPanel = lazy(() => import('./board-panel.tsx').then((part) => ({ default: part.BoardPanel })));

/** The map beside the lanes: its selection is theirs. */
export default function BoardMap({ source }: BoardMapProps) {
  const { t } = useLingui();
  const tasks = useSyncExternalStore(source.subscribe, source.tasks);
  const drivers = useSyncExternalStore(source.subscribe, source.drivers);
  const selection = useSyncExternalStore(source.subscribe, source.selection);
  const [layers, setLayers] = useState<ShownLayers>({ zones: true, points: true, drivers: true });
  const { map, place, over, subject, setSubject, isBox, changeBox } = usePointing(source);
  const [, setPlaceOf] = useAddressParameter('place');
  const { showAll } = useBoardLayers(map, { tasks, drivers, selection, layers });
  return (
    <MapFrame
      map={map}
      place={place}
      label={t`Map of the day`}
      buttons={
        <>
          <MapButton label={t`Show everything`} onClick={showAll}>
            ⤢
          </MapButton>
          <MapButton
            label={t`Select with a box (or drag with Shift)`}
            isPressed={isBox}
            onClick={() => changeBox(!isBox)}
          >
            ⬚
          </MapButton>
        </>
      }
    >
      {over && <MapTip over={over} tasks={tasks} drivers={drivers} />}
      {subject && (
        <Suspense fallback={null}>
          <BoardPanel
            subject={subject}
            source={source}
            onShow={(at) => map?.center(at)}
            onSetPlace={setPlaceOf}
            onClose={() => setSubject(undefined)}
          />
        </Suspense>
      )}
      <div className={styles['bar']}>
        <ListButtons map={map} tasks={tasks} source={source} onList={setSubject} />
        <Legend layers={layers} onChange={setLayers} />
      </div>
    </MapFrame>
  );
}

/** What the mouse does on the board's map. */
function usePointing(source: MapSource) {
  const [isBox, setIsBox] = useState(false);
  const [subject, setSubject] = useState<PanelSubject>();
  const [over, setOver] = useState<{ readonly hit: Hit; readonly x: number; readonly y: number }>();
  const choose = (pins: readonly string[], isAdding: boolean) => {
    source.select(pins, isAdding ? 'toggle' : 'replace');
    const [only] = pins;
    if (only !== undefined && pins.length === 1 && !isAdding) source.reveal(only);
    setSubject(pins.length > 1 ? { kind: 'here', tasks: pins } : undefined);
  };
  const [map, place] = useMap({
    onClick: ({ hit: { pins, sight }, isAdding }) => {
      if (pins.length > 0) choose(pins, isAdding);
      else if (sight !== undefined) setSubject({ kind: 'driver', driver: sight });
      else if (!isAdding) setSubject(undefined);
    },
    onHover: (hit, x, y) => setOver(hit && { hit, x, y }),
    onBox: (pins, isAdding) => {
      source.select(pins, isAdding ? 'add' : 'replace');
      changeBox(false);
    },
    onView: () => setOver(undefined),
  });
  const changeBox = (isOn: boolean) => {
    setIsBox(isOn);
    map?.setBoxMode(isOn);
  };
  return { map, place, over, subject, setSubject, isBox, changeBox };
}

interface ListProps {
  readonly map: MapPort | undefined;
  readonly tasks: readonly MapTask[];
  readonly source: MapSource;
  readonly onList: (subject: PanelSubject) => void;
}

/** What a box and the pointer do, for the keyboard: the arrow keys move the map, and its tasks are chosen from a list. */
function ListButtons({ map, tasks, source, onList }: ListProps) {
  const inView = () => {
    const bounds = map?.bounds();
    if (bounds === undefined) return [];
    return tasks
      .filter(
        ({ latitude, longitude }) =>
          latitude !== undefined && longitude !== undefined && isInside({ latitude, longitude }, bounds),
      )
      .map((task) => task['@id']);
  };
  const unplaced = tasks.filter(
    ({ latitude, longitude, pin }) => (latitude ?? longitude) === undefined && pin !== 'done',
  ).length;
  return (
    <>
      <Button kind="quiet" onClick={() => onList({ kind: 'list', tasks: inView() })}>
        <Trans>List in view</Trans>
      </Button>
      <Button kind="quiet" onClick={() => source.select(inView())}>
        <Trans>Select in view</Trans>
      </Button>
      {unplaced > 0 && (
        <Button kind="quiet" onClick={() => onList({ kind: 'unplaced' })}>
          <Trans>Not on the map: {unplaced}</Trans>
        </Button>
      )}
    </>
  );
}
