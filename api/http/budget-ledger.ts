import type { BudgetLine } from '../../domain/request-budgets.ts';
import { BUDGET_WINDOW_SECONDS } from '../../domain/request-budgets.ts';
import type { Clock } from '../../platform/clock.ts';
import type { BudgetCharge, BudgetCount } from '../../store/accounts/request-budgets.ts';

/** Where one budget stands, as far as this process knows. */
export interface LineState {
  readonly line: BudgetLine;
  readonly remaining: number;
  /** Seconds until the oldest unit leaves the window. */
  readonly resetSeconds: number;
  /** Seconds until it has room for what was asked; 0 where it had. */
  readonly retryAfterSeconds: number;
}

/** What became of units that were asked for: all were taken from every budget, or none from any. */
interface Taking {
  readonly isTaken: boolean;
  readonly states: readonly LineState[];
}

/** This process's part in counting units that all processes share (decision 0017). */
export interface BudgetLedger {
  /** Rejects with the store's error where Postgres had to be asked and failed; nothing is taken then. */
  readonly take: (lines: readonly BudgetLine[], units: number) => Promise<Taking>;
  /** Writes what was taken and not written yet. It happens by itself a second after the first such unit. */
  readonly settle: () => Promise<void>;
  /** Settles for the last time. Never rejects: what cannot be written is a second of counts. */
  readonly close: () => Promise<void>;
}

const WINDOW_MS = BUDGET_WINDOW_SECONDS * 1_000;
const SETTLE_AFTER_MS = 1_000;
const SUBJECTS_IN_A_STATEMENT = 100;

/** What this process knows of one budget. Moments in milliseconds of the clock. */
interface Account {
  readonly line: BudgetLine;
  /** Units of all processes within the window, as Postgres last counted them. */
  used: number;
  /** Units taken here that no statement has carried yet; negative for units to give back. */
  unwritten: number;
  /** Units that statements under way carry. */
  underWay: number;
  /** There is no room before this moment. */
  fullUntilMs: number;
  resetAtMs: number;
  countedAtMs: number;
}

type Count = (charges: readonly BudgetCharge[]) => Promise<readonly BudgetCount[]>;

/**
 * Makes a ledger over `count`, which is the store's `countUnits`. Within a line's `unwrittenLimit` units are taken here and
 * written behind; beyond it, and always where it is 0, Postgres is asked. So the units within a window are never more than
 * the limit and one `unwrittenLimit` for each process. A budget that is known to be exhausted rejects without asking.
 */
export function createBudgetLedger(count: Count, clock: Clock): BudgetLedger {
  const accounts = new Map<string, Account>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const settle = async (): Promise<void> => {
    dropIdle(accounts, clock().getTime());
    const changed = [...accounts.values()].filter(({ unwritten }) => unwritten !== 0);
    for (let start = 0; start < changed.length; start += SUBJECTS_IN_A_STATEMENT) {
      const part = changed.slice(start, start + SUBJECTS_IN_A_STATEMENT);
      await write(
        count,
        clock,
        part.map((account) => ({ account, wanted: 0 })),
      );
    }
  };
  const settleSoon = (): void => {
    if (isClosed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      // What could not be written is there again, and goes with the next.
      settle().catch(settleSoon);
    }, SETTLE_AFTER_MS).unref();
  };

  /** Asks Postgres for the units. When a budget rejects, those that granted get them back. */
  const ask = async (ours: readonly Account[], units: number): Promise<Taking> => {
    const asked = ours.map((account) => ({ account, wanted: wantedOf(account, units) }));
    const counts = await write(count, clock, asked);
    const granted = ours.filter(({ line }) => counts.get(line.subject)?.isGranted === true);
    const isTaken = granted.length === ours.length;
    if (!isTaken) {
      for (const account of granted) giveBack(account, units);
      settleSoon();
    }
    const nowMs = clock().getTime();
    return {
      isTaken,
      states: ours.map((one) => stateOf(one, nowMs, waitSeconds(counts.get(one.line.subject)))),
    };
  };

  return {
    take: async (lines, units) => {
      const nowMs = clock().getTime();
      const ours = lines.map((line) => openAccount(accounts, line, nowMs));
      if (ours.some(({ fullUntilMs }) => nowMs < fullUntilMs)) return rejectedLocally(ours, nowMs);
      if (!ours.every((account) => mayTakeHere(account, units))) return ask(ours, units);
      for (const account of ours) account.unwritten += units;
      settleSoon();
      return { isTaken: true, states: ours.map((one) => stateOf(one, nowMs, 0)) };
    },
    settle,
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await settle().catch(() => undefined);
    },
  };
}

/** Carries the accounts' unwritten units to Postgres and asks for more. Where that fails they are unwritten again. */
async function write(
  count: Count,
  clock: Clock,
  asked: readonly { readonly account: Account; readonly wanted: number }[],
): Promise<ReadonlyMap<string, BudgetCount>> {
  const carried = asked.map(({ account, wanted }) => {
    const spent = account.unwritten;
    account.unwritten = 0;
    account.underWay += spent;
    return { account, wanted, spent };
  });
  try {
    const found = await count(
      carried.map(({ account: { line }, wanted, spent }) => {
        return { subject: line.subject, limit: line.limit, wanted, spent };
      }),
    );
    const counts = new Map(found.map((one) => [one.subject, one]));
    const nowMs = clock().getTime();
    for (const { account } of carried) learn(account, counts.get(account.line.subject), nowMs);
    return counts;
  } catch (error) {
    for (const { account, spent } of carried) account.unwritten += spent;
    throw error;
  } finally {
    for (const { account, spent } of carried) account.underWay -= spent;
  }
}

/** The answer where a budget is known to be used up until a moment. */
function rejectedLocally(ours: readonly Account[], nowMs: number): Taking {
  const waitOf = ({ fullUntilMs }: Account) => Math.max(0, (fullUntilMs - nowMs) / 1_000);
  return { isTaken: false, states: ours.map((account) => stateOf(account, nowMs, waitOf(account))) };
}

/** A request for more than a whole budget needs an empty one. */
function wantedOf({ line }: Account, units: number): number {
  return Math.min(units, line.limit);
}

function giveBack(account: Account, units: number): void {
  account.unwritten -= wantedOf(account, units);
  account.fullUntilMs = 0;
}

function waitSeconds(found: BudgetCount | undefined): number {
  return found === undefined || found.isGranted ? 0 : Math.max(0, found.fitsInSeconds ?? 0);
}

function learn(account: Account, found: BudgetCount | undefined, nowMs: number): void {
  if (found === undefined) return;
  account.used = found.used;
  account.countedAtMs = nowMs;
  account.resetAtMs = nowMs + (found.oldestInSeconds ?? BUDGET_WINDOW_SECONDS) * 1_000;
  account.fullUntilMs = found.used >= account.line.limit ? nowMs + (found.roomInSeconds ?? 0) * 1_000 : 0;
}

function mayTakeHere({ line, used, unwritten, underWay }: Account, units: number): boolean {
  const pending = unwritten + underWay + units;
  return pending <= line.unwrittenLimit && used + pending <= line.limit;
}

/** The account of a budget. What Postgres counted a window ago counts no more: all of it has left. */
function openAccount(accounts: Map<string, Account>, line: BudgetLine, nowMs: number): Account {
  const account = accounts.get(line.subject) ?? {
    line,
    used: 0,
    unwritten: 0,
    underWay: 0,
    fullUntilMs: 0,
    resetAtMs: 0,
    countedAtMs: nowMs,
  };
  accounts.set(line.subject, account);
  if (nowMs - account.countedAtMs >= WINDOW_MS) account.used = 0;
  if (account.resetAtMs <= nowMs) account.resetAtMs = nowMs + WINDOW_MS;
  return account;
}

/** Forgets subjects that asked for nothing for a window, so that the memory is that of a minute. */
function dropIdle(accounts: Map<string, Account>, nowMs: number): void {
  for (const [subject, { unwritten, underWay, countedAtMs }] of accounts) {
    if (unwritten === 0 && underWay === 0 && nowMs - countedAtMs >= WINDOW_MS) accounts.delete(subject);
  }
}

function stateOf(account: Account, nowMs: number, retryAfterSeconds: number): LineState {
  const { line, used, unwritten, underWay, resetAtMs } = account;
  return {
    line,
    remaining: Math.max(0, line.limit - used - unwritten - underWay),
    resetSeconds: Math.max(0, (resetAtMs - nowMs) / 1_000),
    retryAfterSeconds,
  };
}
