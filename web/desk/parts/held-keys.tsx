import { useEffectEvent, useLayoutEffect } from 'react';

let heldText = '';

/** Keys of the browser and of assistive technology: a part that is slow to load holds nobody on the page. */
function isForOthers({ key, code, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (key === 'Tab' || /^F\d/.test(key)) return true;
  const opensPalette = !altKey && (code === 'KeyK' || key.toLowerCase() === 'k');
  return altKey || ((ctrlKey || metaKey) && !opensPalette);
}

interface Props {
  /** Gives up what is being loaded. */
  readonly onCancel?: () => void;
}

/**
 * Stands in for a dialog whose code is being loaded: what is typed meanwhile is kept for its first field, and reaches nothing else on
 * the page. Escape cancels; ⏎ does nothing before there is something to see.
 */
export function HeldKeys({ onCancel }: Props): null {
  const cancel = useEffectEvent(() => onCancel?.());
  useLayoutEffect(() => {
    const hold = (event: KeyboardEvent) => {
      if (isForOthers(event)) return;
      const { key, ctrlKey, metaKey } = event;
      if (key === 'Escape') cancel();
      else if (key === 'Backspace') heldText = heldText.slice(0, -1);
      else if (key.length === 1 && !ctrlKey && !metaKey) heldText += key;
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
