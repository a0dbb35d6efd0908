import { lazy } from 'react';
import { Route, Switch } from 'wouter';
import { ShipmentList } from './list/list.tsx';

const NewShipment = lazy(() => import('./form/new-shipment.tsx'));
const EditShipment = lazy(() => import('./form/edit-shipment.tsx'));

/** The table of shipments; `/shipments/new` makes one, `/shipments/<id>/edit` changes one. */
export default function ShipmentsScreen() {
  return (
    <Switch>
      <Route path="/shipments/new">
        <NewShipment />
      </Route>
      <Route path="/shipments/:id/edit">{({ id }) => <EditShipment key={id} id={id} />}</Route>
      <Route>
        <ShipmentList />
      </Route>
    </Switch>
  );
}
