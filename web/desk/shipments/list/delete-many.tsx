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
  /** A request that awaits approval is rejected by its deletion: the same act, in other words. */
  readonly isRejection?: boolean;
  readonly selected: SelectedShipments;
  /** With the ids of those that were deleted. */
  readonly onClose: (deleted: ReadonlySet<string>) => void;
}

/** Asks, deletes one shipment after the other, and says which could not be deleted and why. */
export function DeleteMany({ isRejection = false, selected, onClose }: Props) {
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
    <Dialog
      title={isRejection ? t`Reject requests` : t`Delete shipments`}
      onClose={() => onClose(deleted)}
      closeLabel={t`Close`}
    >
      <p>
        <Question count={remaining.length} isRejection={isRejection} />
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
          {isRejection ? <Trans>Reject</Trans> : <Trans>Delete</Trans>}
        </Button>
        <Button onClick={() => onClose(deleted)}>
          <Trans>Close</Trans>
        </Button>
      </div>
    </Dialog>
  );
}

function Question({ count, isRejection }: { readonly count: number; readonly isRejection: boolean }) {
  if (isRejection) {
    return (
      <Plural
        value={count}
        one="Reject # request? The shipment is cancelled and leaves the lists. This cannot be undone."
        other="Reject # requests? The shipments are cancelled and leave the lists. This cannot be undone."
      />
    );
  }
  return (
    <Plural
      value={count}
      one="Delete # shipment? Its open tasks are cancelled. This cannot be undone."
      other="Delete # shipments? Their open tasks are cancelled. This cannot be undone."
    />
  );
}
