import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { isBeforeStart, STAGE_OF_STATUS } from '../../../domain/delivery-run.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import form from '../parts/form.module.css';
import { ErrorNotice } from '../parts/notice.tsx';
import { useAction } from '../parts/use-action.ts';
import type { TaggedRecord } from '../parts/use-edit.ts';
import { useSession } from '../session.tsx';
import { EditedRun } from './edited-run.tsx';
import type { Run } from './run-edits.ts';
import { deleteRun, patchRun } from './run-edits.ts';

interface Props {
  readonly run: TaggedRecord<Run>;
  readonly onChanged: (run: TaggedRecord<Run>) => void;
  readonly onGone: () => void;
}

type Asked = 'edit' | 'cancel' | 'delete';

/** What can be done with a run as a whole, as far as it has come. */
export function RunActions({ run, onChanged, onGone }: Props) {
  const { t } = useLingui();
  const { may } = useSession();
  const [asked, setAsked] = useState<Asked>();
  const { body, etag } = run;
  const patch = useAction(async (fields: Parameters<typeof patchRun>[1]) => {
    onChanged(await patchRun(body.id, fields, etag));
  });
  const isPlannable = isBeforeStart(body.status);
  const close = () => setAsked(undefined);
  return (
    <div className={form['form']}>
      <div className={form['actions']}>
        <Button onClick={() => setAsked('edit')}>
          <Trans>Edit: name, day, driver</Trans>
        </Button>
        {body.driver !== undefined && hasOthersTasks(body) && (
          <Button isPending={patch.isPending} onClick={() => void patch.run({ driver: body.driver ?? null })}>
            <Trans>Give all open tasks to the driver</Trans>
          </Button>
        )}
        {body.status === 'draft' && (
          <Button isPending={patch.isPending} onClick={() => void patch.run({ status: 'planned' })}>
            <Trans>Mark as planned</Trans>
          </Button>
        )}
        {isPlannable && body.status !== 'cancelled' && (
          <Button onClick={() => setAsked('cancel')}>
            <Trans>Cancel run…</Trans>
          </Button>
        )}
        {isPlannable && may('delivery_run.delete') && (
          <Button kind="danger" onClick={() => setAsked('delete')}>
            <Trans>Delete…</Trans>
          </Button>
        )}
      </div>
      {patch.error !== undefined && <ErrorNotice error={patch.error} />}
      {asked === 'edit' && (
        <FormDialog title={t`Edit run`} onClose={close} closeLabel={t`Close`}>
          <EditedRun
            initial={run}
            onDone={(changed) => {
              close();
              onChanged(changed);
            }}
          />
        </FormDialog>
      )}
      {asked === 'cancel' && <Cancelling run={run} onClose={close} onChanged={onChanged} />}
      {asked === 'delete' && <Deleting run={body} onClose={close} onGone={onGone} />}
    </div>
  );
}

/** Whether a task that has not ended is not with the run's driver. */
function hasOthersTasks({ tasks, driver }: Run): boolean {
  return tasks.some(
    (task) => ['open', 'underway'].includes(STAGE_OF_STATUS[task.status]) && task.driver !== driver,
  );
}

interface CancellingProps extends Pick<Props, 'run' | 'onChanged'> {
  readonly onClose: () => void;
}

function Cancelling({ run: { body, etag }, onClose, onChanged }: CancellingProps) {
  const { t } = useLingui();
  const cancel = useAction(async () => {
    onChanged(await patchRun(body.id, { status: 'cancelled' }, etag));
    onClose();
  });
  return (
    <Confirmation
      title={t`Cancel this run?`}
      action={cancel}
      onClose={onClose}
      label={<Trans>Cancel the run</Trans>}
    >
      <Trans>Its open tasks leave the run and keep their driver.</Trans>
    </Confirmation>
  );
}

interface DeletingProps extends Pick<Props, 'onGone'> {
  readonly run: Run;
  readonly onClose: () => void;
}

function Deleting({ run: { id }, onClose, onGone }: DeletingProps) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const remove = useAction(async () => {
    await deleteRun(id);
    onClose();
    onGone();
    await queries.invalidateQueries({ queryKey: ['day'] });
  });
  return (
    <Confirmation
      title={t`Delete this run?`}
      action={remove}
      onClose={onClose}
      label={<Trans>Delete the run</Trans>}
    >
      <Trans>Its tasks stay, without a run, and keep their driver.</Trans>
    </Confirmation>
  );
}

interface ConfirmationProps {
  readonly title: string;
  readonly action: ReturnType<typeof useAction<void>>;
  readonly onClose: () => void;
  readonly label: ReactNode;
  readonly children: ReactNode;
}

function Confirmation({ title, action, onClose, label, children }: ConfirmationProps) {
  const { t } = useLingui();
  return (
    <Dialog title={title} onClose={onClose} closeLabel={t`Close`}>
      <p>{children}</p>
      {action.error !== undefined && <ErrorNotice error={action.error} />}
      <div className={form['actions']}>
        <Button kind="danger" isPending={action.isPending} onClick={() => void action.run()}>
          {label}
        </Button>
        <Button onClick={onClose}>
          <Trans>Keep the run</Trans>
        </Button>
      </div>
    </Dialog>
  );
}
