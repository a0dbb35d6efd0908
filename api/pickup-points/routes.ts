import { recordRoutes } from '../hydra/record-routes.ts';
import { pickupPointRecords } from './records.ts';

export const pickupPointRoutes = recordRoutes(pickupPointRecords);
