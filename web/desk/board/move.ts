import type { Plan, Step } from './plan.ts';
import type { BoardTask, Iri } from './rows.ts';
import type { Mark } from './views.ts';

/** One act of a person and how far it is. */
export interface Move {
  readonly plan: Plan;
  readonly isUndo: boolean;
}

/** What the board tells a person of: rejections are shown at their cards. */
export type MoveEvent =
  | { readonly kind: 'made' | 'applied'; readonly move: Move }
  | { readonly kind: 'rejected'; readonly move: Move; readonly tasks: readonly Iri[] }
  | { readonly kind: 'unsent'; readonly seconds: number | undefined }
  | { readonly kind: 'put_back' | 'still_waiting' | 'nothing_changes' | 'nothing_to_undo' | 'no_way_back' };

/** Whether a mark leaves the outcome open and nothing answers for it at the moment. */
export function isWaiting(mark: Mark | undefined): boolean {
  return mark === 'unconfirmed' || mark === 'pending' || mark === 'unsent';
}

/** Whether a row is as a move makes it; its position among others apart. */
export function shows(row: BoardTask, { patch: { driver, status, deliveryRun }, patch }: Step): boolean {
  return (
    (!('driver' in patch) || row.driver === driver) &&
    (!('deliveryRun' in patch) || row.deliveryRun === deliveryRun) &&
    (status === undefined || row.status === status)
  );
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
