import type { ReactNode } from 'react';
import { useEffect, useId, useRef } from 'react';
import { focusScreen } from './focus.ts';
import styles from './dialog.module.css';

interface Props {
  readonly title: string;
  /** Called when the person wants to leave: Escape or the close button. Without it the dialog stays until it is removed. */
  readonly onClose?: () => void;
  /** `drawer` stands at the end of the line over the whole height; `dialog` in the middle. */
  readonly form?: 'dialog' | 'drawer';
  readonly closeLabel?: string;
  readonly children: ReactNode;
}

const FIELDS = 'input:not([type="hidden"]), select, textarea';

/** A modal dialog of the browser: it holds the focus, and gives it back to where it was. */
export function Dialog({ title, onClose, form = 'dialog', closeLabel, children }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    // The browser gives the focus to the close button. What a dialog asks for comes first: the field with `data-first`, else
    // the first one of a dialog.
    const first = form === 'dialog' ? `[data-first], ${FIELDS}` : '[data-first]';
    element.current?.querySelector<HTMLElement>(first)?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      // What had the focus may go with the dialog, or give way to another dialog.
      setTimeout(focusScreen);
    };
  }, [form]);
  return (
    <dialog
      ref={element}
      className={styles[form]}
      data-form={form}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={() => {
        onClose?.();
        // A browser closes a dialog at the second request without asking: one that stays, to ask something, is opened again.
        setTimeout(() => {
          if (element.current?.open === false) element.current.showModal();
        });
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return;
        // Left to the browser, one Escape may close the dialogs below too, unasked.
        event.preventDefault();
        event.stopPropagation();
        onClose?.();
      }}
    >
      <header className={styles['header']}>
        <h2 id={titleId}>{title}</h2>
        {onClose && (
          <button
            type="button"
            className={styles['close']}
            onClick={onClose}
            aria-label={closeLabel ?? title}
          >
            <span aria-hidden="true">✕</span>
          </button>
        )}
      </header>
      <div className={styles['body']}>{children}</div>
    </dialog>
  );
}
