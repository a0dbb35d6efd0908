import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import styles from '../settings.module.css';

/** Closes a dialog; where something typed would be lost, it asks first. */
export function useClosing(
  isDirty: boolean,
  onClose: () => void,
): { readonly close: () => void; readonly question: ReactNode } {
  const [isAsking, setIsAsking] = useState(false);
  const question = isAsking && isDirty && (
    <Notice kind="warning">
      <div role="alert" className={styles['acts']}>
        <Trans>What you typed here is not saved.</Trans>
        <Button onClick={() => setIsAsking(false)}>
          <Trans>Go on typing</Trans>
        </Button>
        <Button kind="danger" onClick={onClose}>
          <Trans>Close, and lose it</Trans>
        </Button>
      </div>
    </Notice>
  );
  return { close: () => (isDirty ? setIsAsking(true) : onClose()), question };
}
