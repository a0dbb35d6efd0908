import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { idOf } from '../../shared/client.ts';
import { formatDateTime, formatNumber } from '../../shared/format.ts';
import { useFreshQueries } from '../changes.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import form from '../parts/form.module.css';
import { ErrorNotice } from '../parts/notice.tsx';
import { ParameterLink } from '../parts/parameter-link.tsx';
import { EmptyState, ReadFailure, Skeleton } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { Table } from '../parts/table.tsx';
import { useAction } from '../parts/use-action.ts';
import { useSession } from '../session.tsx';
import type { Delivery } from './delivery-requests.ts';
import { readDelivery, replayDelivery } from './delivery-requests.ts';
import { DeliveryStatusSign } from './delivery-status.tsx';
import styles from './webhooks.module.css';

interface Props {
  readonly id: string;
  readonly onClose: () => void;
}

/** A webhook delivery over any screen: `?delivery=<id>`. */
export default function DeliveryDrawer({ id, onClose }: Props) {
  const { t } = useLingui();
  const read = useQuery({ queryKey: ['webhook-deliveries', id], queryFn: () => readDelivery(id) });
  useFreshQueries(['WebhookDelivery'], ['webhook-deliveries', id]);
  return (
    <Dialog title={t`Webhook`} form="drawer" onClose={onClose} closeLabel={t`Close`}>
      {read.error !== null && <ReadFailure error={read.error} onRetry={() => void read.refetch()} />}
      {read.isPending && <Skeleton rows={6} />}
      {read.data && (
        <>
          <DeliveryFacts delivery={read.data} />
          <Replay delivery={read.data} />
          <Attempts delivery={read.data} />
          <Body text={read.data.rawBody} />
        </>
      )}
    </Dialog>
  );
}

function DeliveryFacts({ delivery }: { readonly delivery: Delivery }) {
  const { session } = useSession();
  const { timezone } = session.organization;
  const { status, event, shipment, trackingNumber, round, createdAt } = delivery;
  return (
    <dl className={form['facts']}>
      <dt>
        <Trans>Status</Trans>
      </dt>
      <dd>
        <DeliveryStatusSign status={status} />
      </dd>
      <dt>
        <Trans>Event</Trans>
      </dt>
      <dd>
        <code>{event}</code>
      </dd>
      <dt>
        <Trans>Shipment</Trans>
      </dt>
      <dd>
        {shipment === undefined ? (
          <Trans>None: this is a test.</Trans>
        ) : (
          <ParameterLink name="shipment" value={idOf(shipment)}>
            <bdi dir="ltr">{trackingNumber}</bdi>
          </ParameterLink>
        )}
      </dd>
      <dt>
        <Trans>Made</Trans>
      </dt>
      <dd>{formatDateTime(createdAt, timezone)}</dd>
      <dt>
        <Trans>Sent again</Trans>
      </dt>
      <dd>
        <Plural value={round} _0="never" one="# time" other="# times" />
      </dd>
    </dl>
  );
}

/** Sends the same bytes again; not while they are still being sent. */
function Replay({ delivery: { id, status } }: { readonly delivery: Delivery }) {
  const queries = useQueryClient();
  const replay = useAction(async () => {
    queries.setQueryData(['webhook-deliveries', id], await replayDelivery(id));
  });
  return (
    <div className={form['form']}>
      <div className={form['actions']}>
        <Button
          kind="primary"
          disabled={status === 'pending'}
          isPending={replay.isPending}
          onClick={() => void replay.run()}
        >
          <Trans>Send again</Trans>
        </Button>
      </div>
      <div role="alert">{replay.error !== undefined && <ErrorNotice error={replay.error} />}</div>
    </div>
  );
}

type Attempt = Delivery['attempts'][number];

function Attempts({ delivery: { attempts } }: { readonly delivery: Delivery }) {
  const { t } = useLingui();
  const columns = useColumns();
  return (
    <section>
      <h3>
        <Trans>Attempts</Trans>
      </h3>
      {attempts.length === 0 ? (
        <EmptyState title={<Trans>None was made yet.</Trans>} />
      ) : (
        <Table
          caption={t`Attempts`}
          columns={columns}
          rows={attempts.toReversed()}
          keyOf={({ round, attempt }) => `${round}.${attempt}`}
        />
      )}
    </section>
  );
}

function useColumns(): readonly Column<Attempt>[] {
  const { t } = useLingui();
  const { session } = useSession();
  const { timezone } = session.organization;
  return [
    {
      key: 'when',
      title: <Trans>When</Trans>,
      isRowHeader: true,
      cell: ({ startedAt }) => formatDateTime(startedAt, timezone),
    },
    {
      key: 'number',
      title: <Trans>Attempt</Trans>,
      isNumber: true,
      cell: ({ round, attempt }) => <bdi dir="ltr">{`${round + 1}.${attempt}`}</bdi>,
    },
    {
      key: 'answer',
      title: <Trans>Answer</Trans>,
      cell: ({ statusCode, error, finishedAt }) => {
        if (finishedAt === undefined) return <Trans>Under way</Trans>;
        return <bdi>{statusCode ?? error ?? '–'}</bdi>;
      },
    },
    {
      key: 'duration',
      title: <Trans>Took</Trans>,
      isNumber: true,
      cell: ({ durationMs }) => {
        if (durationMs === undefined) return '–';
        const milliseconds = formatNumber(durationMs);
        return t`${milliseconds} ms`;
      },
    },
    { key: 'url', title: <Trans>Address</Trans>, cell: ({ url }) => <code>{url}</code> },
  ];
}

/** The exact bytes that were sent and signed, as text. */
function Body({ text }: { readonly text: string }) {
  const { t } = useLingui();
  const bytes = new TextEncoder().encode(text).length;
  return (
    <section>
      <h3>
        <Trans>Body</Trans>
      </h3>
      <p className={styles['quiet']}>
        <Plural value={bytes} one="# byte, exactly as it is sent" other="# bytes, exactly as they are sent" />
      </p>
      <pre className={styles['bytes']} dir="ltr" tabIndex={0} aria-label={t`Body`}>
        {text}
      </pre>
    </section>
  );
}
