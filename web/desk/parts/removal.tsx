import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Button } from './button.tsx';
import { useFallenFocus } from './focus.ts';
import form from './form.module.css';
import { ErrorNotice } from './notice.tsx';
import { useAction } from './use-action.ts';

interface Props {
  /** What is lost, and what stays. */
  readonly meaning: ReactNode;
  readonly remove: () => Promise<void>;
  readonly onGone: () => void;
}

/** Deletes after a second button that says what it means. What the service rejects is said there. */
export function Removal({ meaning, remove, onGone }: Props) {
  const [isAsking, setIsAsking] = useState(false);
  const action = useAction(remove);
  if (!isAsking) {
    return (
      <Turn key="button">
        <Button kind="danger" onClick={() => setIsAsking(true)}>
          <Trans>Delete…</Trans>
        </Button>
      </Turn>
    );
  }
  return (
    <Turn key="question">
      <p role="alert">{meaning}</p>
      {action.error !== undefined && (
        <div role="alert">
          <ErrorNotice error={action.error} />
        </div>
      )}
      <div className={form['actions']}>
        <Button
          kind="danger"
          isPending={action.isPending}
          onClick={() => void action.run().then((isGone) => isGone && onGone())}
        >
          <Trans>Delete for good</Trans>
        </Button>
        <Button onClick={() => setIsAsking(false)}>
          <Trans>Keep it</Trans>
        </Button>
      </div>
    </Turn>
  );
}

/** The question takes the place of the button that had the focus, and gives it back. */
function Turn({ children }: { readonly children: ReactNode }) {
  const place = useFallenFocus<HTMLDivElement>();
  return (
    <div ref={place} tabIndex={-1} role="group" className={form['form']}>
      {children}
    </div>
  );
}
