import type { Creation } from './creations.ts';
import type { Exchange, ShipmentHistory, Violation } from './history.ts';

/**
 * Checks that every response is one that the contract knows. A dependency that is unreachable is 503; 500 is a fault of the
 * service.
 */
export function checkResponses(
  creations: readonly Creation[],
  histories: readonly ShipmentHistory[],
): readonly Violation[] {
  const sent = [
    ...creations.map(({ reference, exchanges }) => ({
      name: `creation ${reference}`,
      shipmentId: null,
      exchanges,
    })),
    ...histories.flatMap(({ operations }) =>
      operations.map(({ id, shipmentId, action, exchanges }) => ({
        ...{ name: `${action.kind} [${id}]`, shipmentId, exchanges },
      })),
    ),
  ];
  return sent.flatMap(({ name, shipmentId, exchanges }) => {
    const odd = exchanges.filter(isOdd).map(({ status }) => status);
    if (odd.length === 0) return [];
    return [
      { property: 'expected response', shipmentId, evidence: `${name} was answered with ${odd.join(', ')}` },
    ];
  });
}

function isOdd({ status, verdict }: Exchange): boolean {
  return verdict === 'unexpected' || status === 500;
}
