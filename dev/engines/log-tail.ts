import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

const POLL_MS = 100;
const CHUNK_BYTES = 65_536;

/**
 * Calls `onLine` with each line that is appended to a file after `startBytes`. `finish` reads what is left and
 * ends the following. The timer never keeps the process alive.
 */
export function followFile(
  path: string,
  startBytes: number,
  onLine: (line: string) => void,
): { finish(): void } {
  const descriptor = openSync(path, 'r');
  const decoder = new StringDecoder('utf8');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let position = startBytes;
  let pending = '';
  const readOn = (): void => {
    for (;;) {
      const readBytes = readSync(descriptor, chunk, 0, CHUNK_BYTES, position);
      if (readBytes === 0) return;
      position += readBytes;
      const lines = (pending + decoder.write(chunk.subarray(0, readBytes))).split('\n');
      pending = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    }
  };
  const timer = setInterval(readOn, POLL_MS).unref();
  return {
    finish: () => {
      clearInterval(timer);
      readOn();
      closeSync(descriptor);
    },
  };
}

/** Returns the last lines of a log file, for an error message; an absent file has none. */
export function lastLines(path: string, count: number): string {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  } catch {
    return '(no log)';
  }
}
