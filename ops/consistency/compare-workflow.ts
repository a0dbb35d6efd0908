import { isTerminalShipment } from '../../domain/shipment-status.ts';
import type { ComparedShipment } from '../../store/consistency.ts';
import type { Finding } from './finding.ts';

/** A running workflow as Temporal shows it. */
export interface ShownWorkflow {
  readonly status: string | null;
  readonly isDeadlineMissed: boolean;
  readonly hasDeadLetter: boolean;
}

/**
 * Compares a shipment with its workflow; `workflow` is null where none is running. A shipment that has ended keeps its
 * workflow while events are being sent.
 */
export function compareWorkflow(
  shipment: ComparedShipment,
  workflow: ShownWorkflow | null,
): readonly Finding[] {
  const { shipmentId, status } = shipment;
  const finding = (kind: Finding['kind'], detail: string, act: 'start' | 'signal'): Finding => ({
    ...{ kind, id: shipmentId, shipmentId, detail },
    repair: { act, subject: shipment },
  });
  const hasEnded = isTerminalShipment(status);
  if (workflow === null) {
    return hasEnded ? [] : [finding('no_workflow', `it is ${status} and has no running workflow`, 'start')];
  }
  if (hasEnded && shipment.pendingEvents === 0) {
    return [finding('needless_workflow', `it is ${status} and its workflow still runs`, 'signal')];
  }
  const different = differences(shipment, workflow);
  if (different.length === 0) return [];
  return [finding('search_attribute', `Temporal shows ${different.join(', ')}`, 'signal')];
}

function differences(shipment: ComparedShipment, workflow: ShownWorkflow): readonly string[] {
  const pairs: readonly (readonly [
    name: string,
    shown: string | boolean | null,
    stored: string | boolean | null,
  ])[] = [
    ['ShipmentStatus', workflow.status, shipment.status],
    ['DeadlineMissed', workflow.isDeadlineMissed, shipment.isDeadlineMissed],
    ['HasDeadLetter', workflow.hasDeadLetter, shipment.hasDeadLetter],
  ];
  return pairs.flatMap(([name, shown, stored]) =>
    shown === stored || stored === null ? [] : [`${name} ${shown ?? 'unset'} where PostgreSQL has ${stored}`],
  );
}
