import { useQueryClient } from '@tanstack/react-query';
import { Plural, Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { answer, api } from '../../../shared/client.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { openFile } from '../../parts/open-file.ts';
import { useAction } from '../../parts/use-action.ts';
import { useSession } from '../../session.tsx';
import { DeleteMany } from './delete-many.tsx';
import type { SelectedShipments } from './list.tsx';
import { printHeaders } from '../papers.ts';
import styles from './list.module.css';

/** A request names so many shipments by their numbers at most (docs/limits.md). */
const MAXIMUM_EXPORTED = 40;

interface Props {
  readonly selected: SelectedShipments;
  readonly onSelect: (selected: SelectedShipments) => void;
}

/** What can be done with the selected shipments. */
export function BulkBar({ selected, onSelect }: Props) {
  const { may } = useSession();
  const queries = useQueryClient();
  const [isDeleting, setIsDeleting] = useState(false);
  const shipmentIds = [...selected.keys()];
  const count = selected.size;
  const labels = useAction((layout: 'a6' | 'a4') => printLabels(shipmentIds, layout));
  const notes = useAction(() => printNotes(shipmentIds));
  const error = labels.error ?? notes.error;
  return (
    <div className={styles['bulk']}>
      <div className={styles['acts']}>
        <strong role="status">
          <Plural value={count} one="# shipment selected" other="# shipments selected" />
        </strong>
        {may('shipment.print') && (
          <>
            <Button isPending={labels.isPending} onClick={() => void labels.run('a6')}>
              <Trans>Labels (PDF)</Trans>
            </Button>
            <Button isPending={labels.isPending} onClick={() => void labels.run('a4')}>
              <Trans>Labels, four on a sheet</Trans>
            </Button>
            <Button isPending={notes.isPending} onClick={() => void notes.run()}>
              <Trans>Delivery notes (PDF)</Trans>
            </Button>
          </>
        )}
        {may('shipment.export') && count <= MAXIMUM_EXPORTED && (
          <ButtonLink href={exportAddress([...selected.values()])} download>
            <Trans>Export selected (XLSX)</Trans>
          </ButtonLink>
        )}
        {may('shipment.delete') && (
          <Button kind="danger" onClick={() => setIsDeleting(true)}>
            <Trans>Delete…</Trans>
          </Button>
        )}
        <Button kind="quiet" onClick={() => onSelect(new Map())}>
          <Trans>Select none</Trans>
        </Button>
      </div>
      {error !== undefined && (
        <div role="alert">
          <ErrorNotice error={error} />
        </div>
      )}
      {isDeleting && (
        <DeleteMany
          selected={selected}
          onClose={(deleted) => {
            setIsDeleting(false);
            onSelect(new Map([...selected].filter(([id]) => !deleted.has(id))));
            void queries.invalidateQueries({ queryKey: ['shipments'] });
          }}
        />
      )}
    </div>
  );
}

async function printLabels(shipmentIds: string[], layout: 'a6' | 'a4'): Promise<void> {
  const request = { body: { shipmentIds, layout }, headers: printHeaders(), parseAs: 'blob' } as const;
  openFile(await answer(api.POST('/shipments/labels', request)));
}

async function printNotes(shipmentIds: string[]): Promise<void> {
  const request = { body: { shipmentIds }, headers: printHeaders(), parseAs: 'blob' } as const;
  openFile(await answer(api.POST('/shipments/delivery-notes', request)));
}

function exportAddress(trackingNumbers: readonly string[]): string {
  const query = new URLSearchParams(trackingNumbers.map((number) => ['trackingNumber[]', number]));
  return `/desk/api/v1/shipments/export?${query.toString()}`;
}
