export { shipment } from './shipment.ts';
export { webhookReplay } from './webhook-replay.ts';
