import { useLingui } from '@lingui/react/macro';
import { iriOf } from '../../../domain/iri.ts';
import { parseId } from '../../../domain/ids.ts';
import { useDay, useToday } from '../day/use-day.ts';
import { ChoiceField } from '../parts/choice-field.tsx';
import type { DraftFormProps } from '../parts/draft-form.tsx';
import { DraftForm } from '../parts/draft-form.tsx';
import { TextField } from '../parts/fields.tsx';
import form from '../parts/form.module.css';
import type { RunDraft } from './run-edits.ts';

const FIELDS = ['name', 'date', 'driver'];

/** Name, day and driver of a run. */
export function RunForm(props: DraftFormProps<RunDraft>) {
  const { t } = useLingui();
  const drivers = useDriverOptions(props.start.driver);
  const { errorOf } = props.action;
  return (
    <DraftForm {...props} fields={FIELDS}>
      {(draft, change) => (
        <>
          <TextField
            label={t`Name`}
            hint={t`What you call it, for example: East, morning`}
            value={draft.name}
            onChange={(name) => change({ name })}
            error={errorOf('name')}
          />
          <div className={form['pair']}>
            <TextField
              label={t`Day`}
              type="date"
              value={draft.date}
              onChange={(date) => change({ date })}
              error={errorOf('date')}
              required
            />
            <ChoiceField
              label={t`Driver`}
              hint={t`Gets the open tasks of the run.`}
              value={draft.driver}
              onChange={(driver) => change({ driver })}
              error={errorOf('driver')}
              options={drivers}
            />
          </div>
        </>
      )}
    </DraftForm>
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
