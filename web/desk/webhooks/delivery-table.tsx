import { Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { idOf } from '../../shared/client.ts';
import { formatDateTime, formatNumber } from '../../shared/format.ts';
import { useAddressParameter } from '../address.ts';
import { ParameterLink } from '../parts/parameter-link.tsx';
import { EmptyState, ReadFailure, Skeleton } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { Pager, Table } from '../parts/table.tsx';
import { useSession } from '../session.tsx';
import type { DeliveryFilter, DeliveryRow } from './delivery-requests.ts';
import { DELIVERIES_PER_PAGE, readDeliveries } from './delivery-requests.ts';
import { DeliveryStatusSign } from './delivery-status.tsx';

/** One page of the deliveries that fit the filter, newest first. */
export function DeliveryTable({ filter }: { readonly filter: DeliveryFilter }) {
  const { t } = useLingui();
  const [page = '1', setPage] = useAddressParameter('page');
  const [current] = useAddressParameter('delivery');
  const columns = useColumns();
  const wanted = Math.max(1, Number(page) || 1);
  const read = useQuery({
    queryKey: ['webhook-deliveries', 'list', filter, wanted],
    queryFn: () => readDeliveries(filter, wanted),
    placeholderData: keepPreviousData,
  });
  if (read.isPending) return <Skeleton rows={8} />;
  if (read.data === undefined) return <ReadFailure error={read.error} onRetry={() => void read.refetch()} />;
  const { member, totalItems } = read.data;
  if (totalItems === 0) {
    return (
      <EmptyState title={<Trans>No webhooks here.</Trans>}>
        <p>
          <Trans>One is sent each time a shipment changes its status.</Trans>
        </p>
      </EmptyState>
    );
  }
  return (
    <>
      <Table
        caption={t`Webhook deliveries`}
        columns={columns}
        rows={member}
        keyOf={({ id }) => id}
        currentKey={current}
      />
      <Pager
        page={wanted}
        itemsPerPage={DELIVERIES_PER_PAGE}
        totalItems={totalItems}
        isPlaceholderData={read.isPlaceholderData}
        onPage={(next, options) => setPage(next === 1 ? undefined : String(next), options)}
      />
    </>
  );
}

function useColumns(): readonly Column<DeliveryRow>[] {
  const { session } = useSession();
  const { timezone } = session.organization;
  return [
    {
      key: 'created',
      title: <Trans>Made</Trans>,
      isRowHeader: true,
      cell: ({ id, createdAt }) => (
        <ParameterLink name="delivery" value={id}>
          {formatDateTime(createdAt, timezone)}
        </ParameterLink>
      ),
    },
    {
      key: 'status',
      title: <Trans>Status</Trans>,
      cell: ({ status }) => <DeliveryStatusSign status={status} />,
    },
    { key: 'event', title: <Trans>Event</Trans>, cell: ({ event }) => <code>{event}</code> },
    {
      key: 'shipment',
      title: <Trans>Shipment</Trans>,
      cell: ({ shipment, trackingNumber }) =>
        shipment === undefined ? (
          <Trans>Test</Trans>
        ) : (
          <ParameterLink name="shipment" value={idOf(shipment)}>
            <bdi dir="ltr">{trackingNumber}</bdi>
          </ParameterLink>
        ),
    },
    {
      key: 'attempts',
      title: <Trans>Attempts</Trans>,
      isNumber: true,
      cell: ({ attemptCount }) => formatNumber(attemptCount),
    },
    {
      key: 'answer',
      title: <Trans>Last answer</Trans>,
      cell: ({ lastStatusCode, lastError }) => <bdi>{lastStatusCode ?? lastError ?? '–'}</bdi>,
    },
  ];
}
