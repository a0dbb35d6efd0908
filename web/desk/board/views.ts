import type { Attention, LaneKey } from './lanes.ts';
import type { Rejection } from './rejection.ts';
import type { BoardTask, Iri } from './rows.ts';

/** How far a move is that a card shows before the service has confirmed it. */
export type Mark = 'sending' | 'unconfirmed' | 'pending' | 'unsent' | 'applied';

/** What a move makes of a task while its outcome is not known: laid over the row, never in it. */
export interface Overlay {
  readonly patch: Partial<BoardTask>;
  readonly mark: Mark;
}

/** All that a card shows. The same object until something of it changes. */
export interface Card {
  readonly task: BoardTask;
  readonly attention: Attention | undefined;
  readonly mark: Mark | undefined;
  readonly rejection: Rejection | undefined;
  readonly isSelected: boolean;
}

/** A lane in its order, as far as the text filter leaves it. The same object until one of these changes. */
export interface LaneView {
  readonly order: readonly Iri[];
  /** How many tasks it has without the text filter. */
  readonly total: number;
  /** The cash that its tasks still have to bring, `250.00`. */
  readonly cash: string;
}

/** Whose column is drawn anew when: topics of the subscriptions. */
export const TOPICS = {
  card: (task: Iri) => `card ${task}`,
  lane: (lane: LaneKey) => `lane ${lane}`,
  driver: (driver: Iri) => `driver ${driver}`,
  lanes: 'lanes',
  tasks: 'tasks',
  drivers: 'drivers',
  selection: 'selection',
  moves: 'moves',
} as const;
