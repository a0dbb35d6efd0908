import { lazy } from 'react';
import { useAddressParameter } from './address.ts';

const ShipmentDrawer = lazy(() => import('./shipments/drawer.tsx'));

/** What stands over any screen, by the address: `?shipment=<id>` opens that shipment's drawer. */
export function Drawers() {
  const [shipment, openShipment] = useAddressParameter('shipment');
  if (shipment === undefined) return null;
  return <ShipmentDrawer key={shipment} id={shipment} onClose={() => openShipment(undefined)} />;
}
