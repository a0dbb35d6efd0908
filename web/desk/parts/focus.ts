import type { RefObject } from 'react';
import { useEffect, useRef } from 'react';

/** The element below which every screen is; it can take the focus, and has no keys of its own. */
export const SCREEN_ID = 'screen';

/** Whether the focus is nowhere: nothing was chosen yet, or what had it is gone. The screen as a whole is nowhere too. */
export function isNowhere(element: EventTarget | null): boolean {
  return (
    element === null || element === document.body || (element instanceof Element && element.id === SCREEN_ID)
  );
}

/** Gives the focus to the screen where it is nowhere, so that Tab and what is read out go on there and not at the page's top. */
export function focusScreen(): void {
  if (!isNowhere(document.activeElement) || document.querySelector(':modal') !== null) return;
  document.getElementById(SCREEN_ID)?.focus({ preventScroll: true });
}

/** For what takes the place of the part that had the focus: it takes the focus, unless that is elsewhere. Give it `tabIndex={-1}`. */
export function useFallenFocus<Shown extends HTMLElement>(): RefObject<Shown | null> {
  const element = useRef<Shown>(null);
  useEffect(() => {
    if (isNowhere(document.activeElement)) element.current?.focus({ preventScroll: true });
  }, []);
  return element;
}
