import { lazy } from 'react';
import { useAddressParameter } from './address.ts';
import { useSession } from './session.tsx';

const DeliveryDrawer = lazy(() => import('./webhooks/drawer.tsx'));
const DriverDrawer = lazy(() => import('./drivers/drawer.tsx'));
const ShipmentDrawer = lazy(() => import('./shipments/drawer.tsx'));

/**
 * What stands over any screen, by the address: `?shipment=<id>` opens that shipment's drawer, `?driver=<id>` a driver's,
 * `?delivery=<id>` a webhook delivery's. A shipment opens over the others: they lead to it.
 */
export function Drawers() {
  const { may } = useSession();
  const [delivery, openDelivery] = useAddressParameter('delivery');
  const [driver, openDriver] = useAddressParameter('driver');
  const [shipment, openShipment] = useAddressParameter('shipment');
  return (
    <>
      {delivery !== undefined && may('webhook.read') && (
        <DeliveryDrawer key={delivery} id={delivery} onClose={() => openDelivery(undefined)} />
      )}
      {driver !== undefined && may('driver.list') && (
        <DriverDrawer key={driver} id={driver} onClose={() => openDriver(undefined)} />
      )}
      {shipment !== undefined && (
        <ShipmentDrawer key={shipment} id={shipment} onClose={() => openShipment(undefined)} />
      )}
    </>
  );
}
