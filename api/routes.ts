import { authRoutes } from './auth/routes.ts';
import { commandRoutes } from './commands/routes.ts';
import { externalRoutes } from './external/routes.ts';
import type { RouteRow } from './http/route.ts';
import { shipmentRoutes } from './shipments/routes.ts';
import { taskRoutes } from './tasks/routes.ts';

/** Every endpoint, once: the router, the permission checks, OpenAPI and the tests read these rows. */
export const routes: readonly RouteRow[] = [
  ...authRoutes,
  ...shipmentRoutes,
  ...taskRoutes,
  ...commandRoutes,
  ...externalRoutes,
];
