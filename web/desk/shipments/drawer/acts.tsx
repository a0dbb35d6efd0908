import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { editProblem } from '../../../../domain/shipment-edit.ts';
import { isTerminalShipment } from '../../../../domain/shipment-status.ts';
import { answer, api, done } from '../../../shared/client.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useSession } from '../../session.tsx';
import type { Shipment } from '../reads.ts';
import { isCommand, outcomeOf } from './command-outcome.ts';
import styles from './drawer.module.css';

interface Props {
  readonly shipment: Shipment;
  /** After the shipment is gone. */
  readonly onDeleted: () => void;
}

/** What can be done with the shipment as a whole; what cannot says why. */
export function Acts({ shipment, onDeleted }: Props) {
  const { session, may } = useSession();
  const queries = useQueryClient();
  const [isDeleting, setIsDeleting] = useState(false);
  const approve = useAction(async () => {
    const result = await answer(
      api.POST('/shipments/{id}/approve', { params: { path: { id: shipment.id } } }),
    );
    if (isCommand(result)) await outcomeOf(result);
    await queries.invalidateQueries({ queryKey: ['shipments'] });
  });
  const isEnded = isTerminalShipment(shipment.status);
  const edited = { ...shipment, pickupPointId: null };
  const isFixed = editProblem(edited, session.user.role === 'ROLE_MERCHANT') !== undefined;
  return (
    <div className={styles['section']}>
      <div className={styles['row']}>
        {shipment.status === 'pending_approval' && may('shipment.approve') && (
          <Button kind="primary" isPending={approve.isPending} onClick={() => void approve.run()}>
            <Trans>Approve</Trans>
          </Button>
        )}
        {may('shipment.edit') && !isFixed && <EditLink id={shipment.id} />}
        {may('shipment.delete') && !isEnded && (
          <Button kind="danger" onClick={() => setIsDeleting(true)}>
            <Trans>Delete…</Trans>
          </Button>
        )}
        {session.links.history && may('shipment.approve') && (
          <HistoryLink template={session.links.history} id={shipment.id} />
        )}
      </div>
      {isFixed && <WhyFixed isEnded={isEnded} />}
      {approve.error !== undefined && (
        <div role="alert">
          <ErrorNotice error={approve.error} />
        </div>
      )}
      {isDeleting && (
        <DeleteDialog shipment={shipment} onClose={() => setIsDeleting(false)} onDeleted={onDeleted} />
      )}
    </div>
  );
}

function EditLink({ id }: { readonly id: string }) {
  const href = `/shipments/${id}/edit`;
  return (
    <Link href={href} asChild>
      <ButtonLink href={`/desk${href}`}>
        <Trans>Edit</Trans>
      </ButtonLink>
    </Link>
  );
}

function WhyFixed({ isEnded }: { readonly isEnded: boolean }) {
  return (
    <p className={styles['quiet']}>
      {isEnded ? (
        <Trans>This shipment has ended: it can no longer be changed.</Trans>
      ) : (
        <Trans>This shipment is approved: ask a dispatcher to change it.</Trans>
      )}
    </p>
  );
}

/** For operations: the history of the shipment's workflow. The id is that of workflows/messages.ts. */
function HistoryLink({ template, id }: { readonly template: string; readonly id: string }) {
  return (
    <a href={template.replace('{workflowId}', `shipment-${id}`)} target="_blank" rel="noreferrer">
      <Trans>History for ops</Trans>
    </a>
  );
}

interface DeleteProps extends Props {
  readonly onClose: () => void;
}

function DeleteDialog({ shipment: { id, trackingNumber }, onClose, onDeleted }: DeleteProps) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const remove = useAction(async () => {
    await done(api.DELETE('/shipments/{id}', { params: { path: { id } } }));
    onDeleted();
    await queries.invalidateQueries({ queryKey: ['shipments', 'list'] });
  });
  return (
    <Dialog title={t`Delete ${trackingNumber}?`} onClose={onClose} closeLabel={t`Close`}>
      <p>
        <Trans>Its open tasks are cancelled, and it leaves the lists. This cannot be undone.</Trans>
      </p>
      {remove.error !== undefined && (
        <div role="alert">
          <ErrorNotice error={remove.error} />
        </div>
      )}
      <div className={styles['row']}>
        <Button kind="danger" isPending={remove.isPending} onClick={() => void remove.run()}>
          <Trans>Delete</Trans>
        </Button>
        <Button onClick={onClose}>
          <Trans>Keep it</Trans>
        </Button>
      </div>
    </Dialog>
  );
}
