import { Refusal } from '../../domain/problem.ts';
import type { Found } from '../../store/tenant.ts';

/**
 * Returns a found record. Throws a Refusal: 403 for another organization's on both APIs, 404 for an unknown one
 * (contract «Errors», interpretation 38).
 */
export function taken<Row>(found: Found<Row>, what: string): Row {
  switch (found.kind) {
    case 'found':
      return found.row;
    case 'foreign':
      throw new Refusal({ kind: 'forbidden', detail: `This ${what} belongs to another organization.` });
    case 'missing':
      throw new Refusal({ kind: 'missing', detail: `There is no such ${what}.` });
  }
}

/** Refuses a record that is not the actor's own, where the permission reaches only those. */
export function ownOnly(isOwn: boolean, what: string): void {
  if (!isOwn) throw new Refusal({ kind: 'forbidden', detail: `This ${what} is not yours.` });
}
