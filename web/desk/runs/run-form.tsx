import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { iriOf } from '../../../domain/iri.ts';
import { parseId } from '../../../domain/ids.ts';
import { RejectedRequest } from '../../shared/problem.ts';
import { useDay, useToday } from '../day/use-day.ts';
import { Button } from '../parts/button.tsx';
import { ChoiceField } from '../parts/choice-field.tsx';
import { TextField } from '../parts/fields.tsx';
import form from '../parts/form.module.css';
import { ErrorNotice } from '../parts/notice.tsx';
import type { ActionState } from '../parts/use-action.ts';
import type { RunDraft } from './run-edits.ts';

interface Props {
  readonly start: RunDraft;
  /** How the sending goes: the form shows what went wrong and keeps what was typed. */
  readonly action: Pick<ActionState<unknown>, 'error' | 'isPending' | 'errorOf' | 'otherViolations'>;
  readonly onSend: (draft: RunDraft) => void;
  readonly label: ReactNode;
}

const FIELDS = ['name', 'date', 'driver'];

/** Name, day and driver of a run. */
export function RunForm({ start, action, onSend, label }: Props) {
  const { t } = useLingui();
  const [draft, setDraft] = useState(start);
  const drivers = useDriverOptions(start.driver);
  const change = (fields: Partial<RunDraft>) => setDraft((before) => ({ ...before, ...fields }));
  const isAtFields =
    action.error instanceof RejectedRequest &&
    action.error.problem.violations !== undefined &&
    action.otherViolations(FIELDS).length === 0;
  return (
    <form
      className={form['form']}
      onSubmit={(event) => {
        event.preventDefault();
        if (!action.isPending) onSend(draft);
      }}
    >
      <TextField
        label={t`Name`}
        hint={t`What you call it, for example: East, morning`}
        value={draft.name}
        onChange={(name) => change({ name })}
        error={action.errorOf('name')}
      />
      <div className={form['pair']}>
        <TextField
          label={t`Day`}
          type="date"
          value={draft.date}
          onChange={(date) => change({ date })}
          error={action.errorOf('date')}
          required
        />
        <ChoiceField
          label={t`Driver`}
          hint={t`Gets the open tasks of the run.`}
          value={draft.driver}
          onChange={(driver) => change({ driver })}
          error={action.errorOf('driver')}
          options={drivers}
        />
      </div>
      <div role="alert">
        {action.error !== undefined && !isAtFields && <ErrorNotice error={action.error} />}
      </div>
      <div className={form['actions']}>
        <Button type="submit" kind="primary" isPending={action.isPending}>
          {label}
        </Button>
      </div>
    </form>
  );
}

/** Drivers on duty, and the one that the run has already. */
function useDriverOptions(current: string) {
  const { t } = useLingui();
  const day = useDay(useToday());
  const drivers = (day.data?.drivers ?? []).flatMap(({ id, firstName, lastName, isAvailable }) => {
    const parsed = parseId<'driver'>(id);
    const value = parsed === undefined ? '' : iriOf('driver', parsed);
    const isOffered = value !== '' && (isAvailable || value === current);
    return isOffered ? [{ value, label: `${firstName} ${lastName}` }] : [];
  });
  drivers.sort((one, other) => one.label.localeCompare(other.label));
  const isListed = current === '' || drivers.some(({ value }) => value === current);
  return [
    { value: '', label: t`None yet` },
    ...(isListed ? [] : [{ value: current, label: t`The present driver` }]),
    ...drivers,
  ];
}
