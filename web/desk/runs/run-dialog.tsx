import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useAction } from '../parts/use-action.ts';
import { useRequestKey } from '../parts/use-request-key.ts';
import type { RunDraft } from './run-edits.ts';
import { createRun } from './run-edits.ts';
import { RunForm } from './run-form.tsx';

interface Props {
  /** The day that the new run is planned for. */
  readonly date: string;
  readonly onClose: () => void;
  readonly onDone: (id: string) => void;
}

/** Makes a run; its tasks are added afterwards. */
export function RunDialog({ date, onClose, onDone }: Props) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const withKey = useRequestKey();
  const action = useAction(async (draft: RunDraft) => {
    const { id } = await withKey((key) => createRun(draft, key));
    await queries.invalidateQueries({ queryKey: ['day'] });
    onDone(id);
  });
  return (
    <FormDialog title={t`New run`} onClose={onClose} closeLabel={t`Close`}>
      <RunForm
        start={{ name: '', date, driver: '' }}
        action={action}
        onSend={(draft) => void action.run(draft)}
        label={<Trans>Make the run</Trans>}
      />
    </FormDialog>
  );
}
