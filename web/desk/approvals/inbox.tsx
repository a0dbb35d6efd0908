import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';
import { useState } from 'react';
import { answer, api } from '../../shared/client.ts';
import { useAddressParameter } from '../address.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNotice } from '../parts/notice.tsx';
import { Table } from '../parts/table.tsx';
import { useAction } from '../parts/use-action.ts';
import { useSession } from '../session.tsx';
import { useShipmentColumns } from '../shipments/list/columns.tsx';
import { DeleteMany } from '../shipments/list/delete-many.tsx';
import type { ShipmentLine } from '../shipments/reads.ts';
import { nameOf } from '../shipments/reads.ts';
import type { ApprovalResults } from './results.tsx';
import styles from './approvals.module.css';

/** Columns that say the same of every request. */
const LEFT_OUT = new Set(['status', 'due', 'updated']);

interface Props {
  readonly rows: readonly ShipmentLine[];
  readonly onResults: (results: ApprovalResults) => void;
}

/** The requests. Space selects one, Enter approves those that are selected, or the one that has the focus. */
export function Inbox({ rows, onResults }: Props) {
  const { t } = useLingui();
  const [opened] = useAddressParameter('shipment');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const columns = useShipmentColumns().filter(({ key }) => !LEFT_OUT.has(key));
  // Somebody else may have approved a selected one meanwhile.
  const selected = new Map(
    rows.filter(({ id }) => chosen.has(id)).map(({ id, trackingNumber }) => [id, trackingNumber]),
  );
  const approve = useApproval(rows, onResults);
  const approveAll = async (ids: readonly string[]) => {
    if (ids.length > 0 && (await approve.run(ids))) setChosen(new Set());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, target } = event;
    if (key !== 'Enter' || !(target instanceof HTMLInputElement)) return;
    event.preventDefault();
    const row = rows[(target.closest('tr')?.rowIndex ?? 0) - 1];
    const focused = row === undefined ? [] : [row.id];
    void approveAll(selected.size > 0 ? [...selected.keys()] : focused);
  };
  return (
    <div onKeyDown={onKeyDown}>
      <Table
        caption={t`Requests that await approval`}
        columns={columns}
        rows={rows}
        keyOf={(row) => row.id}
        currentKey={opened}
        selection={{
          selected: new Set(selected.keys()),
          onChange: setChosen,
          labelOf: (row) => {
            const name = nameOf(row.recipient);
            const { trackingNumber } = row;
            return t`Select ${trackingNumber}, ${name}`;
          },
        }}
      />
      <Acts selected={selected} approve={approve} onApprove={() => void approveAll([...selected.keys()])} />
    </div>
  );
}

interface ActsProps {
  readonly selected: ReadonlyMap<string, string>;
  readonly approve: { readonly isPending: boolean; readonly error: unknown };
  readonly onApprove: () => void;
}

function Acts({ selected, approve, onApprove }: ActsProps) {
  const { may } = useSession();
  const queries = useQueryClient();
  const [isRejecting, setIsRejecting] = useState(false);
  const count = selected.size;
  return (
    <div className={styles['acts']}>
      <Button kind="primary" disabled={count === 0} isPending={approve.isPending} onClick={onApprove}>
        {count === 0 ? <Trans>Approve</Trans> : <Trans>Approve {count}</Trans>}
      </Button>
      {may('shipment.delete') ? (
        <Button kind="danger" disabled={count === 0} onClick={() => setIsRejecting(true)}>
          {count === 0 ? <Trans>Reject…</Trans> : <Trans>Reject {count}…</Trans>}
        </Button>
      ) : (
        <span className={styles['quiet']}>
          <Trans>An administrator can reject requests.</Trans>
        </span>
      )}
      <span className={styles['quiet']}>
        <Trans>Space selects, Enter approves.</Trans>
      </span>
      {approve.error !== undefined && (
        <div role="alert">
          <ErrorNotice error={approve.error} />
        </div>
      )}
      {isRejecting && (
        <DeleteMany
          isRejection
          selected={selected}
          onClose={() => {
            setIsRejecting(false);
            void queries.invalidateQueries({ queryKey: ['shipments'] });
          }}
        />
      )}
    </div>
  );
}

/** Approves each of several shipments on its own; the results say which could not be. */
function useApproval(rows: readonly ShipmentLine[], onResults: (results: ApprovalResults) => void) {
  const queries = useQueryClient();
  return useAction(async (ids: readonly string[]) => {
    const { results } = await answer(
      api.POST('/shipments/bulk-approve', { body: { shipmentIds: [...ids] } }),
    );
    const numbers = new Map(rows.map(({ id, trackingNumber }) => [id, trackingNumber]));
    onResults(results.map((result) => ({ ...result, trackingNumber: numbers.get(result.id) ?? result.id })));
    await queries.invalidateQueries({ queryKey: ['shipments'] });
  });
}
