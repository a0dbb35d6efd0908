import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { idOf } from '../../shared/client.ts';
import { formatDateTime } from '../../shared/format.ts';
import { useFreshQueries } from '../changes.tsx';
import { Notice } from '../parts/notice.tsx';
import { ReadFailure } from '../parts/states.tsx';
import { useSession } from '../session.tsx';
import { readOrganization } from '../settings/organization-reads.ts';
import styles from './webhooks.module.css';

/** Where webhooks go, and what keeps them from arriving. */
export function EndpointState() {
  const { session } = useSession();
  const { timezone } = session.organization;
  const id = idOf(session.organization['@id']);
  // Apart from what a form of the settings was filled with: that stays as it was read.
  const read = useQuery({ queryKey: ['webhook-endpoint', id], queryFn: () => readOrganization(id) });
  useFreshQueries(['WebhookDelivery'], ['webhook-endpoint']);
  if (read.data === undefined) {
    return read.error && <ReadFailure error={read.error} onRetry={() => void read.refetch()} />;
  }
  const { hasWebhooks, webhookUrl, isWebhookEnabled, webhookFailingSince } = read.data.body;
  if (!hasWebhooks) {
    return (
      <Notice kind="warning">
        <Trans>Your plan has no webhooks: none are sent.</Trans>
      </Notice>
    );
  }
  if (webhookUrl === undefined) {
    return (
      <Notice kind="warning">
        <Trans>There is no address to send webhooks to. Set one under Settings.</Trans>
      </Notice>
    );
  }
  const url = <code>{webhookUrl}</code>;
  if (!isWebhookEnabled) {
    return (
      <Notice kind="warning">
        <Trans>Webhooks are off: none are sent to {url}. Switch them on under Settings.</Trans>
      </Notice>
    );
  }
  if (webhookFailingSince !== undefined) {
    const since = formatDateTime(webhookFailingSince, timezone);
    return (
      <Notice kind="danger">
        <Trans>
          The receiver {url} has taken nothing since {since}. New webhooks are still sent to it.
        </Trans>
      </Notice>
    );
  }
  return (
    <p className={styles['quiet']}>
      <Trans>Webhooks are sent to {url}.</Trans>
    </p>
  );
}
