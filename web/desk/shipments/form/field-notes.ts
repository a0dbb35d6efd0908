import { useLingui } from '@lingui/react/macro';
import { isFeeOpen, pickupPointChangeProblem } from '../../../../domain/shipment-edit.ts';
import { toId } from '../../../../domain/ids.ts';
import type { Shipment } from '../reads.ts';
import type { FieldNotes } from './field-inputs.tsx';

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** What can no longer be changed of a shipment, or no longer has its usual effect, and why; by the domain's own rules. */
export function useFieldNotes(shipment: Shipment): FieldNotes {
  const { t } = useLingui();
  const point = shipment.pickupPoint === undefined ? null : toId<'pickup_point'>(NO_ID);
  const another = toId<'pickup_point'>(NO_ID.replace(/0$/, '1'));
  const isPointFixed = pickupPointChangeProblem({ ...shipment, pickupPointId: point }, another) !== undefined;
  const noPoint = t`It can no longer be changed: the pickup has begun, or there is none.`;
  const fee = t`The fee stays as it is: a driver has a task of this shipment.`;
  return {
    ...(isPointFixed && { pickupPoint: { text: noPoint, isFixed: true } }),
    ...(!isFeeOpen(shipment) && {
      packageSize: { text: fee, isFixed: false },
      weight: { text: fee, isFixed: false },
    }),
  };
}
