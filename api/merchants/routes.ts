import { recordRoutes } from '../resource/record-routes.ts';
import { merchantRecords } from './records.ts';

export const merchantRoutes = recordRoutes(merchantRecords);
