import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import styles from './conflict.module.css';

/** A field of both versions as a person reads it; an empty text is a field without a value. */
export interface ConflictField {
  readonly label: string;
  readonly mine: string;
  readonly theirs: string;
  /** What the form began with: a field that the person has not changed stays theirs, whichever version is chosen. */
  readonly before: string;
}

interface Props {
  /** Every field that a form shows; those that are the same in both versions are left out. */
  readonly fields: readonly ConflictField[];
  readonly onTakeTheirs: () => void;
  readonly onKeepMine: () => void;
  readonly isPending: boolean;
}

/** Both versions of a record that somebody else has changed meanwhile (412), and the choice between them. It gets the focus. */
export function ConflictNotice({ fields, onTakeTheirs, onKeepMine, isPending }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.focus({ preventScroll: true });
    place.current?.scrollIntoView({ block: 'center' });
  }, []);
  const different = fields.filter(({ mine, theirs }) => mine !== theirs);
  return (
    <Notice kind="warning">
      <div ref={place} tabIndex={-1} role="alert" className={styles['conflict']}>
        <p>
          <Trans>Somebody else has changed this meanwhile. Nothing of yours was saved yet.</Trans>
        </p>
        {different.length > 0 && <Versions fields={different} />}
        <div className={styles['choices']}>
          <Button onClick={onTakeTheirs} disabled={isPending}>
            <Trans>Take theirs</Trans>
          </Button>
          <Button kind="primary" onClick={onKeepMine} isPending={isPending}>
            <Trans>Keep mine and save again</Trans>
          </Button>
        </div>
      </div>
    </Notice>
  );
}

function Versions({ fields }: { readonly fields: readonly ConflictField[] }) {
  return (
    <table className={styles['versions']}>
      <thead>
        <tr>
          <Head>
            <Trans>Field</Trans>
          </Head>
          <Head>
            <Trans>Saved now</Trans>
          </Head>
          <Head>
            <Trans>Yours</Trans>
          </Head>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ label, mine, theirs, before }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>
              <bdi>{theirs === '' ? '–' : theirs}</bdi>
            </td>
            {mine === before ? (
              <td className={styles['unchanged']}>
                <Trans>not changed by you</Trans>
              </td>
            ) : (
              <td>
                <bdi>{mine === '' ? '–' : mine}</bdi>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Head({ children }: { readonly children: ReactNode }) {
  return <th scope="col">{children}</th>;
}
