import type { Context } from 'koa';
import { setTimeout as delay } from 'node:timers/promises';
import type { OrganizationId, UserId } from '../../domain/ids.ts';
import { ProblemError } from '../../domain/problem.ts';
import type { BudgetClass } from '../../domain/request-budgets.ts';
import { BUDGET_WINDOW_SECONDS, budgetLines } from '../../domain/request-budgets.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../store/connection.ts';
import { countUnits } from '../../store/accounts/request-budgets.ts';
import type { LineState } from './budget-ledger.ts';
import { createBudgetLedger } from './budget-ledger.ts';
import type { CountedWindow } from './rate-limit.ts';
import { rateLimitHeaders } from './rate-limit.ts';

/**
 * How long a rejection is delayed. A loop that is rejected immediately asks again immediately, and each rejection costs
 * the check of a session: delayed, a client with 16 connections makes 80 such requests a second.
 */
export const REJECTION_DELAY_MS = 200;

/** Whose budgets a request is counted against. */
interface BudgetOwner {
  readonly userId: UserId;
  readonly organizationId: OrganizationId;
}

/** The budgets of the dashboard's requests, shared by all API processes (decision 0017). */
export interface RequestBudgets {
  /**
   * Takes units of a class from the owner's budgets, and sets the `RateLimit` headers of both. Throws a limited ProblemError, with
   * the headers of the budget that has to be waited for, where either is used up; it costs no unit and comes after
   * REJECTION_DELAY_MS.
   */
  readonly take: (
    budgetClass: BudgetClass,
    owner: BudgetOwner,
    units: number,
    context: Context,
  ) => Promise<void>;
  /** Writes the counts that are written behind; see BudgetLedger. */
  readonly settle: () => Promise<void>;
  /** Settles for the last time, before the database is closed. Never rejects. */
  readonly close: () => Promise<void>;
}

/** Makes the budgets of this process, at `percent` of the numbers in domain/request-budgets.ts. */
export function createRequestBudgets(database: Database, clock: Clock, percent: number): RequestBudgets {
  const ledger = createBudgetLedger((charges) => countUnits(database, charges, BUDGET_WINDOW_SECONDS), clock);
  return {
    take: async (budgetClass, owner, units, context) => {
      const { isTaken, states } = await ledger.take(budgetLines(budgetClass, owner, percent), units);
      if (isTaken) {
        context.set(rateLimitHeaders(states.map(windowOf)));
        return;
      }
      const refusing = states.reduce((found, state) =>
        state.retryAfterSeconds > found.retryAfterSeconds ? state : found,
      );
      context.set(rateLimitHeaders([windowOf(refusing)]));
      await delay(REJECTION_DELAY_MS);
      throw usedUp(budgetClass, refusing);
    },
    settle: ledger.settle,
    close: ledger.close,
  };
}

function usedUp(budgetClass: BudgetClass, state: LineState): ProblemError {
  const { limit, policy } = state.line;
  return new ProblemError({
    kind: 'limited',
    detail: `The budget ${policy} (${limit} units within ${BUDGET_WINDOW_SECONDS} seconds, for requests of the class ${budgetClass}) does not cover this request; wait for the time given in Retry-After.`,
    retryAfterSeconds: state.retryAfterSeconds,
  });
}

function windowOf({ line, remaining, resetSeconds }: LineState): CountedWindow {
  const { policy, limit } = line;
  return { policy, limit, windowSeconds: BUDGET_WINDOW_SECONDS, hit: { remaining, resetSeconds } };
}
