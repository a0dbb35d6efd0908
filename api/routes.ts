import { authRoutes } from './auth/routes.ts';
import { commandRoutes } from './commands/routes.ts';
import { driverRoutes } from './drivers/routes.ts';
import { externalRoutes } from './external/routes.ts';
import type { RouteRow } from './http/route.ts';
import { documentRoutes } from './shipments/documents/routes.ts';
import { shipmentRoutes } from './shipments/routes.ts';
import { taskRoutes } from './tasks/routes.ts';

/** Every endpoint, once: the router, the permission checks, OpenAPI and the tests read these rows. */
export const routes: readonly RouteRow[] = [
  ...authRoutes,
  ...documentRoutes,
  ...shipmentRoutes,
  ...taskRoutes,
  ...commandRoutes,
  ...driverRoutes,
  ...externalRoutes,
];
