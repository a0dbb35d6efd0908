import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import styles from './second-factor.module.css';

interface Props {
  readonly codes: readonly string[];
  readonly onKept: () => void;
  readonly isPending?: boolean;
}

/** The recovery codes, this once: until the person says that they are kept. */
export function RecoveryCodes({ codes, onKept, isPending = false }: Props) {
  const { t } = useLingui();
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    // Without the right to copy, the person selects the text.
    await navigator.clipboard.writeText(codes.join('\n')).then(
      () => setIsCopied(true),
      () => undefined,
    );
  };
  return (
    <div className={styles['steps']}>
      <Notice kind="warning">
        <Trans>
          These are your recovery codes. Each signs you in once without the phone. They are shown only now:
          print them, or keep them where your passwords are.
        </Trans>
      </Notice>
      <ul className={styles['codes']} aria-label={t`Recovery codes`}>
        {codes.map((code) => (
          <li key={code}>
            <code dir="ltr">{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles['acts']}>
        <Button onClick={() => void copy()}>
          <Trans>Copy</Trans>
        </Button>
        <span role="status">{isCopied && <Trans>Copied.</Trans>}</span>
        <Button kind="primary" isPending={isPending} onClick={onKept}>
          <Trans>I have kept them</Trans>
        </Button>
      </div>
    </div>
  );
}
