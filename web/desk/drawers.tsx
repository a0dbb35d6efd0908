import { lazy } from 'react';
import { useAddressParameter } from './address.ts';
import { useSession } from './session.tsx';

const ShipmentDrawer = lazy(() => import('./shipments/drawer.tsx'));
const PlaceDrawer = lazy(() => import('./map/place-drawer.tsx'));

/** What stands over any screen, by the address: `?shipment=<id>` opens that shipment's drawer, `?place=<id of a task>` where it is. */
export function Drawers() {
  const { may } = useSession();
  const [shipment, openShipment] = useAddressParameter('shipment');
  const [place, openPlace] = useAddressParameter('place');
  return (
    <>
      {shipment !== undefined && (
        <ShipmentDrawer key={shipment} id={shipment} onClose={() => openShipment(undefined)} />
      )}
      {place !== undefined && may('task.edit') && (
        <PlaceDrawer key={place} id={place} onClose={() => openPlace(undefined)} />
      )}
    </>
  );
}
