export { shipment } from './shipment.ts';
export { webhookDelivery } from './webhook-delivery.ts';
