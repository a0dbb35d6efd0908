import { write as writeFile, writeSync } from 'node:fs';

/** Where a logger's lines go. Its methods never throw and, except for `flushSync`, never wait for the receiver. */
export interface LogDestination {
  /** Queues one line, which ends with a line feed. */
  readonly write: (line: string) => void;
  /** Writes the queued lines before it returns: for the end of the process. */
  readonly flushSync: () => void;
}

/** What the destination needs of `node:fs`; tests pass one that fails. */
export type WriteBytes = (
  fileDescriptor: number,
  bytes: Buffer,
  callback: (error: NodeJS.ErrnoException | null, writtenBytes: number) => void,
) => void;

/** Lines beyond this wait for nothing: they are dropped. A receiver that is slow for a moment loses none. */
const MAXIMUM_QUEUED_CHARACTERS = 4_194_304;
/** What one system call takes: the size of a pipe. */
const MAXIMUM_WRITE_CHARACTERS = 65_536;
/** A pipe that does not block and is full is tried again after this. */
const FULL_PIPE_RETRY_MS = 50;
const FULL_PIPE_CODES: readonly (string | undefined)[] = ['EAGAIN', 'EBUSY'];
const LINE_FEED = 0x0a;

interface DestinationOptions {
  readonly fileDescriptor: number;
  readonly onDropped: (lines: number) => void;
  readonly onRecovered: () => void;
  readonly writeBytes?: WriteBytes;
}

/** Makes the destination of a log. */
export function createLogDestination(options: DestinationOptions): LogDestination {
  const writer = new LineWriter(options);
  return { write: (line) => writer.write(line), flushSync: () => writer.flushSync() };
}

/**
 * Writes lines to a file descriptor, in order, on libuv's thread pool. pino's own destination (sonic-boom) ends the
 * process at the first error without a handler, stops for good at EPIPE, and keeps what it could not write until its
 * buffer is full. Here a line that cannot be written (ENOSPC, EIO, EPIPE) is dropped, `onDropped` gets the number of
 * lines, and the next line is tried. `onRecovered` is called after the first line that is written again.
 */
class LineWriter {
  readonly #options: Required<DestinationOptions>;
  readonly #queue: string[] = [];
  #queuedCharacters = 0;
  #isWriting = false;
  #hasFailed = false;
  /** Whether the last byte that was written is inside a line, so that the next line needs a line feed before it. */
  #isInsideLine = false;
  /** What waits for room in a full pipe. */
  #delayed: Buffer | undefined;

  constructor(options: DestinationOptions) {
    this.#options = { writeBytes: writeFile, ...options };
  }

  write(line: string): void {
    if (this.#queuedCharacters + line.length > MAXIMUM_QUEUED_CHARACTERS) {
      this.#drop(1);
      return;
    }
    this.#queue.push(line);
    this.#queuedCharacters += line.length;
    if (!this.#isWriting) this.#writeNext();
  }

  flushSync(): void {
    try {
      let rest = this.#delayed ?? Buffer.alloc(0);
      while (rest.length > 0 || this.#queue.length > 0) {
        if (rest.length === 0) rest = this.#takeBatch();
        rest = this.#noteWritten(rest, writeSync(this.#options.fileDescriptor, rest));
      }
    } catch {
      // The process ends: there is no later line that could report the count.
    }
  }

  #drop(lines: number): void {
    this.#hasFailed = true;
    this.#options.onDropped(lines);
  }

  #takeBatch(): Buffer {
    let batch = this.#isInsideLine ? '\n' : '';
    do {
      const line = this.#queue.shift() ?? '';
      this.#queuedCharacters -= line.length;
      batch += line;
    } while (
      batch.length + (this.#queue[0]?.length ?? 0) <= MAXIMUM_WRITE_CHARACTERS &&
      this.#queue.length > 0
    );
    return Buffer.from(batch);
  }

  /** Returns what is left to write. */
  #noteWritten(bytes: Buffer, writtenBytes: number): Buffer {
    if (writtenBytes > 0) this.#isInsideLine = bytes[writtenBytes - 1] !== LINE_FEED;
    return bytes.subarray(writtenBytes);
  }

  #writeNext(): void {
    this.#isWriting = this.#queue.length > 0;
    if (this.#isWriting) this.#writeRest(this.#takeBatch());
  }

  #writeRest(rest: Buffer): void {
    this.#delayed = undefined;
    const { fileDescriptor, onRecovered, writeBytes } = this.#options;
    writeBytes(fileDescriptor, rest, (error, writtenBytes) => {
      if (FULL_PIPE_CODES.includes(error?.code)) {
        this.#delayed = rest;
        setTimeout(() => this.#writeRest(rest), FULL_PIPE_RETRY_MS).unref();
        return;
      }
      const unwritten = this.#noteWritten(rest, error === null ? writtenBytes : 0);
      if (error === null && unwritten.length > 0) {
        this.#writeRest(unwritten);
        return;
      }
      if (error !== null) this.#drop(countLines(unwritten));
      this.#writeNext();
      if (error === null && this.#hasFailed) {
        this.#hasFailed = false;
        onRecovered();
      }
    });
  }
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (const byte of bytes) if (byte === LINE_FEED) lines += 1;
  return lines;
}
