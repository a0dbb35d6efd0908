import type { ComponentType } from 'react';
import { lazy } from 'react';
import type { BoardDriver, BoardTask, Iri } from './rows.ts';

/** How a task looks on the map: the same states as its card has. */
export type PinState = 'unassigned' | 'assigned' | 'moving' | 'done' | 'failed' | 'late';

/** A task that the lanes show now, as far as filters leave it, with what a pending move makes of it. */
export interface MapTask extends BoardTask {
  readonly pin: PinState;
  /** Whether a move of it is shown that the service has not confirmed yet. */
  readonly isPending: boolean;
}

/**
 * What the board gives to its map. Each reading is the same object until something in it changes, so that
 * `useSyncExternalStore(source.subscribe, source.tasks)` draws only then. Changes are told at most once a frame.
 */
export interface MapSource {
  readonly subscribe: (notify: () => void) => () => void;
  readonly tasks: () => readonly MapTask[];
  readonly drivers: () => readonly BoardDriver[];
  /** IRIs of the selected tasks: the same selection as in the lanes. */
  readonly selection: () => ReadonlySet<Iri>;
  /** Selects these tasks alone, or in addition, or turns the selection of each around. */
  readonly select: (tasks: readonly Iri[], how?: 'replace' | 'add' | 'toggle') => void;
  /** Scrolls the lanes to a task and puts the focus on its card. */
  readonly reveal: (task: Iri) => void;
}

export interface BoardMapProps {
  readonly source: MapSource;
}

/** The map beside the lanes; its code is loaded when it is first shown. */
export const BoardMap: ComponentType<BoardMapProps> = lazy(() => import('../map/board-map.tsx'));
