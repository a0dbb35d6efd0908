import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import { RejectedRequest } from '../../../shared/problem.ts';
import { LeaveGuard } from '../../leave-guard.tsx';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import type { ActionState } from '../../parts/use-action.ts';
import type { FormField } from './form-field.ts';
import styles from '../settings.module.css';

interface Props {
  readonly label: string;
  readonly isDirty: boolean;
  readonly action: Pick<ActionState<never>, 'error' | 'isPending' | 'otherViolations'>;
  readonly fields: readonly FormField[];
  readonly onSubmit: () => void;
  readonly children: ReactNode;
  /** Buttons next to the one that saves. */
  readonly acts?: ReactNode;
  /** What was done last; readers hear it. */
  readonly done?: ReactNode;
}

/** A form of the settings. A rejection keeps what was typed, and moves to the first field that is wrong. */
export function FormFrame({ label, isDirty, action, fields, onSubmit, children, acts, done }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const { error, isPending } = action;
  useEffect(() => {
    if (error !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
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
      {children}
      <div role="alert">
        <Fault action={action} fields={fields} />
      </div>
      <div role="status">{done}</div>
      <div className={styles['acts']}>
        <Button type="submit" kind="primary" isPending={isPending}>
          <Trans>Save</Trans>
        </Button>
        {acts}
      </div>
    </form>
  );
}

/** What no field of the form shows. A conflict has a place of its own. */
/** Where the service's violations are shown at the field. */
function pathsOf({ name, kind }: FormField): readonly string[] {
  if (kind === 'check') return [];
  return kind === 'place' ? [`${name}.latitude`, `${name}.longitude`] : [name];
}

function Fault({ action: { error, otherViolations }, fields }: Pick<Props, 'action' | 'fields'>) {
  if (error === undefined) return null;
  if (!(error instanceof RejectedRequest)) return <ErrorNotice error={error} />;
  if (error.status === 412) return null;
  const all = error.problem.violations ?? [];
  const others = otherViolations(fields.flatMap(pathsOf));
  if (all.length === 0 || others.length === all.length) return <ErrorNotice error={error} />;
  if (others.length === 0) {
    return <Trans>Nothing was saved: correct the marked fields.</Trans>;
  }
  return <ErrorNotice error={new RejectedRequest({ ...error.problem, violations: others })} />;
}
