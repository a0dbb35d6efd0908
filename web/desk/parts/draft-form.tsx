import type { ReactNode } from 'react';
import { useState } from 'react';
import { RejectedRequest } from '../../shared/problem.ts';
import { Button } from './button.tsx';
import form from './form.module.css';
import { ErrorNotice } from './notice.tsx';
import type { ActionState } from './use-action.ts';

/** How the sending goes: the form shows what went wrong and keeps what was typed. */
type Sending = Pick<ActionState<unknown>, 'error' | 'isPending' | 'errorOf' | 'otherViolations'>;

/** What a form of a draft is given. */
export interface DraftFormProps<Draft> {
  readonly start: Draft;
  readonly action: Sending;
  readonly onSend: (draft: Draft) => void;
  /** The words of the button that sends. */
  readonly label: ReactNode;
}

interface Props<Draft> extends DraftFormProps<Draft> {
  /** The paths of the fields that say themselves what is wrong with them. */
  readonly fields: readonly string[];
  readonly children: (draft: Draft, change: (fields: Partial<Draft>) => void) => ReactNode;
}

/** A form that holds a draft until it is sent. */
export function DraftForm<Draft extends object>(props: Props<Draft>) {
  const { start, action, onSend, label, fields, children } = props;
  const { error, isPending } = action;
  const [draft, setDraft] = useState(start);
  const isAtFields =
    error instanceof RejectedRequest &&
    error.problem.violations !== undefined &&
    action.otherViolations(fields).length === 0;
  return (
    <form
      className={form['form']}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) onSend(draft);
      }}
    >
      {children(draft, (changed) => setDraft((before) => ({ ...before, ...changed })))}
      <div role="alert">{error !== undefined && !isAtFields && <ErrorNotice error={error} />}</div>
      <div className={form['actions']}>
        <Button type="submit" kind="primary" isPending={isPending}>
          {label}
        </Button>
      </div>
    </form>
  );
}
