import { recordRoutes } from '../hydra/record-routes.ts';
import { merchantRecords } from './records.ts';

export const merchantRoutes = recordRoutes(merchantRecords);
