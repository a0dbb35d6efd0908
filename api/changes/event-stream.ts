import { Readable } from 'node:stream';

/** How much may wait for a reader before more is made for it. */
const ROOM_BYTES = 128 * 1024;

/** The body of `text/event-stream`: what is sent waits here until the reader takes it. */
export class EventStream extends Readable {
  private wake: (() => void) | undefined;

  constructor() {
    super();
    this.once('close', () => this.wake?.());
  }

  override _read(): void {
    this.wake?.();
    this.wake = undefined;
  }

  /** Sends text. Nothing is sent to a stream that has ended. */
  send(text: string): void {
    if (!this.destroyed && !this.readableEnded) this.push(text);
  }

  /** Ends the stream after what was sent. */
  finish(): void {
    if (!this.destroyed) this.push(null);
  }

  /** How much was sent and not yet taken. */
  get behindBytes(): number {
    return this.readableLength;
  }

  /** Resolves when there is room again, or when the stream has closed. One caller at a time. */
  async room(): Promise<void> {
    if (this.destroyed || this.readableLength < ROOM_BYTES) return;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
    });
  }
}
