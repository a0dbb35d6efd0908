import { useLingui } from '@lingui/react/macro';
import type { KeyboardEvent, MouseEvent } from 'react';
import { useEffect, useEffectEvent } from 'react';
import { useAddressParameter } from '../address.ts';
import { isNowhere } from '../parts/focus.ts';
import { idOf } from '../../shared/client.ts';
import { focusBoard, moveInRun } from './acts.ts';
import type { BoardTools } from './board-context.ts';
import { useBoardTools } from './board-context.ts';
import type { LaneKey } from './lanes.ts';
import type { Iri } from './rows.ts';
import { useBoardActions } from './use-actions.ts';

interface Place {
  readonly lane: LaneKey;
  readonly task: Iri;
}

/** What the keys do while a card has the focus. Fields and buttons inside of the board keep their own keys. */
export function useCardKeys(): (event: KeyboardEvent) => void {
  const tools = useBoardTools();
  const actions = useBoardActions();
  const { i18n } = useLingui();
  const [, openShipment] = useAddressParameter('shipment');
  return (event) => {
    const place = placeOf(event.target);
    if (place === undefined || event.nativeEvent.isComposing) return;
    const isRtl = i18n.locale === 'ar';
    const isDone =
      moveFocus(tools, place, event, isRtl) ||
      changeSelection(tools, place, event) ||
      actions.byKey(event.nativeEvent, 'card') ||
      openOn(event, () => openShipment(idOf(tools.store.task(place.task)?.shipment ?? '')));
    if (isDone) event.preventDefault();
  };
}

/**
 * Keys of the board where no card has the focus: on the map, on a button that was clicked, or nowhere, since what had it is gone.
 * Letters act only on a card: pressed elsewhere, nobody would see which one they move. Fields keep their own keys, and what a card
 * has taken is done.
 */
export function usePageKeys(): void {
  const tools = useBoardTools();
  const actions = useBoardActions();
  const onKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector(':modal') !== null) return;
    const { target, key } = event;
    const isOnBoard =
      target instanceof Element && target.matches('[data-board] :not(input, select, textarea)');
    if (!isNowhere(target) && !isOnBoard) return;
    if (key === 'Escape' && tools.store.selection().size > 0) tools.store.select([]);
    else if (isNowhere(target) && FOCUSING_KEYS.has(key)) focusBoard(tools);
    else if (!actions.byKey(event, 'page')) return;
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

const FOCUSING_KEYS: ReadonlySet<string> = new Set([
  ...['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'],
  ...['Home', 'End', 'PageUp', 'PageDown', ' ', 'Enter'],
]);

/** A click gives the focus; with ⌘, Ctrl or ⇧ it selects; a double click opens the shipment. */
export function useCardClicks() {
  const tools = useBoardTools();
  const [, openShipment] = useAddressParameter('shipment');
  return {
    onClick: ({ target, ctrlKey, metaKey, shiftKey }: MouseEvent) => {
      const place = clickedCard(target);
      if (place === undefined) return;
      if (ctrlKey || metaKey) toggleWithClicked(tools, place.task);
      else if (shiftKey) selectRange(tools, place.lane, tools.anchor.task ?? place.task, place.task);
      else tools.store.select([]);
      if (!shiftKey) beginRange(tools, place.task, !(ctrlKey || metaKey));
    },
    onDoubleClick: ({ target }: MouseEvent) => {
      const task = clickedCard(target)?.task;
      const shipment = task === undefined ? undefined : tools.store.task(task)?.shipment;
      if (shipment !== undefined) openShipment(idOf(shipment));
    },
  };
}

/** The card that is the target itself: a key or a click on a button inside of a card is the button's. */
function placeOf(target: EventTarget): Place | undefined {
  if (!(target instanceof HTMLElement)) return undefined;
  const { task, lane } = target.dataset;
  return task === undefined || lane === undefined ? undefined : { task, lane };
}

function clickedCard(target: EventTarget): Place | undefined {
  if (!(target instanceof Element) || target.closest('button, a') !== null) return undefined;
  const card = target.closest('[data-task]');
  return card === null ? undefined : placeOf(card);
}

type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'>;

function openOn({ key }: Pressed, open: () => void): boolean {
  if (key === 'Enter') open();
  return key === 'Enter';
}

function moveFocus(tools: BoardTools, place: Place, event: Pressed, isRtl: boolean): boolean {
  const { key, altKey, shiftKey, ctrlKey, metaKey } = event;
  if (ctrlKey || metaKey) return false;
  if (altKey) {
    if (key !== 'ArrowUp' && key !== 'ArrowDown') return false;
    moveInRun(tools, place.task, place.lane, key === 'ArrowUp' ? -1 : 1, shiftKey);
    return true;
  }
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    focusLane(tools, place, (key === 'ArrowRight') === isRtl ? -1 : 1);
    return true;
  }
  const { order } = tools.store.lane(place.lane);
  const index = order.indexOf(place.task);
  const targets: Readonly<Record<string, number>> = {
    ArrowUp: index - 1,
    ArrowDown: index + 1,
    Home: 0,
    End: order.length - 1,
    PageUp: Math.max(0, index - 8),
    PageDown: Math.min(order.length - 1, index + 8),
  };
  const target = targets[key];
  if (target === undefined) return false;
  const next = order[target];
  if (next === undefined) return true;
  if (shiftKey) selectRange(tools, place.lane, (tools.anchor.task ??= place.task), next);
  else tools.anchor.task = undefined;
  tools.focus.request(place.lane, next);
  return true;
}

/** The next lane in a direction that has a card, at the same height. */
function focusLane({ store, focus }: BoardTools, place: Place, by: -1 | 1): void {
  const lanes: readonly LaneKey[] = ['attention', 'unassigned', ...store.driverLanes(), 'done'];
  const index = store.lane(place.lane).order.indexOf(place.task);
  for (let at = lanes.indexOf(place.lane) + by; at >= 0 && at < lanes.length; at += by) {
    const lane = lanes[at] ?? 'done';
    const { order } = store.lane(lane);
    const task = order[Math.min(Math.max(index, 0), order.length - 1)];
    if (task === undefined) continue;
    // Back to the card of that lane that had the focus last.
    const last = focus.of(lane)?.task;
    focus.request(lane, last !== undefined && order.includes(last) ? last : task);
    return;
  }
}

function changeSelection(tools: BoardTools, { lane, task }: Place, event: Pressed): boolean {
  const { key, ctrlKey, metaKey } = event;
  const { store } = tools;
  if (key === ' ') {
    toggle(tools, task);
    beginRange(tools, task);
    return true;
  }
  if (key.toLowerCase() === 'a' && (ctrlKey || metaKey)) {
    store.select(store.lane(lane).order);
    return true;
  }
  if (key !== 'Escape') return false;
  if (store.card(task)?.rejection !== undefined) store.reject(task, undefined);
  else if (store.selection().size > 0) store.select([]);
  else return false;
  return true;
}

function beginRange({ anchor }: BoardTools, task: Iri, isClicked = false): void {
  anchor.task = task;
  anchor.isClicked = isClicked;
}

/** A card that was clicked counts as chosen: the first further one is selected with it. */
function toggleWithClicked(tools: BoardTools, task: Iri): void {
  const { store, anchor } = tools;
  const isFirst = store.selection().size === 0 && anchor.isClicked && anchor.task !== undefined;
  if (isFirst && anchor.task !== task && store.task(anchor.task ?? '') !== undefined)
    store.select([anchor.task ?? '', task]);
  else toggle(tools, task);
}

function toggle({ store }: BoardTools, task: Iri): void {
  const selected = new Set(store.selection());
  if (!selected.delete(task)) selected.add(task);
  store.select(selected);
}

function selectRange({ store }: BoardTools, lane: LaneKey, from: Iri, to: Iri): void {
  const { order } = store.lane(lane);
  const [first = 0, last = 0] = [order.indexOf(from), order.indexOf(to)].sort((one, other) => one - other);
  store.select(first < 0 ? [to] : order.slice(first, last + 1));
}
