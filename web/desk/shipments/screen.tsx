import { Trans } from '@lingui/react/macro';
import { ScreenHeader } from '../parts/screen-header.tsx';

export default function ShipmentsScreen() {
  return <ScreenHeader title={<Trans>Shipments</Trans>} />;
}
