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

/**
 * Writes lines to a file descriptor, in order, on libuv's thread pool. pino's own destination (sonic-boom) ends the
 * process at the first error without a handler, stops for good at EPIPE, and keeps what it could not write until its
 * buffer is full. Here a line that cannot be written (ENOSPC, EIO, EPIPE) is dropped, `onDropped` gets the number of
 * lines, and the next line is tried. `onRecovered` is called after the first line that is written again.
 */
export function createLogDestination(options: {
  readonly fileDescriptor: number;
  readonly onDropped: (lines: number) => void;
  readonly onRecovered: () => void;
  readonly writeBytes?: WriteBytes;
}): LogDestination {
  const { fileDescriptor, onDropped, onRecovered, writeBytes = writeFile } = options;
  const queue: string[] = [];
  let queuedCharacters = 0;
  let isWriting = false;
  let hasFailed = false;
  /** Whether the last byte that was written is inside a line, so that the next line needs a line feed before it. */
  let isInsideLine = false;
  /** What waits for room in a full pipe. */
  let delayed: Buffer | undefined;

  const drop = (lines: number): void => {
    hasFailed = true;
    onDropped(lines);
  };
  const takeBatch = (): Buffer => {
    let batch = isInsideLine ? '\n' : '';
    do {
      const line = queue.shift() ?? '';
      queuedCharacters -= line.length;
      batch += line;
    } while (batch.length + (queue[0]?.length ?? 0) <= MAXIMUM_WRITE_CHARACTERS && queue.length > 0);
    return Buffer.from(batch);
  };
  const noteWritten = (bytes: Buffer, writtenBytes: number): Buffer => {
    if (writtenBytes > 0) isInsideLine = bytes[writtenBytes - 1] !== LINE_FEED;
    return bytes.subarray(writtenBytes);
  };
  const writeNext = (): void => {
    isWriting = queue.length > 0;
    if (isWriting) writeRest(takeBatch());
  };
  const writeRest = (rest: Buffer): void => {
    delayed = undefined;
    writeBytes(fileDescriptor, rest, (error, writtenBytes) => {
      if (FULL_PIPE_CODES.includes(error?.code)) {
        delayed = rest;
        setTimeout(() => writeRest(rest), FULL_PIPE_RETRY_MS).unref();
        return;
      }
      const unwritten = noteWritten(rest, error === null ? writtenBytes : 0);
      if (error === null && unwritten.length > 0) {
        writeRest(unwritten);
        return;
      }
      if (error !== null) drop(countLines(unwritten));
      writeNext();
      if (error === null && hasFailed) {
        hasFailed = false;
        onRecovered();
      }
    });
  };
  return {
    write: (line) => {
      if (queuedCharacters + line.length > MAXIMUM_QUEUED_CHARACTERS) {
        drop(1);
        return;
      }
      queue.push(line);
      queuedCharacters += line.length;
      if (!isWriting) writeNext();
    },
    flushSync: () => {
      try {
        let rest = delayed ?? Buffer.alloc(0);
        while (rest.length > 0 || queue.length > 0) {
          if (rest.length === 0) rest = takeBatch();
          rest = noteWritten(rest, writeSync(fileDescriptor, rest));
        }
      } catch {
        // The process ends: there is no later line that could report the count.
      }
    },
  };
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (const byte of bytes) if (byte === LINE_FEED) lines += 1;
  return lines;
}
