import { connect, createServer } from 'node:net';

const HOST = '127.0.0.1';

/**
 * Tells whether a server may listen on this TCP port of the loopback address. Asks twice, because some systems
 * let a second server listen next to one that holds the port on every address.
 */
export async function isPortFree(port: number): Promise<boolean> {
  return !(await answers(port)) && (await canListen(port));
}

/**
 * Returns the preferred port when it is free, else the next free one of the hundred above it, else any free one.
 * Ports in `taken` are passed over: they are promised to somebody who does not listen yet.
 */
export async function chooseFreePort(preferred: number, taken: readonly number[] = []): Promise<number> {
  const last = Math.min(preferred + 100, 65_535);
  for (let port = preferred; port <= last; port += 1) {
    if (!taken.includes(port) && (await isPortFree(port))) return port;
  }
  return anyFreePort();
}

/** Returns a port that the system says is free now. */
export async function anyFreePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string')
          reject(new Error('The operating system assigned no port.'));
        else resolve(address.port);
      });
    });
  });
}

function canListen(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen({ port, host: HOST, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

function answers(port: number): Promise<boolean> {
  const socket = connect({ port, host: HOST, timeout: 1000 });
  return new Promise((resolve) => {
    const settle = (isAnswered: boolean): void => {
      socket.destroy();
      resolve(isAnswered);
    };
    socket.once('connect', () => settle(true));
    socket.once('timeout', () => settle(false));
    socket.once('error', () => settle(false));
  });
}
