import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import styles from '../settings.module.css';

interface Props {
  /** What is lost, and what stays. */
  readonly meaning: string;
  readonly remove: () => Promise<void>;
  readonly onGone: () => void;
}

/** Deletes after a second button that says what it means. */
export function Removal({ meaning, remove, onGone }: Props) {
  const [isAsking, setIsAsking] = useState(false);
  const action = useAction(remove);
  if (!isAsking) {
    return (
      <div>
        <Button kind="danger" onClick={() => setIsAsking(true)}>
          <Trans>Delete…</Trans>
        </Button>
      </div>
    );
  }
  return (
    <div role="alert" className={styles['content']}>
      <p>{meaning}</p>
      {action.error !== undefined && <ErrorNotice error={action.error} />}
      <div className={styles['acts']}>
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
    </div>
  );
}
