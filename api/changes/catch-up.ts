import type { Logger } from '../../platform/log.ts';
import { parseCursor } from '../../store/changes/cursor.ts';
import type { Cursor } from '../../store/changes/cursor.ts';
import { currentPoint, readChanges } from '../../store/changes/read-changes.ts';
import type { Database } from '../../store/connection.ts';
import { tenant } from '../../store/tenant.ts';
import type { FeedLimits } from './feed-limits.ts';
import type { Follower } from './follower.ts';
import { loadChanges } from './loaded-changes.ts';

export interface CatchUpParts {
  readonly database: Database;
  readonly log: Logger;
  readonly limits: FeedLimits;
}

/** Begins a stream at the id that its reader knows, or now. With an id that cannot be read it begins with `reset`. */
export async function beginAt(
  follower: Follower,
  lastEventId: string | undefined,
  { database }: CatchUpParts,
): Promise<void> {
  const known = lastEventId === undefined ? undefined : parseCursor(lastEventId);
  if (known !== undefined) follower.begin(known);
  else if (lastEventId === undefined) follower.begin(await currentPoint(database));
  else follower.reset(await currentPoint(database));
}

/**
 * Reads for one stream what it has missed, at the pace of its reader, until nothing was read for the others meanwhile; then it is
 * live. Resolves to the point up to which it was read. Rejects where the database cannot be read.
 */
export async function catchUp(
  follower: Follower,
  { database, limits }: CatchUpParts,
): Promise<Cursor | undefined> {
  const { identity, stream } = follower;
  const scope = tenant(database, identity.organizationId);
  const stalled = setTimeout(() => stream.destroy(), limits.stallMs);
  try {
    for (;;) {
      follower.hasMissed = false;
      const since = follower.cursor;
      if (since === undefined || stream.destroyed) return undefined;
      const { cursor, records, incomplete } = await readChanges(database, [scope.organizationId], since);
      if (incomplete.has(scope.organizationId)) follower.reset(cursor);
      else {
        for await (const changes of loadChanges(scope, records)) {
          follower.sendChanges(changes);
          await stream.room();
          stalled.refresh();
        }
        follower.advance(cursor);
      }
      if (!hasMissed(follower)) {
        follower.isLive = true;
        return cursor;
      }
    }
  } finally {
    clearTimeout(stalled);
  }
}

/** Whether something was read for the others while this stream was being read for. */
function hasMissed(follower: Follower): boolean {
  return follower.hasMissed;
}
