import { Trans } from '@lingui/react/macro';
import { formatAge, formatDateTime } from '../../shared/format.ts';
import { serverNowMs } from '../../shared/server-clock.ts';
import { useNow } from '../now.ts';
import { useSession } from '../session.tsx';

/** How old a driver's last position is, by the service's clock. */
export function PositionAge({ at }: { readonly at: string | undefined }) {
  const { session } = useSession();
  useNow(15_000);
  if (at === undefined) return <Trans>None yet</Trans>;
  return (
    <time dateTime={at} title={formatDateTime(at, session.organization.timezone)}>
      {formatAge(at, serverNowMs())}
    </time>
  );
}
