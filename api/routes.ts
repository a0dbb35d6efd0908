import { auditRoutes } from './audit/routes.ts';
import { authRoutes } from './auth/routes.ts';
import { boardRoutes } from './board/routes.ts';
import { changeRoutes } from './changes/routes.ts';
import { commandRoutes } from './commands/routes.ts';
import { deliveryRunRoutes } from './delivery-runs/routes.ts';
import { driverRoutes } from './drivers/routes.ts';
import { externalRoutes } from './external/routes.ts';
import { geocodeRoutes } from './geocode/routes.ts';
import { groupedPickupRoutes } from './pickup-points/grouped-pickup.ts';
import type { RouteDefinition } from './http/route.ts';
import { merchantRoutes } from './merchants/records.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { pickupPointRecords } from './pickup-points/records.ts';
import { importRecordRoutes } from './imports/routes.ts';
import { exportRoutes } from './shipments/export/routes.ts';
import { importRoutes } from './shipments/import/routes.ts';
import { documentRoutes } from './shipments/document-routes.ts';
import { shipmentRoutes } from './shipments/routes.ts';
import { sessionRecordRoutes } from './sessions/routes.ts';
import { taskRoutes } from './tasks/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { userRoutes } from './users/routes.ts';
import { zoneRoutes } from './zones/records.ts';

/** Every endpoint, once: the router, the permission checks, OpenAPI and the tests read these rows. */
export const routes: readonly RouteDefinition[] = [
  ...authRoutes,
  ...sessionRecordRoutes,
  ...exportRoutes,
  ...importRoutes,
  ...importRecordRoutes,
  ...documentRoutes,
  ...shipmentRoutes,
  ...taskRoutes,
  ...deliveryRunRoutes,
  ...groupedPickupRoutes,
  ...webhookRoutes,
  ...auditRoutes,
  ...commandRoutes,
  ...boardRoutes,
  ...changeRoutes,
  ...driverRoutes,
  ...pickupPointRecords.routes,
  ...merchantRoutes,
  ...zoneRoutes,
  ...geocodeRoutes,
  ...organizationRoutes,
  ...userRoutes,
  ...externalRoutes,
];
