import { createContext, use, useCallback, useSyncExternalStore } from 'react';
import type { NoPlace } from './acts.ts';
import type { DragState } from './drag.ts';
import type { BoardFocus, LaneFocus } from './focus.ts';
import type { LaneKey } from './lanes.ts';
import type { MoveEvent } from './move.ts';
import type { Mover } from './mover.ts';
import type { BoardDriver, Iri } from './rows.ts';
import type { Card, LaneView } from './views.ts';
import type { BoardStore } from './store.ts';
import { TOPICS } from './views.ts';

/** What a dialog asks before a move: a driver, or a reason. */
export type Question =
  | { readonly kind: 'assign' | 'fail'; readonly tasks: readonly Iri[]; readonly isAlone?: boolean }
  | { readonly kind: 'keys' };

/** What is said in the strip below the board, and to readers of the screen. */
export type BoardNews =
  | MoveEvent
  | { readonly kind: 'no_place'; readonly why: NoPlace }
  | { readonly kind: 'not_printed'; readonly error: unknown };

/** What the parts of a board share. The same objects as long as the board shows the same day and filters. */
export interface BoardTools {
  readonly store: BoardStore;
  readonly mover: Mover;
  readonly focus: BoardFocus;
  readonly drag: DragState;
  /** Asks the person for what a move needs. */
  readonly ask: (question: Question) => void;
  /** Where a range of the selection begins, and whether a click without ⌘, Ctrl or ⇧ put it there. */
  readonly anchor: { task: Iri | undefined; isClicked: boolean };
  /** Tells the person of something, where `listen` hears it. */
  readonly tell: (news: BoardNews) => void;
  /** Returns what ends it. */
  readonly listen: (listener: (news: BoardNews) => void) => () => void;
  readonly currency: string;
  readonly timeZone: string;
}

export const BoardContext = createContext<BoardTools | null>(null);

/** Throws outside of a board. */
export function useBoardTools(): BoardTools {
  const tools = use(BoardContext);
  if (tools === null) throw new Error('useBoardTools outside of a board');
  return tools;
}

/** Draws anew when what `read` gives for a topic is another object. */
export function useTopic<Value>(topic: string, read: () => Value): Value {
  const { store } = useBoardTools();
  const subscribe = useCallback(
    (notify: () => void) => store.topics.subscribe(topic, notify),
    [store, topic],
  );
  return useSyncExternalStore(subscribe, read);
}

export function useCard(task: Iri): Card | undefined {
  const { store } = useBoardTools();
  return useTopic(TOPICS.card(task), () => store.card(task));
}

export function useLane(lane: LaneKey): LaneView {
  const { store } = useBoardTools();
  return useTopic(TOPICS.lane(lane), () => store.lane(lane));
}

export function useLaneFocus(lane: LaneKey): LaneFocus | undefined {
  const { focus } = useBoardTools();
  return useTopic(`focus ${lane}`, () => focus.of(lane));
}

export function useDriver(driver: Iri): BoardDriver | undefined {
  const { store } = useBoardTools();
  return useTopic(TOPICS.driver(driver), () => store.rows.drivers.get(driver));
}
