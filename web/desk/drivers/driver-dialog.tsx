import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FormDialog } from '../parts/form-dialog.tsx';
import { ReadFailure, Skeleton } from '../parts/states.tsx';
import { useAction } from '../parts/use-action.ts';
import { useRequestKey } from '../parts/use-request-key.ts';
import type { DriverDraft } from './driver-edits.ts';
import { createDriver, NEW_DRIVER, readDriver } from './driver-edits.ts';
import { DriverForm } from './driver-form.tsx';
import { EditedDriver } from './edited-driver.tsx';

interface Props {
  /** The driver to edit; a new one without it. */
  readonly id?: string;
  readonly onClose: () => void;
  readonly onDone: (id: string) => void;
}

/** Makes or edits a driver. */
export function DriverDialog({ id, onClose, onDone }: Props) {
  const { t } = useLingui();
  return (
    <FormDialog
      title={id === undefined ? t`New driver` : t`Edit driver`}
      onClose={onClose}
      closeLabel={t`Close`}
    >
      {id === undefined ? <NewDriver onDone={onDone} /> : <KnownDriver id={id} onDone={onDone} />}
    </FormDialog>
  );
}

function NewDriver({ onDone }: Pick<Props, 'onDone'>) {
  const queries = useQueryClient();
  const withKey = useRequestKey();
  const action = useAction(async (draft: DriverDraft) => {
    const { id } = await withKey((key) => createDriver(draft, key));
    await queries.invalidateQueries({ queryKey: ['day'] });
    onDone(id);
  });
  return (
    <DriverForm
      start={NEW_DRIVER}
      action={action}
      onSend={(draft) => void action.run(draft)}
      label={<Trans>Add driver</Trans>}
    />
  );
}

function KnownDriver({ id, onDone }: { readonly id: string } & Pick<Props, 'onDone'>) {
  // Read for this form alone, and not again while it is filled in: its tag says what the person saw.
  const read = useQuery({
    queryKey: ['driver-form', id],
    queryFn: () => readDriver(id),
    staleTime: Infinity,
    gcTime: 0,
  });
  if (read.error !== null) return <ReadFailure error={read.error} onRetry={() => void read.refetch()} />;
  if (read.data === undefined) return <Skeleton rows={5} />;
  return <EditedDriver initial={read.data} onDone={onDone} />;
}
