import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

/** A way to a server that a test can cut, freeze and reconnect. */
export interface FlakyProxy {
  /** The server's URL with the proxy's host and port in it. */
  readonly url: string;
  /** Breaks every connection, and each new one as soon as it is made, until `reconnect`. */
  readonly disconnect: () => void;
  /** Keeps every connection open, and each new one, and passes no bytes until `reconnect`: a server that was stopped. */
  readonly freeze: () => void;
  readonly reconnect: () => void;
  readonly stop: () => Promise<void>;
}

/** Listens before a TCP server and passes bytes both ways. */
export async function startFlakyProxy(serverUrl: string): Promise<FlakyProxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const flows = new Set<() => void>();
  let isDisconnected = false;
  let isFrozen = false;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A broken connection is what this proxy is for.
    socket.on('error', () => undefined);
  };
  const server = createServer((incoming) => {
    keep(incoming);
    if (isDisconnected) {
      incoming.destroy();
      return;
    }
    const outgoing = connect(Number(target.port), target.hostname);
    keep(outgoing);
    const flow = (): void => {
      incoming.pipe(outgoing).pipe(incoming);
    };
    flows.add(flow);
    if (!isFrozen) flow();
    incoming.on('close', () => {
      flows.delete(flow);
      outgoing.destroy();
    });
    outgoing.on('close', () => incoming.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${address.port}`;
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    disconnect: () => {
      isDisconnected = true;
      breakAll();
    },
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    reconnect: () => {
      isDisconnected = false;
      if (!isFrozen) return;
      isFrozen = false;
      for (const flow of flows) flow();
    },
    stop: async () => {
      breakAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
