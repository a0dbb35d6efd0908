import { createServer } from 'node:http';
import type { Server } from 'node:http';

/** What a worker does: it polls its task queues, waits for Temporal, or ends. */
export type WorkerPhase = 'polling' | 'waiting for Temporal' | 'stopping';

/**
 * Answers, for those who watch over containers, on a port of the worker's own: `/health/live` 200 while the
 * process runs, `/health/ready` 200 while it polls and 503 otherwise, every other path 404. Resolves when it
 * listens. Rejects when the port is in use.
 */
export async function listenForHealth(
  { host, port }: { readonly host: string; readonly port: number },
  phase: () => WorkerPhase,
): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = healthAnswer(request.url, phase());
    response.writeHead(answer.code, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    response.end(JSON.stringify({ status: answer.status }));
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

function healthAnswer(
  path: string | undefined,
  phase: WorkerPhase,
): { readonly code: 200 | 404 | 503; readonly status: string } {
  if (path === '/health/live') return { code: 200, status: 'up' };
  if (path === '/health/ready') return { code: phase === 'polling' ? 200 : 503, status: phase };
  return { code: 404, status: 'no such page: /health/live and /health/ready are all there is' };
}
