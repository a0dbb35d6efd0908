import { recordRoutes } from '../resource/record-routes.ts';
import { pickupPointRecords } from './records.ts';

export const pickupPointRoutes = recordRoutes(pickupPointRecords);
