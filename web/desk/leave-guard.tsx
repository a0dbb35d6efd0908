import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import type { AroundNavHandler } from 'wouter';
import { Button } from './parts/button.tsx';
import { Dialog } from './parts/dialog.tsx';
import styles from './leave-guard.module.css';

/** The screen with something unsaved: its address, and what asks before it is left. */
let guarded: { readonly address: string; readonly ask: (leave: () => void) => void } | undefined;

function pathOf(address: string): string {
  return new URL(address, window.location.href).pathname;
}

/** For the router: a screen with unsaved changes is left after a question alone. Filters and drawers leave no screen. */
export const askBeforeLeaving: AroundNavHandler = (navigate, to, options) => {
  const isLeaving = pathOf(to) !== window.location.pathname;
  if (guarded === undefined || !isLeaving) navigate(to, options);
  else guarded.ask(() => navigate(to, options));
};

/** While it is shown, links, Back and closing the window ask whether what was typed may be lost. */
export function LeaveGuard() {
  const { t } = useLingui();
  const [leave, setLeave] = useState<{ readonly go: () => void }>();
  useEffect(() => guardScreen((go) => setLeave({ go })), []);
  if (leave === undefined) return null;
  return (
    <Dialog
      title={t`Leave without saving?`}
      onClose={() => setLeave(undefined)}
      closeLabel={t`Stay on this screen`}
    >
      <p>
        <Trans>What you typed here is not saved.</Trans>
      </p>
      <div className={styles['choices']}>
        <Button kind="primary" onClick={() => setLeave(undefined)}>
          <Trans>Stay on this screen</Trans>
        </Button>
        <Button
          kind="danger"
          onClick={() => {
            guarded = undefined;
            leave.go();
          }}
        >
          <Trans>Leave, and lose it</Trans>
        </Button>
      </div>
    </Dialog>
  );
}

/** Sets the question until what is returned is called. */
function guardScreen(ask: (leave: () => void) => void): () => void {
  const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
  window.addEventListener('beforeunload', onUnload);
  guarded = { address: window.location.href, ask };
  return () => {
    guarded = undefined;
    window.removeEventListener('beforeunload', onUnload);
  };
}

// From the start of the page: the router listens later, and would have left the screen before a listener of the screen's own is asked.
window.addEventListener('popstate', (event) => {
  const there = window.location.href;
  if (guarded === undefined || pathOf(there) === pathOf(guarded.address)) return;
  // The browser has gone already: the screen's address is put back, and the router hears of nothing.
  event.stopImmediatePropagation();
  window.history.pushState(null, '', guarded.address);
  guarded.ask(() => window.history.pushState(null, '', there));
});

/** Lets the screen be left without a question: what was typed is saved. */
export function leaveFreely(): void {
  guarded = undefined;
}
