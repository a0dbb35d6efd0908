import { useEffectEvent, useLayoutEffect } from 'react';

let heldText = '';

/**
 * Stands in for a dialog whose code is being loaded: what is typed meanwhile is kept for its first field, and reaches nothing else on
 * the page. Escape and ⏎ do nothing before there is something to see.
 */
export function HeldKeys(): null {
  useLayoutEffect(() => {
    const hold = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (key === 'Backspace') heldText = heldText.slice(0, -1);
      else if (key.length === 1 && !ctrlKey && !metaKey && !altKey) heldText += key;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', hold, true);
    return () => {
      window.removeEventListener('keydown', hold, true);
      // After the dialog that comes in its place has taken it.
      setTimeout(() => (heldText = ''));
    };
  }, []);
  return null;
}

/** Gives a dialog what was typed before it was there, for its first field. React may draw it some time before it is shown. */
export function useHeldText(take: (text: string) => void): void {
  const takeHeld = useEffectEvent(() => {
    if (heldText !== '') take(heldText);
  });
  useLayoutEffect(() => takeHeld(), []);
}
