import type { Middleware } from 'koa';
import { selectOne } from '../../store/connection.ts';
import { pendingMigrations } from '../../store/migrate.ts';
import type { Dependencies } from '../dependencies.ts';

/**
 * `/health/live`: this process runs. `/health/ready`: the database answers and is migrated; Temporal's state is told
 * but does not make the API unready, since requests are accepted without it.
 */
export function health({ database }: Pick<Dependencies, 'database'>): Middleware {
  return async (context, next) => {
    if (context.path === '/health/live') {
      context.body = { status: 'up' };
      return;
    }
    if (context.path !== '/health/ready') {
      await next();
      return;
    }
    const databaseState = await databaseStateOf(database);
    context.status = databaseState === 'up' ? 200 : 503;
    context.body = { status: databaseState === 'up' ? 'ready' : 'not ready', database: databaseState };
  };
}

async function databaseStateOf(database: Dependencies['database']): Promise<'up' | 'away' | 'not migrated'> {
  try {
    await selectOne(database, 'select 1 as one');
    const pending = await pendingMigrations(database).catch(() => ['unknown']);
    return pending.length === 0 ? 'up' : 'not migrated';
  } catch {
    return 'away';
  }
}
