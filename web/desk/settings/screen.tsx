import { Trans } from '@lingui/react/macro';
import { ScreenHeader } from '../parts/screen-header.tsx';

export default function SettingsScreen() {
  return <ScreenHeader title={<Trans>Settings</Trans>} />;
}
