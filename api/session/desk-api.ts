import type Koa from 'koa';
import type { Middleware } from 'koa';
import { createConsoleAuthentication } from '../auth/authenticate.ts';
import type { Dependencies } from '../dependencies.ts';
import type { RouteDefinition } from '../http/route.ts';
import { createRouter } from '../http/router.ts';
import { requireOwnOrigin } from './own-origin.ts';
import { sessionRoutes } from './routes.ts';

const DESK_API = '/desk/api';
const HEADERS = { vary: 'Accept, Accept-Language, Cookie', 'cross-origin-resource-policy': 'same-origin' };

/** Whether a path is below the console's door to the API. */
export function isDeskApi(path: string): boolean {
  return path === DESK_API || path.startsWith(`${DESK_API}/`);
}

/**
 * Adds the console's door to the API (decision 0029): `/desk/api/session`, and the dashboard's rows below `/desk/api/v1` with the user
 * whom the cookie names. They are the rows of `/api/v1` under the same checks, with the same answers; other surfaces are missing here.
 */
export function addDeskApi(app: Koa, rows: readonly RouteDefinition[], dependencies: Dependencies): void {
  const authentication = createConsoleAuthentication(dependencies);
  const dashboardRows = rows.filter(({ surface }) => surface === 'dashboard');
  app.use(door(dependencies.config.publicUrl));
  app.use(createRouter(sessionRoutes, dependencies, authentication, DESK_API));
  app.use(createRouter(dashboardRows, dependencies, authentication, `${DESK_API}/v1`));
}

function door(publicUrl: string): Middleware {
  const { origin } = new URL(publicUrl);
  return async (context, next) => {
    if (isDeskApi(context.path)) {
      context.set(HEADERS);
      requireOwnOrigin(context, origin);
    }
    await next();
  };
}
