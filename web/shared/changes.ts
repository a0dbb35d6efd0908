import { API_PREFIX } from '../../domain/iri.ts';

/** Kinds of rows that the stream tells of. */
export const CHANGE_KINDS = [
  'Task',
  'Shipment',
  'Driver',
  'DeliveryRun',
  'Import',
  'WebhookDelivery',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A row as the board shows it, or that it is gone for this reader. */
export interface ChangedRow {
  readonly '@id': string;
  readonly version?: number;
  readonly deleted?: true;
}

/** What a listener gets. After `reset` everything must be read again: the stream could not be continued. */
export type StreamEvent =
  | { readonly kind: ChangeKind; readonly row: ChangedRow }
  | { readonly kind: 'reset' }
  /** The state of the stream: `live`, or `lost` since a moment of this computer's clock. */
  | { readonly kind: 'state'; readonly state: StreamState };
export interface StreamState {
  readonly isLive: boolean;
  readonly sinceMs: number;
}

/** What tabs tell each other. The id is the stream's cursor after the event. */
type TabMessage = { readonly id: string; readonly event: StreamEvent } | { readonly ask: 'state' };

const RETRY_MS = 2_000;
/** A computer that slept keeps a connection that is dead: when its clock jumps, the stream is opened again from the last id. */
const WATCH_EVERY_MS = 5_000;
const SLEPT_AFTER_MS = 90_000;

/**
 * The stream of changes for all tabs of a browser: the tab that holds a Web Lock has the one EventSource and passes what comes
 * on by a BroadcastChannel; when it closes, the next tab goes on from the last id (HTTP/1.1 gives a browser six connections
 * to an origin). `cursor` is where to begin if no event was seen: that of `GET /board`.
 */
export class ChangeStream {
  private readonly listeners = new Set<(event: StreamEvent) => void>();
  private readonly channel: BroadcastChannel;
  private readonly name: string;
  private readonly closing = new AbortController();
  private readonly onRejected: () => void;
  private cursor: string | undefined;
  private isLeader = false;
  private hasBegun = false;
  private state: StreamState = { isLive: false, sinceMs: 0 };

  /**
   * `reader` is who reads: tabs of another user share nothing with this one. `onRejected` is called when the service closed the
   * stream: the session may have ended or changed.
   */
  constructor(reader: string, onRejected: () => void) {
    this.onRejected = onRejected;
    this.name = `desk-changes ${reader}`;
    this.channel = new BroadcastChannel(this.name);
    this.channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => this.hear(data));
    this.channel.postMessage({ ask: 'state' } satisfies TabMessage);
  }

  /**
   * Lets this tab wait for its turn to hold the stream: from `cursor` where it has seen no event yet, or from now on where there is
   * none. What is read after a stream began now misses nothing. A tab that never calls it never holds the stream.
   */
  startFrom(cursor?: string): void {
    this.cursor ??= cursor;
    if (this.hasBegun) return;
    this.hasBegun = true;
    if (this.state.sinceMs === 0)
      this.deliver({ kind: 'state', state: { isLive: false, sinceMs: Date.now() } });
    const options = { signal: this.closing.signal };
    // Rejects with an AbortError when this tab closes the stream while it waits for the lock.
    navigator.locks.request(this.name, options, () => this.lead()).catch(() => undefined);
  }

  subscribe(listener: (event: StreamEvent) => void): () => void {
    this.listeners.add(listener);
    listener({ kind: 'state', state: this.state });
    return () => this.listeners.delete(listener);
  }

  close(): void {
    this.closing.abort();
    this.channel.close();
    this.listeners.clear();
  }

  private hear(message: TabMessage): void {
    if ('ask' in message) {
      if (this.isLeader) this.tellOthers({ kind: 'state', state: this.state });
      return;
    }
    if (message.id !== '') this.cursor = message.id;
    this.deliver(message.event);
  }

  private deliver(event: StreamEvent): void {
    if (event.kind === 'state') this.state = event.state;
    for (const listener of this.listeners) listener(event);
  }

  private tellOthers(event: StreamEvent): void {
    this.channel.postMessage({ id: this.cursor ?? '', event } satisfies TabMessage);
  }

  private publish(event: StreamEvent): void {
    this.deliver(event);
    this.tellOthers(event);
  }

  /** Holds the lock, and so the stream, until this tab closes it. */
  private async lead(): Promise<void> {
    this.isLeader = true;
    while (!this.closing.signal.aborted) {
      await this.read();
      await this.pause(RETRY_MS);
    }
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.closing.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Reads one EventSource until it fails; it is made again with the last id by `lead`. */
  private read(): Promise<void> {
    return new Promise((resolve) => {
      const query = this.cursor === undefined ? '' : `?lastEventID=${encodeURIComponent(this.cursor)}`;
      const source = new EventSource(`/desk${API_PREFIX}/changes${query}`);
      const stopWatching = watchSleep(() => finish());
      const finish = () => {
        stopWatching();
        source.close();
        this.noteState(false);
        resolve();
      };
      source.addEventListener('open', () => this.noteState(true));
      source.addEventListener('error', () => {
        this.onRejected();
        finish();
      });
      source.addEventListener('reset', ({ lastEventId }) => {
        this.cursor = lastEventId === '' ? undefined : lastEventId;
        this.publish({ kind: 'reset' });
      });
      for (const kind of CHANGE_KINDS) {
        source.addEventListener(kind, ({ data, lastEventId }: MessageEvent<string>) => {
          const row: unknown = JSON.parse(data);
          if (!isChangedRow(row)) return;
          if (lastEventId !== '') this.cursor = lastEventId;
          this.publish({ kind, row });
        });
      }
      this.closing.signal.addEventListener('abort', finish);
    });
  }

  private noteState(isLive: boolean): void {
    if (this.state.isLive === isLive) return;
    this.publish({ kind: 'state', state: { isLive, sinceMs: Date.now() } });
  }
}

/** Calls `onWake` when far more time has passed than a timer waits. Returns what ends it. */
function watchSleep(onWake: () => void): () => void {
  let seenMs = Date.now();
  const timer = setInterval(() => {
    const nowMs = Date.now();
    if (nowMs - seenMs > SLEPT_AFTER_MS) onWake();
    seenMs = nowMs;
  }, WATCH_EVERY_MS);
  return () => clearInterval(timer);
}

function isChangedRow(value: unknown): value is ChangedRow {
  return typeof value === 'object' && value !== null && '@id' in value && typeof value['@id'] === 'string';
}
