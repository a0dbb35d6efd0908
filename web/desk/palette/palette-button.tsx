import { Trans } from '@lingui/react/macro';
import { lazy, Suspense, useEffect, useState } from 'react';
import { FailedPart } from '../failed-part.tsx';
import { PartBoundary } from '../part-boundary.tsx';
import { Button } from '../parts/button.tsx';
import { HeldKeys } from '../parts/held-keys.tsx';
import type { ScreenDefinition } from '../screens.ts';
import styles from './palette-button.module.css';

const Palette = lazy(() => import('./palette.tsx'));
const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Opens the palette, as ⌘K and Ctrl+K do anywhere. Its code is loaded when it is first opened. */
export function PaletteButton({ screens }: { readonly screens: readonly ScreenDefinition[] }) {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // By the key's place too: an Arabic keyboard has another letter there.
      const isK = event.code === 'KeyK' || event.key.toLowerCase() === 'k';
      if (!isK || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      // Nothing opens over a question that must be answered first.
      setIsOpen((was) => !was && document.querySelector('dialog[data-form="dialog"]:modal') === null);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <Button onClick={() => setIsOpen(true)} aria-keyshortcuts="Control+K Meta+K">
        <Trans>Search</Trans> <kbd className={styles['key']}>{IS_APPLE ? '⌘K' : 'Ctrl K'}</kbd>
      </Button>
      {isOpen && (
        <PartBoundary resetKey="palette" fallback={<FailedPart />}>
          <Suspense fallback={<HeldKeys onCancel={() => setIsOpen(false)} />}>
            <Palette screens={screens} onClose={() => setIsOpen(false)} />
          </Suspense>
        </PartBoundary>
      )}
    </>
  );
}
