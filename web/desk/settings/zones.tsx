import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { formatAmount } from '../../shared/format.ts';
import type { Zone } from '../map/fleet.ts';
import { useZones } from '../map/fleet.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { EmptyState, ReadFailure, Skeleton } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { Table } from '../parts/table.tsx';
import { useSession } from '../session.tsx';
import styles from '../map/map.module.css';
import { ChangeZone, NewZone } from './zone-form.tsx';

/** Areas of the map with their price. */
export default function Zones() {
  const { t } = useLingui();
  const { session } = useSession();
  const zones = useZones();
  const [opened, setOpened] = useState<string>();
  const columns: readonly Column<Zone>[] = [
    {
      key: 'name',
      title: <Trans>Name</Trans>,
      isRowHeader: true,
      cell: ({ id, name }) => (
        <Button kind="quiet" onClick={() => setOpened(id)}>
          <bdi>{name}</bdi>
        </Button>
      ),
    },
    {
      key: 'fee',
      title: <Trans>Base fee</Trans>,
      isNumber: true,
      cell: ({ baseFee }) => <bdi>{formatAmount(baseFee, session.organization.currency)}</bdi>,
    },
    {
      key: 'active',
      title: <Trans>In use</Trans>,
      cell: ({ isActive }) => (isActive ? <Trans>Yes</Trans> : <Trans>No</Trans>),
    },
  ];
  const close = () => setOpened(undefined);
  return (
    <section aria-label={t`Zones`} className={styles['picker']}>
      <div>
        <Button kind="primary" onClick={() => setOpened('new')}>
          <Trans>New zone</Trans>
        </Button>
      </div>
      {zones.isPending && <Skeleton rows={4} />}
      {zones.isError && <ReadFailure error={zones.error} onRetry={() => void zones.refetch()} />}
      {zones.data?.length === 0 && <EmptyState title={<Trans>There are no zones yet.</Trans>} />}
      {zones.data && zones.data.length > 0 && (
        <Table caption={t`Zones`} columns={columns} rows={zones.data} keyOf={({ id }) => id} />
      )}
      {opened !== undefined && (
        <Dialog title={t`Zone`} form="drawer" onClose={close} closeLabel={t`Close`}>
          {opened === 'new' ? (
            <NewZone onDone={close} />
          ) : (
            <ChangeZone key={opened} id={opened} onDone={close} />
          )}
        </Dialog>
      )}
    </section>
  );
}
