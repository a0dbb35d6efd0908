import { createServer } from 'node:http';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Socket } from 'node:net';

/** An HTTP server that can be stopped without dropping a request. */
interface DrainableServer {
  readonly server: Server;
  /**
   * Refuses new connections and answers every request on those that are there, each with `Connection: close`, so that the
   * client opens no further request on it. Resolves when the last connection has ended. Never rejects.
   */
  readonly drain: () => Promise<void>;
}

/** A client that uses its connection has sent its next request by then, or has been answered. */
const IDLE_GRACE_MS = 2_000;
const SWEEP_EVERY_MS = 250;
/** For requests under way: a command waits 5 s for its outcome, an import of 10,000 rows takes 2.3 s (docs/performance.md). */
const DRAIN_MS = 20_000;

/** Makes the server; the caller lets it listen. */
export function createDrainableServer(handle: RequestListener): DrainableServer {
  const responses = new Set<ServerResponse>();
  const sockets = new Set<Socket>();
  let isDraining = false;
  const server = createServer((request, response) => {
    if (isDraining) response.setHeader('connection', 'close');
    responses.add(response);
    response.once('close', () => responses.delete(response));
    handle(request, response);
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
      await closed;
      for (const timer of [grace, sweep, forced]) clearTimeout(timer);
    },
  };
}
