import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { StreamEvent } from '../../shared/changes.ts';
import { formatDateTime } from '../../shared/format.ts';
import { RejectedRequest } from '../../shared/problem.ts';
import { useChangeStream } from '../changes.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ShipmentStatusSign } from '../parts/status-sign.tsx';
import { EmptyState, ReadFailure, Skeleton } from '../parts/states.tsx';
import { useSession } from '../session.tsx';
import { Acts } from './drawer/acts.tsx';
import { Amounts, Items, Parcel, Recipient } from './drawer/facts.tsx';
import { Papers } from './drawer/papers.tsx';
import { Tasks } from './drawer/tasks.tsx';
import { Timeline } from './drawer/timeline.tsx';
import type { Shipment } from './reads.ts';
import { useShipment } from './reads.ts';
import styles from './drawer/drawer.module.css';

const READ_AGAIN_MS = 200;

interface Props {
  readonly id: string;
  readonly onClose: () => void;
}

/** All of one shipment, over any screen. */
export default function ShipmentDrawer({ id, onClose }: Props) {
  const { t } = useLingui();
  const shipment = useShipment(id);
  useFreshShipment(id);
  const isMissing = shipment.error instanceof RejectedRequest && shipment.error.status === 404;
  return (
    <Dialog
      title={shipment.data?.body.trackingNumber ?? t`Shipment`}
      form="drawer"
      onClose={onClose}
      closeLabel={t`Close`}
    >
      {isMissing && (
        <EmptyState title={<Trans>There is no such shipment</Trans>}>
          <p>
            <Trans>It was deleted, or it is not yours to see.</Trans>
          </p>
        </EmptyState>
      )}
      {shipment.isError && !isMissing && (
        <ReadFailure error={shipment.error} onRetry={() => void shipment.refetch()} />
      )}
      {shipment.isPending && <Skeleton rows={10} />}
      {shipment.data && !isMissing && <Content shipment={shipment.data.body} onDeleted={onClose} />}
    </Dialog>
  );
}

function Content({ shipment, onDeleted }: { readonly shipment: Shipment; readonly onDeleted: () => void }) {
  const { session, may } = useSession();
  const since = formatDateTime(shipment.updatedAt, session.organization.timezone);
  return (
    <>
      <div className={styles['between']}>
        <ShipmentStatusSign status={shipment.status} />
        <span className={styles['quiet']}>
          <Trans>Changed {since}</Trans>
        </span>
      </div>
      <Acts shipment={shipment} onDeleted={onDeleted} />
      <Tasks shipment={shipment} />
      <Recipient shipment={shipment} />
      <Amounts shipment={shipment} />
      <Parcel shipment={shipment} />
      <Items shipment={shipment} />
      {may('shipment.print') && <Papers shipment={shipment} />}
      <Timeline entries={shipment.timeline} />
    </>
  );
}

/** Reads the shipment again when it, or a task of it, changed. */
function useFreshShipment(id: string): void {
  const stream = useChangeStream();
  const queries = useQueryClient();
  const readAgain = useEffectEvent(() => {
    void queries.invalidateQueries({ queryKey: ['shipments', 'one', id] });
    void queries.invalidateQueries({ queryKey: ['shipments', 'tasks', id] });
  });
  useEffect(() => {
    if (stream === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    stream.startFrom();
    const unsubscribe = stream.subscribe((event) => {
      if (!concerns(event, id)) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        readAgain();
      }, READ_AGAIN_MS);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [stream, id]);
}

function concerns(event: StreamEvent, id: string): boolean {
  if (event.kind === 'state') return false;
  if (event.kind === 'reset') return true;
  const { row } = event;
  if (row['@id'].endsWith(id)) return true;
  return 'shipment' in row && typeof row.shipment === 'string' && row.shipment.endsWith(id);
}
