import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { droppedLogLines } from '../platform/log.ts';
import type { WorkerMetrics } from './metrics.ts';

/** What keeps a worker from doing its work, in words; empty when nothing does. */
export type Obstacles = () => Promise<readonly string[]>;

/**
 * Answers on a port of the worker's own: `/health/live` 200 while the process runs, `/health/ready` 200 while it can do
 * its work and 503 with the reasons otherwise, `/metrics` in Prometheus' format, every other path 404. Resolves when it
 * listens. Rejects when the port is in use.
 */
export async function listenForHealth(
  { host, port }: { readonly host: string; readonly port: number },
  obstacles: Obstacles,
  metrics: WorkerMetrics | null = null,
): Promise<Server> {
  const server = createServer((request, response) => {
    if (metrics !== null && request.url === '/metrics') {
      metrics.answer(request, response);
      return;
    }
    void healthAnswer(request.url, obstacles).then(({ code, body }) => {
      response.writeHead(code, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
      response.end(JSON.stringify(body));
    });
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

async function healthAnswer(
  path: string | undefined,
  obstacles: Obstacles,
): Promise<{ readonly code: 200 | 404 | 503; readonly body: object }> {
  if (path === '/health/live') return { code: 200, body: { status: 'up' } };
  if (path !== '/health/ready') return { code: 404, body: { status: 'not found' } };
  const reasons = await obstacles();
  const isReady = reasons.length === 0;
  return {
    code: isReady ? 200 : 503,
    body: { status: isReady ? 'ready' : 'not ready', reasons, droppedLogLines: droppedLogLines() },
  };
}
