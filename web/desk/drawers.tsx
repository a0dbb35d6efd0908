import { lazy } from 'react';
import { useAddressParameter } from './address.ts';
import { useSession } from './session.tsx';

const DeliveryDrawer = lazy(() => import('./webhooks/drawer.tsx'));
const DriverDrawer = lazy(() => import('./drivers/drawer.tsx'));
const ShipmentDrawer = lazy(() => import('./shipments/drawer.tsx'));
const PlaceDrawer = lazy(() => import('./map/place-drawer.tsx'));

/**
 * What stands over any screen, by the address: `?shipment=<id>` opens that shipment's drawer, `?driver=<id>` a driver's,
 * `?delivery=<id>` a webhook delivery's. A shipment opens over these, which lead to it; `?place=<id of a task>`, where a task
 * is, over all.
 */
export function Drawers() {
  const { may } = useSession();
  const [delivery, openDelivery] = useAddressParameter('delivery');
  const [driver, openDriver] = useAddressParameter('driver');
  const [shipment, openShipment] = useAddressParameter('shipment');
  const [place, openPlace] = useAddressParameter('place');
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
      {place !== undefined && may('task.edit') && (
        <PlaceDrawer key={place} id={place} onClose={() => openPlace(undefined)} />
      )}
    </>
  );
}
