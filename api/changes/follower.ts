import type { ChangeKind, ChangeReader } from '../../domain/change-kinds.ts';
import type { OrganizationId, SessionId } from '../../domain/ids.ts';
import type { Cursor } from '../../store/changes/cursor.ts';
import { endedTransactions, formatCursor } from '../../store/changes/cursor.ts';
import { EventStream } from './event-stream.ts';
import type { LoadedChange } from './loaded-changes.ts';
import { eventFor } from './loaded-changes.ts';

/** Who follows the changes, and of which kinds. */
export interface FollowerIdentity extends ChangeReader {
  readonly organizationId: OrganizationId;
  readonly sessionId: SessionId;
  readonly kinds: readonly ChangeKind[];
}

/**
 * One open stream. The id of an event is where its reader goes on: events that are read together say where their reading began,
 * and the last one where it ended, so that a reader who loses the connection in between misses none of them.
 */
export class Follower {
  readonly identity: FollowerIdentity;
  readonly stream = new EventStream();
  /** Whether it is sent what is read for all; before, it reads by itself what it has missed. */
  isLive = false;
  /** Whether something was read for all meanwhile. */
  hasMissed = false;
  /** The last event of a reading, until it is known to be the last. */
  private waiting: string | undefined;

  private position: Cursor | undefined;

  constructor(identity: FollowerIdentity) {
    this.identity = identity;
  }

  /** Up to which point everything was sent; undefined until it begins. */
  get cursor(): Cursor | undefined {
    return this.position;
  }

  /** Begins at a point. */
  begin(cursor: Cursor): void {
    this.position = cursor;
  }

  /** Sends what of these changes its reader is to see. */
  sendChanges(changes: readonly LoadedChange[]): void {
    for (const change of changes) {
      const event = this.identity.kinds.includes(change.kind) ? eventFor(change, this.identity) : undefined;
      if (event === undefined) continue;
      this.sendWaiting();
      this.waiting = event;
    }
  }

  /** Ends a reading at a point. A point before the known one leaves that as it is. */
  advance(cursor: Cursor): void {
    const { position } = this;
    if (position === undefined || endedTransactions(cursor) >= endedTransactions(position))
      this.position = cursor;
    this.sendWaiting();
  }

  /** Has the reader read everything again, and goes on from a point. */
  reset(cursor: Cursor): void {
    this.position = cursor;
    this.waiting = 'event: reset\ndata: {}\n\n';
    this.sendWaiting();
  }

  /** Shows that the stream lives, and moves the id of the last event on; no event comes of it. */
  heartbeat(): void {
    this.stream.send(`:\n${this.idLine()}\n`);
  }

  private sendWaiting(): void {
    if (this.waiting !== undefined) this.stream.send(`${this.idLine()}${this.waiting}`);
    this.waiting = undefined;
  }

  private idLine(): string {
    return this.position === undefined ? '' : `id: ${formatCursor(this.position)}\n`;
  }
}
