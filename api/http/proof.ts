import { say } from '../../domain/messages.ts';
import { ProblemError, stated } from '../../domain/problem.ts';
import type { Actor, RouteInfo, UserActor } from './route.ts';

/**
 * Asks a user for what its role alone does not give (decision 0046): the second factor that its organization requires, and at the
 * console the password of the last five minutes. Throws an unproven ProblemError, which is no rejected access.
 */
export function requireProof(
  { asksPassword = false, isOpenWithoutFactor = false }: RouteInfo,
  actor: Actor | null,
): void {
  if (actor?.kind !== 'user') return;
  if (actor.secondFactor === 'missing' && !isOpenWithoutFactor) {
    throw new ProblemError({ kind: 'unproven', ...stated(say('second_factor_missing')) });
  }
  if (asksPassword) requireRecentPassword(actor);
}

/** Throws an unproven ProblemError where a session of the console has not given the password of late. */
export function requireRecentPassword({ isConfirmed }: UserActor): void {
  if (isConfirmed === false) throw new ProblemError({ kind: 'unproven', ...stated(say('step_up_required')) });
}
