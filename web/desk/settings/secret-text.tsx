import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import styles from './settings.module.css';

interface Props {
  readonly text: string;
  readonly onHide: () => void;
}

/** A key or secret that was asked for, until the person hides it or leaves; it is kept nowhere. */
export function SecretText({ text, onHide }: Props) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    // Without the right to copy, the person selects the text.
    await navigator.clipboard.writeText(text).then(
      () => setIsCopied(true),
      () => undefined,
    );
  };
  return (
    <div className={styles['secret']}>
      <code>{text}</code>
      <Button onClick={() => void copy()}>
        <Trans>Copy</Trans>
      </Button>
      <Button onClick={onHide}>
        <Trans>Hide</Trans>
      </Button>
      <span role="status">{isCopied && <Trans>Copied.</Trans>}</span>
    </div>
  );
}
