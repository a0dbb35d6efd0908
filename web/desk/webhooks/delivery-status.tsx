import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { WebhookEventStatus } from '../../../domain/webhook.ts';
import type { Look } from '../parts/status-sign.tsx';
import { Sign } from '../parts/status-sign.tsx';

/** What became of a webhook delivery, in words. */
export const DELIVERY_STATUS_WORDS: Readonly<Record<WebhookEventStatus, MessageDescriptor>> = {
  pending: msg`Being sent`,
  delivered: msg`Received`,
  rejected: msg`Rejected by the receiver`,
  dead: msg`Given up`,
  skipped: msg`Not sent: webhooks were off`,
};

const DELIVERY_LOOKS: Readonly<Record<WebhookEventStatus, Look>> = {
  pending: ['moving', '▶'],
  delivered: ['good', '✓'],
  rejected: ['bad', '✕'],
  dead: ['bad', '!'],
  skipped: ['quiet', '○'],
};

export function DeliveryStatusSign({ status }: { readonly status: WebhookEventStatus }) {
  const { i18n } = useLingui();
  return <Sign look={DELIVERY_LOOKS[status]} words={i18n._(DELIVERY_STATUS_WORDS[status])} />;
}
