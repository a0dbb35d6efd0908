import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Socket } from 'node:net';

/** An HTTP server that can be stopped without dropping a request. */
interface DrainableServer {
  readonly server: Server;
  /**
   * Refuses new connections and answers every request on those that are there, each with `Connection: close`, so that the
   * client opens no further request on it. Resolves when the last connection has ended, and with it the work for callers that
   * have gone: an import continues without them (decision 0032). Never rejects.
   */
  readonly drain: () => Promise<void>;
}

/** A client that uses its connection has sent its next request by then, or has been answered. */
const IDLE_GRACE_MS = 2_000;
const SWEEP_EVERY_MS = 250;
/** For requests under way: a command waits 5 s for its outcome, an import of 10,000 rows takes 2.3 s (docs/performance.md). */
const DRAIN_MS = 20_000;

/** Makes the server; the caller lets it listen. `handle` resolves when a request is done with, whether or not it was answered. */
export function createDrainableServer(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>,
): DrainableServer {
  const working = new Set<Promise<unknown>>();
  const responses = new Set<ServerResponse>();
  const sockets = new Set<Socket>();
  let isDraining = false;
  const server = createServer((request, response) => {
    if (isDraining) response.setHeader('connection', 'close');
    responses.add(response);
    response.once('close', () => responses.delete(response));
    const work = handle(request, response).finally(() => working.delete(work));
    working.add(work);
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const closeUnused = (): void => {
    server.closeIdleConnections();
    // Node counts a connection that has sent nothing yet as one that waits for a request.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  return {
    server,
    drain: async () => {
      isDraining = true;
      for (const response of responses) if (!response.headersSent) response.setHeader('connection', 'close');
      // `close` of an HTTP server resets every connection without a request in hand, also where the next request is on
      // its way. That of the TCP server beneath only stops listening.
      const closed = new Promise<void>((resolve) => {
        NetServer.prototype.close.call(server, () => resolve());
      });
      let sweep: NodeJS.Timeout | undefined;
      const grace = setTimeout(() => {
        closeUnused();
        sweep = setInterval(closeUnused, SWEEP_EVERY_MS);
      }, IDLE_GRACE_MS);
      const forced = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      const late = delay(DRAIN_MS, undefined, { ref: false });
      await closed;
      await Promise.race([Promise.allSettled(working), late]);
      for (const timer of [grace, sweep, forced]) clearTimeout(timer);
    },
  };
}
