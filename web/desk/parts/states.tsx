import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useSyncExternalStore } from 'react';
import { unreachableSince, watchReachability } from '../../shared/client.ts';
import { RejectedRequest } from '../../shared/problem.ts';
import { Button } from './button.tsx';
import { ErrorText, Notice } from './notice.tsx';
import styles from './states.module.css';

/** Bars of the size of what is loading; says so where the service does not answer, and that it is asked again. */
export function Skeleton({ rows }: { readonly rows: number }) {
  const isAway = useSyncExternalStore(watchReachability, unreachableSince) !== undefined;
  return (
    <div className={styles['skeleton']} role="status">
      <span className={isAway ? undefined : styles['hidden']}>
        {isAway ? <Trans>The service does not answer. Trying again…</Trans> : <Trans>Loading…</Trans>}
      </span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={styles['bar']} aria-hidden="true" />
      ))}
    </div>
  );
}

/** Where there is nothing: says what to do first. */
export function EmptyState({
  title,
  children,
}: {
  readonly title: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <div className={styles['empty']}>
      <p className={styles['title']}>{title}</p>
      {children}
    </div>
  );
}

/** What could not be read, why, and a button that tries again. What is not there, or is another's, is not there later either. */
export function ReadFailure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const isAbsent = error instanceof RejectedRequest && [403, 404].includes(error.status);
  return (
    <Notice kind="danger">
      <div role="alert" className={styles['failure']}>
        <ErrorText error={error} />
        {!isAbsent && (
          <Button onClick={onRetry}>
            <Trans>Try again</Trans>
          </Button>
        )}
      </div>
    </Notice>
  );
}
