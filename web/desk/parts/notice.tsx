import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { RejectedRequest, UnansweredRequest } from '../../shared/problem.ts';
import { serviceText } from '../../shared/service-text.ts';
import styles from './notice.module.css';

interface Props {
  readonly kind: 'info' | 'warning' | 'danger' | 'success';
  readonly children: ReactNode;
}

/** A message in the place that it is about. */
export function Notice({ kind, children }: Props) {
  return <div className={`${styles['notice']} ${styles[kind]}`}>{children}</div>;
}

/** What went wrong with a request: what the service says, in the person's language where the console has a text for it. */
export function ErrorNotice({ error }: { readonly error: unknown }) {
  return (
    <Notice kind="danger">
      <ErrorText error={error} />
    </Notice>
  );
}

export function ErrorText({ error }: { readonly error: unknown }) {
  const { t } = useLingui();
  if (error instanceof UnansweredRequest) {
    return <Trans>The service did not answer. Nothing is known to have changed; try again.</Trans>;
  }
  if (!(error instanceof RejectedRequest))
    return <Trans>Something went wrong in this page. Reload it.</Trans>;
  const { problem, retryAfterSeconds: seconds } = error;
  if (problem.status === 429) return <>{t`Too many requests. Try again in ${seconds ?? 60} seconds.`}</>;
  const { violations = [], furtherViolations = 0, messageKey, parameters } = problem;
  const said = serviceText(messageKey, parameters);
  if (said !== undefined) return <>{said}</>;
  if (problem.status >= 500) return <Trans>The service cannot answer now. Try again in a moment.</Trans>;
  if (violations.length === 0) return <bdi>{problem.detail ?? problem.title}</bdi>;
  return (
    <ul className={styles['violations']}>
      {violations.map((violation) => (
        <li key={violation.propertyPath + violation.message}>
          {isField(violation.propertyPath) && <code>{violation.propertyPath}</code>}{' '}
          <bdi>{serviceText(violation.messageKey, violation.parameters) ?? violation.message}</bdi>
        </li>
      ))}
      {furtherViolations > 0 && <li>{t`And ${furtherViolations} more.`}</li>}
    </ul>
  );
}

/** Whether a violation is at a field: not the whole body, nor the key that the console sends with it. */
function isField(propertyPath: string): boolean {
  return propertyPath !== '' && propertyPath !== 'Idempotency-Key';
}
