import { Plural, Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { RejectedRequest } from '../../../shared/problem.ts';
import { LeaveGuard } from '../../leave-guard.tsx';
import { ButtonLink } from '../../parts/button.tsx';
import { ErrorNotice, Notice } from '../../parts/notice.tsx';
import type { ActionState } from '../../parts/use-action.ts';
import { isShownPath } from './form-fields.ts';
import styles from './form.module.css';

interface Props {
  readonly label: string;
  readonly isDirty: boolean;
  readonly action: Pick<ActionState<never>, 'error' | 'otherViolations'>;
  /** Paths of fields that have to be numbers and are none. */
  readonly numberFaults: readonly string[];
  readonly onSubmit: () => void;
  readonly children: ReactNode;
  /** The buttons that save. */
  readonly acts: ReactNode;
}

/** A form whose failures keep what was typed: the first wrong field gets the focus, and what no field shows is said below. */
export function FormFrame({ label, isDirty, action, numberFaults, onSubmit, children, acts }: Props) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (action.error === undefined && numberFaults.length === 0) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [action.error, numberFaults]);
  return (
    <form
      ref={form}
      className={styles['form']}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {isDirty && <LeaveGuard />}
      <p className={styles['quiet']}>
        <Trans>* must be given</Trans>
      </p>
      {children}
      <div className={styles['end']}>
        <div role="alert">
          <Faults action={action} count={numberFaults.length} />
        </div>
        <div className={styles['acts']}>
          {acts}
          <Link href="/shipments" asChild>
            <ButtonLink href="/desk/shipments">
              <Trans>Cancel</Trans>
            </ButtonLink>
          </Link>
        </div>
      </div>
    </form>
  );
}

/** What is wrong as a whole: how many fields, and what no field of the form shows. */
function Faults({
  action: { error, otherViolations },
  count,
}: {
  readonly action: Props['action'];
  readonly count: number;
}) {
  if (error === undefined) return count > 0 && <FieldCount count={count} />;
  if (error instanceof RejectedRequest && error.status === 412) return null;
  const violations = error instanceof RejectedRequest ? (error.problem.violations ?? []) : [];
  const shown = violations.filter(({ propertyPath }) => isShownPath(propertyPath));
  if (shown.length === 0) return <ErrorNotice error={error} />;
  const others = otherViolations(shown.map(({ propertyPath }) => propertyPath));
  return (
    <>
      <FieldCount count={shown.length} />
      {others.length > 0 && (
        <ErrorNotice error={new RejectedRequest({ status: 422, title: '', violations: others })} />
      )}
    </>
  );
}

function FieldCount({ count }: { readonly count: number }) {
  return (
    <Notice kind="danger">
      <Plural
        value={count}
        one="Nothing was saved: # field must be corrected."
        other="Nothing was saved: # fields must be corrected."
      />
    </Notice>
  );
}
