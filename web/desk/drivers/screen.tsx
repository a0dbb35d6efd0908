import { Trans } from '@lingui/react/macro';
import { ScreenHeader } from '../parts/screen-header.tsx';

export default function DriversScreen() {
  return <ScreenHeader title={<Trans>Drivers</Trans>} />;
}
