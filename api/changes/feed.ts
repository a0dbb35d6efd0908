import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../platform/log.ts';
import { findSessionUsers } from '../../store/accounts/sessions.ts';
import type { Cursor } from '../../store/changes/cursor.ts';
import { withOpen } from '../../store/changes/cursor.ts';
import type { ChangedRecord } from '../../store/changes/read-changes.ts';
import { readChanges } from '../../store/changes/read-changes.ts';
import { COMMAND_DECIDED_CHANNEL } from '../../store/commands/outcome-notifications.ts';
import { provide } from '../../platform/metrics/metrics.ts';
import type { Database } from '../../store/connection.ts';
import type { Notifications } from '../../store/notifications.ts';
import { changeAnnouncer, CHANGED_CHANNEL } from '../../store/notifications.ts';
import { tenant } from '../../store/tenant.ts';
import type { Audience } from './audiences.ts';
import { Audiences } from './audiences.ts';
import { beginAt, catchUp } from './catch-up.ts';
import type { EventStream } from './event-stream.ts';
import type { FeedLimits } from './feed-limits.ts';
import { FEED_LIMITS } from './feed-limits.ts';
import type { FollowerIdentity } from './follower.ts';
import { Follower } from './follower.ts';
import { loadChanges } from './loaded-changes.ts';

/** Sends what changes to those who follow it (decision 0030). */
export interface ChangeFeed {
  /**
   * Opens a stream that goes on from the id of an event, or begins now. A stream whose id is too old, or of another database,
   * begins with `reset`. Throws a limited ProblemError beyond the numbers of streams.
   */
  readonly follow: (identity: FollowerIdentity, lastEventId: string | undefined) => EventStream;
  /** Wakes the feeds of all processes, after a commit. */
  readonly announce: () => void;
  /** Ends all streams; their readers come back to another process. */
  readonly close: () => void;
}

interface FeedParts {
  readonly database: Database;
  readonly notifications: Notifications;
  readonly log: Logger;
}

/** So many changes in one part are a crowd, whose parts wait for readers. */
const CROWD = 200;
const LIFETIME_SPREAD = 0.2;

/** Makes the feed of a process: whenever something may have changed, one reading for all its streams. */
export function createChangeFeed(parts: FeedParts, limits: FeedLimits = FEED_LIMITS): ChangeFeed {
  const feed = new Feed(parts, limits);
  const { database, notifications } = parts;
  provide('change_streams', {}, () => feed.streamCount);
  const wake = () => feed.wake();
  const timers = [
    setInterval(wake, limits.pollMs),
    setInterval(() => feed.heartbeat(), limits.heartbeatMs),
    setInterval(() => feed.checkSessions(), limits.sessionCheckMs),
  ];
  notifications.subscribe(CHANGED_CHANNEL, wake);
  notifications.subscribe(COMMAND_DECIDED_CHANNEL, wake);
  return {
    announce: changeAnnouncer(database),
    follow: (identity, lastEventId) => feed.follow(identity, lastEventId),
    close: () => {
      for (const timer of timers) clearInterval(timer);
      feed.close();
    },
  };
}

class Feed {
  private readonly audiences: Audiences;
  /** Up to where has been read for all live streams; undefined while there are none. */
  private position: Cursor | undefined;
  private isWanted = false;
  private isReading = false;
  private isClosed = false;

  private readonly parts: FeedParts;
  private readonly limits: FeedLimits;

  constructor(parts: FeedParts, limits: FeedLimits) {
    this.parts = parts;
    this.limits = limits;
    this.audiences = new Audiences(limits);
  }

  get streamCount(): number {
    return this.audiences.followers.length;
  }

  follow(identity: FollowerIdentity, lastEventId: string | undefined): EventStream {
    this.audiences.requireRoom(identity.organizationId, identity.userId);
    const follower = new Follower(identity);
    const { stream } = follower;
    // Before its first reading, so that nothing falls between that and the next one for all.
    this.audiences.add(follower);
    stream.send(`retry: ${this.limits.retryMs}\n\n`);
    const spread = 1 + LIFETIME_SPREAD * (2 * Math.random() - 1);
    const end = setTimeout(() => stream.finish(), this.limits.lifetimeMs * spread);
    stream.once('close', () => clearTimeout(end));
    if (this.isClosed) stream.finish();
    else
      void this.begin(follower, () => beginAt(follower, lastEventId, { ...this.parts, limits: this.limits }));
    return stream;
  }

  wake(): void {
    this.isWanted = true;
    if (!this.isReading) void this.readWhileWanted();
  }

  heartbeat(): void {
    for (const follower of this.audiences.followers) follower.heartbeat();
  }

  /** Ends the streams of sessions that have ended, of users whose role or records are others now, and of those who lack a second factor. */
  checkSessions(): void {
    const { followers } = this.audiences;
    if (followers.length === 0) return;
    const sessionIds = new Set(followers.map(({ identity }) => identity.sessionId));
    findSessionUsers(this.parts.database, [...sessionIds]).then(
      (users) => {
        const bySession = new Map(users.map((user) => [user.sessionId, user]));
        for (const { identity, stream } of followers) {
          const user = bySession.get(identity.sessionId);
          const isUnchanged =
            user?.role === identity.role &&
            user.merchantId === identity.merchantId &&
            user.driverId === identity.driverId &&
            user.secondFactor !== 'missing';
          if (!isUnchanged) stream.finish();
        }
      },
      // A database that cannot be asked ends no session.
      () => undefined,
    );
  }

  close(): void {
    this.isClosed = true;
    for (const { stream } of this.audiences.followers) stream.finish();
  }

  private async begin(follower: Follower, first: () => Promise<void>): Promise<void> {
    try {
      await first();
      const cursor = await catchUp(follower, { ...this.parts, limits: this.limits });
      if (cursor === undefined) return;
      // What was read for streams that are closed by now is of no use to the first one after them.
      if (this.audiences.followers.length === 1) this.position = cursor;
      else this.position ??= cursor;
      follower.heartbeat();
    } catch (error) {
      this.parts.log.debug(
        { reason: nameOf(error) },
        'a stream of changes failed; its reader will come back',
      );
      follower.stream.destroy();
    }
  }

  private async readWhileWanted(): Promise<void> {
    this.isReading = true;
    try {
      while (this.isWanted && this.position !== undefined) {
        this.isWanted = false;
        await this.readOnce(this.position);
      }
    } catch (error) {
      this.parts.log.debug({ reason: nameOf(error) }, 'changes cannot be read; the feed will retry');
    } finally {
      this.isReading = false;
    }
  }

  /** Reads for all audiences together. One that has come meanwhile was not read for, so its streams read by themselves. */
  private async readOnce(since: Cursor): Promise<void> {
    const audiences = this.audiences.all;
    if (audiences.length === 0) {
      this.position = undefined;
      return;
    }
    const ids = audiences.map(({ organizationId }) => organizationId);
    const { cursor, records, incomplete } = await readChanges(this.parts.database, ids, since);
    this.position = cursor;
    for (const audience of audiences) {
      const { organizationId, followers } = audience;
      const own = records.filter((record) => record.organizationId === organizationId);
      const send = incomplete.has(organizationId)
        ? () => Promise.reject(new Error('changes were deleted'))
        : () => this.deliver(audience, cursor, own);
      audience.sending = audience.sending.then(send).catch(() => {
        // Each stream knows up to where it was sent everything, and goes on from there.
        for (const follower of followers) this.miss(follower);
      });
    }
    for (const audience of this.audiences.all) {
      if (!audiences.includes(audience)) for (const follower of audience.followers) this.miss(follower);
    }
  }

  private async deliver(
    audience: Audience,
    cursor: Cursor,
    records: readonly ChangedRecord[],
  ): Promise<void> {
    const { followers, organizationId, positions } = audience;
    const scope = tenant(this.parts.database, organizationId);
    for await (const changes of loadChanges(scope, positions.pass(records))) {
      for (const follower of followers) {
        if (!follower.isLive) follower.hasMissed = true;
        else follower.sendChanges(changes);
      }
      if (changes.length >= CROWD) await this.pace([...followers].map(({ stream }) => stream));
    }
    const sent = withOpen(cursor, positions.xids());
    for (const follower of followers) {
      if (follower.isLive) follower.advance(sent);
      if (follower.stream.behindBytes > this.limits.behindBytes) follower.stream.destroy();
    }
    const dueInMs = positions.dueInMs();
    if (dueInMs !== undefined) setTimeout(() => this.wake(), dueInMs).unref();
  }

  /** Gives those who are behind a moment, and closes those who are too far behind. */
  private async pace(streams: readonly EventStream[]): Promise<void> {
    const late = streams.filter(({ behindBytes }) => behindBytes > this.limits.behindBytes / 4);
    if (late.length === 0) return;
    await Promise.race([Promise.all(late.map((stream) => stream.room())), delay(this.limits.paceMs)]);
    for (const stream of late) if (stream.behindBytes > this.limits.behindBytes) stream.destroy();
  }

  private miss(follower: Follower): void {
    follower.hasMissed = true;
    if (!follower.isLive) return;
    follower.isLive = false;
    void this.begin(follower, () => Promise.resolve());
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
