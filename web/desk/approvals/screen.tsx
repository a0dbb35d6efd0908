import { Trans } from '@lingui/react/macro';
import { ScreenHeader } from '../parts/screen-header.tsx';

export default function ApprovalsScreen() {
  return <ScreenHeader title={<Trans>Approvals</Trans>} />;
}
