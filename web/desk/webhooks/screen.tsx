import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isOneOf } from '../../../domain/enumerations.ts';
import { REPLAYABLE_STATUSES, WEBHOOK_EVENT_STATUSES } from '../../../domain/webhook.ts';
import { idOf } from '../../shared/client.ts';
import { useAddressParameter } from '../address.ts';
import { useFreshQueries } from '../changes.tsx';
import { Button } from '../parts/button.tsx';
import { ErrorNotice } from '../parts/notice.tsx';
import { ScreenHeader } from '../parts/screen-header.tsx';
import { EmptyState, ReadFailure, Skeleton } from '../parts/states.tsx';
import { useAction } from '../parts/use-action.ts';
import { useSession } from '../session.tsx';
import { dayRange } from './day-range.ts';
import { DeliveryFilters } from './delivery-filters.tsx';
import { findShipment, sendTest } from './delivery-requests.ts';
import { DeliveryTable } from './delivery-table.tsx';
import { EndpointState } from './endpoint-state.tsx';
import type { Choice } from './replay-dialog.tsx';
import { ReplayDialog } from './replay-dialog.tsx';

/** Webhook deliveries of the organization, what became of them, and sending them again. */
export default function WebhooksScreen() {
  const { session } = useSession();
  const [isReplaying, setIsReplaying] = useState(false);
  const [, openDelivery] = useAddressParameter('delivery');
  const shown = useShownChoice();
  useFreshQueries(['WebhookDelivery'], ['webhook-deliveries']);
  const test = useAction(async () => {
    const { id } = await sendTest(idOf(session.organization['@id']));
    openDelivery(id);
  });
  return (
    <>
      <ScreenHeader title={<Trans>Webhooks</Trans>}>
        <Button isPending={test.isPending} onClick={() => void test.run()}>
          <Trans>Send a test</Trans>
        </Button>
        <Button onClick={() => setIsReplaying(true)}>
          <Trans>Send many again…</Trans>
        </Button>
      </ScreenHeader>
      <div role="alert">{test.error !== undefined && <ErrorNotice error={test.error} />}</div>
      <EndpointState />
      <DeliveryFilters />
      <Deliveries />
      {isReplaying && <ReplayDialog shown={shown} onClose={() => setIsReplaying(false)} />}
    </>
  );
}

/** What the filters leave of what can be sent again. */
function useShownChoice(): Choice {
  const [status] = useAddressParameter('status');
  const [from = ''] = useAddressParameter('from');
  const [to = ''] = useAddressParameter('to');
  return { status: isOneOf(REPLAYABLE_STATUSES, status) ? status : '', from, to };
}

function Deliveries() {
  const { t } = useLingui();
  const { session } = useSession();
  const { timezone } = session.organization;
  const [status] = useAddressParameter('status');
  const [tracking] = useAddressParameter('tracking');
  const [from = ''] = useAddressParameter('from');
  const [to = ''] = useAddressParameter('to');
  const shipment = useQuery({
    queryKey: ['shipments', 'by-number', tracking],
    queryFn: async () => (await findShipment(tracking ?? '')) ?? null,
    enabled: tracking !== undefined,
  });
  if (tracking !== undefined && shipment.data === undefined) {
    if (shipment.error === null) return <Skeleton rows={8} />;
    return <ReadFailure error={shipment.error} onRetry={() => void shipment.refetch()} />;
  }
  if (shipment.data === null) {
    return <EmptyState title={t`No shipment has this tracking number.`} />;
  }
  return (
    <DeliveryTable
      filter={{
        status: isOneOf(WEBHOOK_EVENT_STATUSES, status) ? status : undefined,
        shipment: tracking === undefined ? undefined : shipment.data,
        ...dayRange(from, to, timezone),
      }}
    />
  );
}
