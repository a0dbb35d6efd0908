import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/utils/set-custom-native-drag-preview';
import { getElementFromPointWithoutHoneypot } from '@atlaskit/pragmatic-drag-and-drop/get-element-from-point-without-honey-pot';
import { dropOn } from './acts.ts';
import type { BoardTools } from './board-context.ts';
import { isDriverLane } from './lanes.ts';
import type { LaneKey } from './lanes.ts';
import type { Iri } from './rows.ts';
import type { Topics } from './topics.ts';
import styles from './lane.module.css';

interface Point {
  readonly clientX: number;
  readonly clientY: number;
}

/** Where a drop would be: the lane, and the card before which it would be; `end` is below the last card. */
export interface Drop {
  readonly lane: LaneKey;
  readonly before: Iri | 'end' | undefined;
}

/** What is dragged now, and over which place. Lanes listen to `drop <lane>`. */
export class DragState {
  drop: Drop | undefined;
  private readonly topics: Topics;

  constructor(topics: Topics) {
    this.topics = topics;
  }

  /** The drop over a lane; the same object until it is another. */
  of(lane: LaneKey): Drop | undefined {
    return this.drop?.lane === lane ? this.drop : undefined;
  }

  over(drop: Drop | undefined): void {
    const before = this.drop;
    if (before?.lane === drop?.lane && before?.before === drop?.before) return;
    this.drop = drop;
    for (const lane of [before?.lane, drop?.lane]) if (lane !== undefined) this.topics.touch(`drop ${lane}`);
  }
}

/** Lets cards be dragged on the board: one registration for all of them, however many there are. Returns what ends it. */
export function registerDrag(
  board: HTMLElement,
  tools: BoardTools,
  state: DragState,
  labelOf: (tasks: readonly Iri[]) => string,
): () => void {
  let dragged: readonly Iri[] = [];
  return combine(
    draggable({
      element: board,
      canDrag: ({ input }) => cardAt(input) !== undefined,
      onGenerateDragPreview: ({ location, nativeSetDragImage }) => {
        dragged = draggedFrom(tools, location.current.input);
        setCustomNativeDragPreview({
          nativeSetDragImage,
          render: ({ container }) => {
            const label = document.createElement('div');
            label.className = styles['dragged'] ?? '';
            label.textContent = labelOf(dragged);
            container.append(label);
          },
        });
      },
    }),
    dropTargetForElements({
      element: board,
      canDrop: ({ source, input }) => source.element === board && dropAt(tools, input) !== undefined,
      getDropEffect: () => 'move',
    }),
    monitorForElements({
      canMonitor: ({ source }) => source.element === board,
      onDrag: ({ location }) => state.over(dropAt(tools, location.current.input)),
      onDrop: ({ location }) => {
        state.over(undefined);
        const { input, dropTargets } = location.current;
        const drop = dropTargets.length === 0 ? undefined : dropAt(tools, input);
        if (drop !== undefined)
          dropOn(tools, dragged, drop.lane, { before: drop.before, isAlone: input.altKey });
      },
    }),
  );
}

function elementAt({ clientX, clientY }: Point): Element | null {
  return getElementFromPointWithoutHoneypot({ x: clientX, y: clientY });
}

function cardAt(point: Point): HTMLElement | undefined {
  const card = elementAt(point)?.closest('[data-task]');
  return card instanceof HTMLElement ? card : undefined;
}

/** A selected card takes the whole selection with it. */
function draggedFrom({ store, focus }: BoardTools, point: Point): readonly Iri[] {
  const card = cardAt(point);
  const task = card?.dataset['task'];
  const lane = card?.dataset['lane'];
  if (task === undefined || lane === undefined) return [];
  focus.note(lane, task);
  return store.selection().has(task) ? [...store.selection()] : [task];
}

/** The place under a point; undefined where nothing can be dropped. */
function dropAt({ store }: BoardTools, point: Point): Drop | undefined {
  const element = elementAt(point);
  const place = element?.closest('[data-drop]');
  const lane = place instanceof HTMLElement ? place.dataset['drop'] : undefined;
  if (lane === undefined || !(lane === 'unassigned' || isDriverLane(lane))) return undefined;
  const card = cardAt(point);
  const task = card?.dataset['task'];
  if (lane === 'unassigned' || card === undefined || task === undefined) return { lane, before: undefined };
  const { top, height } = card.getBoundingClientRect();
  if (point.clientY < top + height / 2) return { lane, before: task };
  const { order } = store.lane(lane);
  return { lane, before: order[order.indexOf(task) + 1] ?? 'end' };
}
