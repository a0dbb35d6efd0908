import { Trans } from '@lingui/react/macro';
import { ScreenHeader } from '../parts/screen-header.tsx';

export default function ImportScreen() {
  return <ScreenHeader title={<Trans>Import</Trans>} />;
}
