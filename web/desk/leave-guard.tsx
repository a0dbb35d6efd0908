import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import type { AroundNavHandler } from 'wouter';
import { Button } from './parts/button.tsx';
import { Dialog } from './parts/dialog.tsx';
import styles from './leave-guard.module.css';

/** Asked before the screen changes: resolves to whether it may. Undefined while nothing unsaved is on the screen. */
let mayLeave: ((leave: () => void) => void) | undefined;

function pathOf(address: string): string {
  return new URL(address, window.location.href).pathname;
}

/** For the router: a screen with unsaved changes is left after a question alone. Filters and drawers leave no screen. */
export const askBeforeLeaving: AroundNavHandler = (navigate, to, options) => {
  const isLeaving = pathOf(to) !== window.location.pathname;
  if (mayLeave === undefined || !isLeaving) navigate(to, options);
  else mayLeave(() => navigate(to, options));
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
            mayLeave = undefined;
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
  const here = window.location.href;
  mayLeave = ask;
  const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
  const onBack = (event: PopStateEvent) => {
    const there = window.location.href;
    if (mayLeave === undefined || pathOf(there) === pathOf(here)) return;
    // The router must not hear of it. The browser has gone already: this screen's address is put back.
    event.stopImmediatePropagation();
    window.history.pushState(null, '', here);
    ask(() => window.history.pushState(null, '', there));
  };
  window.addEventListener('beforeunload', onUnload);
  window.addEventListener('popstate', onBack, { capture: true });
  return () => {
    mayLeave = undefined;
    window.removeEventListener('beforeunload', onUnload);
    window.removeEventListener('popstate', onBack, { capture: true });
  };
}

/** Lets the screen be left without a question: what was typed is saved. */
export function leaveFreely(): void {
  mayLeave = undefined;
}
