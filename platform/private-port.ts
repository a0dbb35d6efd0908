import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Answers one path of a private port. */
export type PrivatePage = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Answers on a port that only operators reach: each path by its page, every other one with 404. Resolves when it listens.
 * Rejects when the port is in use.
 */
export async function listenOnPrivatePort(
  { host, port }: { readonly host: string; readonly port: number },
  pages: ReadonlyMap<string, PrivatePage>,
): Promise<Server> {
  const server = createServer((request, response) => {
    const page = pages.get(request.url ?? '');
    if (page === undefined) answerJson(response, 404, { status: 'not found' });
    else page(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return server;
}

/** Answers with JSON that no one keeps. */
export function answerJson(response: ServerResponse, code: number, body: object): void {
  response.writeHead(code, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}

/** Says in a log why a private port cannot be listened on. `setting` is the one that names the port. */
export function portProblem(error: unknown, port: number, setting: string): string {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  if (isTaken) return `port ${port} is in use: set ${setting} to another`;
  return error instanceof Error ? error.message : 'unknown';
}
