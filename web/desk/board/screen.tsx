import { Trans } from '@lingui/react/macro';
import { ScreenHeader } from '../parts/screen-header.tsx';

export default function BoardScreen() {
  return <ScreenHeader title={<Trans>Board</Trans>} />;
}
