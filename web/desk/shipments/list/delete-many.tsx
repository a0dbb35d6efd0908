import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api, done } from '../../../shared/client.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorText } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import type { SelectedShipments } from './list.tsx';
import styles from './list.module.css';

interface Props {
  readonly selected: SelectedShipments;
  /** With the ids of those that were deleted. */
  readonly onClose: (deleted: ReadonlySet<string>) => void;
}

/** Asks, deletes one shipment after the other, and says which could not be deleted and why. */
export function DeleteMany({ selected, onClose }: Props) {
  const { t } = useLingui();
  const [deleted, setDeleted] = useState<ReadonlySet<string>>(new Set());
  const [failures, setFailures] = useState<ReadonlyMap<string, unknown>>(new Map());
  const remaining = [...selected.keys()].filter((id) => !deleted.has(id));
  const action = useAction(async () => {
    const gone = new Set(deleted);
    const failed = new Map<string, unknown>();
    for (const id of remaining) {
      try {
        await done(api.DELETE('/shipments/{id}', { params: { path: { id } } }));
        gone.add(id);
        setDeleted(new Set(gone));
      } catch (error) {
        failed.set(id, error);
      }
    }
    setFailures(failed);
    if (failed.size === 0) onClose(gone);
  });
  return (
    <Dialog title={t`Delete shipments`} onClose={() => onClose(deleted)} closeLabel={t`Close`}>
      <p>
        <Plural
          value={remaining.length}
          one="Delete # shipment? Its open tasks are cancelled. This cannot be undone."
          other="Delete # shipments? Their open tasks are cancelled. This cannot be undone."
        />
      </p>
      {failures.size > 0 && (
        <ul className={styles['results']} role="alert">
          {[...failures].map(([id, error]) => (
            <li key={id}>
              <bdi dir="ltr">{selected.get(id)}</bdi>: <ErrorText error={error} />
            </li>
          ))}
        </ul>
      )}
      <div className={styles['acts']}>
        <Button kind="danger" isPending={action.isPending} onClick={() => void action.run()}>
          <Trans>Delete</Trans>
        </Button>
        <Button onClick={() => onClose(deleted)}>
          <Trans>Close</Trans>
        </Button>
      </div>
    </Dialog>
  );
}
