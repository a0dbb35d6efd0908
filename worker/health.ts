import type { Server } from 'node:http';
import { droppedLogLines } from '../platform/log.ts';
import type { PrivatePage } from '../platform/private-port.ts';
import { answerJson, listenOnPrivatePort } from '../platform/private-port.ts';
import type { Database } from '../store/connection.ts';
import { migrationCheck } from '../store/migrate.ts';

/** What keeps a worker from doing its work, in words; empty when nothing does. */
export type Obstacles = () => Promise<readonly string[]>;

/** What keeps the database from serving a worker: it does not answer, or has not all migrations. Undefined when nothing does. */
export function obstacleOfDatabase(database: Database): () => Promise<string | undefined> {
  const isMigrated = migrationCheck(database);
  return async () => {
    if (!(await database.isReachable())) return 'PostgreSQL is unreachable';
    return (await isMigrated()) ? undefined : 'the database is not migrated';
  };
}

/**
 * Answers on a port of the worker's own: `/health/live` 200 while the process runs, `/health/ready` 200 while it can do
 * its work and 503 with the reasons otherwise, `/metrics` in Prometheus' format, every other path 404. Resolves when it
 * listens. Rejects when the port is in use.
 */
export function listenForHealth(
  address: { readonly host: string; readonly port: number },
  obstacles: Obstacles,
  metrics: PrivatePage | null = null,
): Promise<Server> {
  const ready = async (): Promise<{ readonly code: 200 | 503; readonly body: object }> => {
    const reasons = await obstacles();
    const isReady = reasons.length === 0;
    return {
      code: isReady ? 200 : 503,
      body: { status: isReady ? 'ready' : 'not ready', reasons, droppedLogLines: droppedLogLines() },
    };
  };
  const pages: readonly (readonly [string, PrivatePage])[] = [
    ['/health/live', (_request, response) => answerJson(response, 200, { status: 'up' })],
    [
      '/health/ready',
      (_request, response) => void ready().then(({ code, body }) => answerJson(response, code, body)),
    ],
  ];
  return listenOnPrivatePort(
    address,
    new Map(metrics === null ? pages : [...pages, ['/metrics', metrics] as const]),
  );
}
