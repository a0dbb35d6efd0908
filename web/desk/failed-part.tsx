import { Trans } from '@lingui/react/macro';
import { Button } from './parts/button.tsx';
import { Notice } from './parts/notice.tsx';

/** In the place of a screen or drawer that could not be loaded, or that has a fault. */
export function FailedPart() {
  return (
    <Notice kind="danger">
      <div role="alert">
        <p>
          <Trans>This part of Desk could not be shown. Reload the page; what is saved is not lost.</Trans>
        </p>
        <Button onClick={() => window.location.reload()}>
          <Trans>Reload</Trans>
        </Button>
      </div>
    </Notice>
  );
}
