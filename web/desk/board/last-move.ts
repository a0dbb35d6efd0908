import type { Move } from './move.ts';
import type { Plan } from './plan.ts';
import { canUndo } from './plan.ts';

export const UNDO_WITHIN_MS = 10_000;

/** The move that can be taken back: the last one, for 10 s after it was made, and again after its answer, which may come late. */
export class LastMove {
  private move: Move | undefined;
  private sinceMs = 0;
  /** Resolves to what was applied of it, once nothing of it is under way. */
  outcome: Promise<Plan> = Promise.resolve([]);

  /** Notes a move that was made. */
  note(move: Move, outcome: Promise<Plan>): void {
    this.move = move;
    this.sinceMs = Date.now();
    this.outcome = outcome;
  }

  /** Notes that what is left of a move is sent again. */
  renew(move: Move, outcome: Promise<Plan>): void {
    if (this.move !== move) return;
    const both = Promise.all([this.outcome, outcome]);
    this.note(
      move,
      both.then((plans) => plans.flat()),
    );
  }

  /** Notes that a move was answered, and whether anything of it was applied. */
  settle(move: Move, isApplied: boolean): void {
    if (this.move !== move) return;
    if (isApplied) this.sinceMs = Date.now();
    else this.move = undefined;
  }

  /** The last move, whether or not it has an opposite; undefined where it was too long ago. */
  get(): Move | undefined {
    return Date.now() - this.sinceMs < UNDO_WITHIN_MS ? this.move : undefined;
  }

  /** The move that can be taken back now. */
  undoable(): Move | undefined {
    const move = this.get();
    return move !== undefined && !move.isUndo && canUndo(move.plan) ? move : undefined;
  }

  forget(): void {
    this.move = undefined;
  }
}
