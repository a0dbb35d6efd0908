import { recordRoutes } from '../resource/record-routes.ts';
import { zoneRecords } from './records.ts';

export const zoneRoutes = recordRoutes(zoneRecords);
