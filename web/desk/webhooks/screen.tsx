import { Trans } from '@lingui/react/macro';
import { ScreenHeader } from '../parts/screen-header.tsx';

export default function WebhooksScreen() {
  return <ScreenHeader title={<Trans>Webhooks</Trans>} />;
}
