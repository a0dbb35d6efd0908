import type { Exchange, Operation, Violation } from './history.ts';

/**
 * Checks that requests with the same `Idempotency-Key` got the same answer: the same verdict and the same effect, where a
 * 202 agrees with whatever the command came to, as `GET /commands/{id}` tells it.
 */
export function checkRepeats(operations: readonly Operation[]): readonly Violation[] {
  return operations.flatMap((operation) => {
    const answers = operation.exchanges.filter(({ verdict }) => verdict !== 'none');
    const verdicts = new Set(answers.flatMap((answer) => finalVerdict(answer, operation)));
    const effects = new Set(
      answers.flatMap(({ verdict, effect }) => (effect === null ? [] : [`${verdict} ${effect}`])),
    );
    const kinds = new Set([...effects].map((effect) => effect.split(' ')[0]));
    const isSame = verdicts.size <= 1 && effects.size === kinds.size;
    if (isSame) return [];
    const said = answers.map(({ status, verdict, effect }) =>
      `${status ?? ''} ${verdict} ${effect ?? ''}`.trim(),
    );
    return [
      {
        property: 'same key, same answer',
        shipmentId: operation.shipmentId,
        evidence: `operation ${operation.id} (${operation.action.kind}) was answered: ${said.join('; then ')}`,
      },
    ];
  });
}

function finalVerdict({ verdict }: Exchange, { resolution }: Operation): readonly string[] {
  if (verdict !== 'accepted') return [verdict];
  return resolution === null ? [] : [resolution.status];
}
