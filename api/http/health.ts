import type { Middleware } from 'koa';
import { droppedLogLines } from '../../platform/log.ts';
import { migrationCheck } from '../../store/migrate.ts';
import type { Dependencies } from '../dependencies.ts';

/** How soon a probe may see another state: the database is asked at most once a second. */
const RETRY_SECONDS = '2';

/**
 * `/health/live`: this process runs. `/health/ready`: the database answers and is migrated. Temporal has no part in it:
 * requests are accepted while it is unreachable.
 */
export function health({ database }: Pick<Dependencies, 'database'>): Middleware {
  const isMigrated = migrationCheck(database);
  const databaseState = async (): Promise<'up' | 'unreachable' | 'not migrated'> => {
    if (!(await database.isReachable())) return 'unreachable';
    return (await isMigrated()) ? 'up' : 'not migrated';
  };
  return async (context, next) => {
    if (context.path === '/health/live') {
      context.body = { status: 'up' };
      return;
    }
    if (context.path !== '/health/ready') {
      await next();
      return;
    }
    const state = await databaseState();
    context.status = state === 'up' ? 200 : 503;
    if (state !== 'up') context.set('retry-after', RETRY_SECONDS);
    context.body = {
      status: state === 'up' ? 'ready' : 'not ready',
      database: state,
      droppedLogLines: droppedLogLines(),
    };
  };
}
