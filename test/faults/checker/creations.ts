import type { Evidence } from './evidence.ts';
import type { Exchange, Violation } from './history.ts';

/** A creation as a client sent it; `reference` is its `externalReference`, which no other creation has. */
export interface Creation {
  readonly reference: string;
  readonly exchanges: readonly Exchange[];
}

/**
 * Checks that each accepted creation made one shipment, with the id that every response named, and that one without a
 * response made at most one.
 */
export function checkCreations(
  creations: readonly Creation[],
  { shipments }: Pick<Evidence, 'shipments'>,
): readonly Violation[] {
  return creations.flatMap(({ reference, exchanges }) => {
    const made = shipments
      .filter(({ externalReference }) => externalReference === reference)
      .map(({ id }) => id);
    const named = new Set(exchanges.flatMap(({ effect }) => (effect === null ? [] : [effect])));
    const isSame =
      named.size === 0 ? made.length <= 1 : named.size === 1 && made.length === 1 && named.has(made[0] ?? '');
    if (isSame) return [];
    const evidence = `creation ${reference}: responses named ${[...named].join(', ') || 'nothing'}, stored are ${made.join(', ') || 'none'}`;
    return [{ property: 'created once', shipmentId: [...named][0] ?? made[0] ?? null, evidence }];
  });
}
