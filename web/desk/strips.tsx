import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useState, useSyncExternalStore } from 'react';
import { unreachableSince, watchReachability } from '../shared/client.ts';
import { formatTime } from '../shared/format.ts';
import { toServerMs } from '../shared/server-clock.ts';
import { useStreamState } from './changes.tsx';
import { useNow } from './now.ts';
import { Button } from './parts/button.tsx';
import { isOutdated, lostPart } from './release.ts';
import { useSession } from './session.tsx';
import styles from './strips.module.css';

const STREAM_GRACE_MS = 5_000;

/** What the person must know of the connection, of the rights and of the console itself, over every screen. */
export function Strips() {
  return (
    <div className={styles['strips']} role="status">
      <ConnectionStrip />
      <RightsStrip />
      <ReleaseStrip />
    </div>
  );
}

function Strip({ children }: { readonly children: ReactNode }) {
  return <div className={styles['strip']}>{children}</div>;
}

/** Says that what is on the screen may be old, and since when. */
function ConnectionStrip() {
  const { session } = useSession();
  const { isLive, sinceMs } = useStreamState();
  const awaySinceMs = useSyncExternalStore(watchReachability, unreachableSince);
  const nowMs = useNow(1_000);
  // The moment is one of this computer's clock, which may be wrong by a day.
  const lostAtMs = toServerMs(sinceMs);
  const isBehind = !isLive && sinceMs > 0 && nowMs - lostAtMs > STREAM_GRACE_MS;
  const timeOf = (ms: number) => formatTime(new Date(ms), session.organization.timezone);
  if (awaySinceMs !== undefined) {
    // The changes may have stopped before.
    const since = timeOf(Math.min(toServerMs(awaySinceMs), isBehind ? lostAtMs : Infinity));
    return (
      <Strip>
        <Trans>
          The service cannot be reached. What you see is as it was at {since}; what you do now is not sent.
        </Trans>
      </Strip>
    );
  }
  if (!isBehind) return null;
  const since = timeOf(lostAtMs);
  return (
    <Strip>
      <Trans>Changes have not arrived since {since}. Trying again…</Trans>
    </Strip>
  );
}

/** Says that an administrator has changed what this person may do. */
function RightsStrip() {
  const { hasNewRights } = useSession();
  const [isRead, setIsRead] = useState(false);
  if (!hasNewRights || isRead) return null;
  return (
    <Strip>
      <Trans>What you may do here has been changed. You see what is yours now.</Trans>
      <Button kind="quiet" onClick={() => setIsRead(true)}>
        <Trans>Understood</Trans>
      </Button>
    </Strip>
  );
}

/** Asks to reload a page that is older than the service; it never does so by itself, since something may be typed. */
function ReleaseStrip() {
  const { session } = useSession();
  const hasLostPart = useSyncExternalStore(lostPart.watch, lostPart.read);
  if (!isOutdated(session) && !hasLostPart) return null;
  return (
    <Strip>
      <Trans>Desk has been renewed. Reload when you have finished what you are typing.</Trans>
      <Button onClick={() => window.location.reload()}>
        <Trans>Reload</Trans>
      </Button>
    </Strip>
  );
}
