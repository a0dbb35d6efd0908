// A lock between processes, of Node built-ins alone: it also guards the installation of the packages. The holder listens
// on a local socket, which the system closes when the holder ends, whatever ended it.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

const RETRY_MS = 200;

/**
 * Waits for the lock of that name and takes it. `onHeld` is called with the holder's answer at each try while another
 * process holds it, and may throw to give up. Resolves to the function that releases the lock.
 */
export async function takeLock(name, onHeld, answer = () => '') {
  const socketName = `shipments-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
  // A socket's path must be short: the temporary folder's is, a project's may not be.
  const path =
    process.platform === 'win32' ? `\\\\.\\pipe\\${socketName}` : join(tmpdir(), `${socketName}.sock`);
  for (;;) {
    const server = createServer((socket) => socket.on('error', () => {}).end(answer())).unref();
    try {
      await once(server.listen(path), 'listening');
      return () => server.close();
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error;
    }
    try {
      onHeld(await ask(path));
    } catch (error) {
      // The socket of a holder that was killed.
      if (error.code === 'ECONNREFUSED') rmSync(path, { force: true });
      else if (!SOCKET_CLOSED.has(error.code)) throw error;
      continue;
    }
    await delay(RETRY_MS);
  }
}

/** The holder ended during the question. */
const SOCKET_CLOSED = new Set(['ENOENT', 'ECONNRESET', 'EPIPE']);

function ask(path) {
  return text(connect(path));
}
