import { Trans } from '@lingui/react/macro';
import { ScreenHeader } from '../parts/screen-header.tsx';

export default function RunsScreen() {
  return <ScreenHeader title={<Trans>Runs</Trans>} />;
}
