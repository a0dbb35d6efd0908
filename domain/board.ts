import type { TaskStatus, TaskType } from './enumerations.ts';
import { isTerminalTask } from './shipment-status.ts';

/** How many tasks a board shows; more are left out, and the board says so. */
export const MAXIMUM_BOARD_TASKS = 20_000;

/** A day of an organization, in its time zone. */
export interface BoardDay {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly startsAt: Date;
  /** The first moment of the next day. */
  readonly endsAt: Date;
  readonly isToday: boolean;
}

/** What decides on which days a task is shown. */
export interface PlannedTask {
  readonly type: TaskType;
  readonly status: TaskStatus;
  readonly after: Date | null;
  readonly before: Date | null;
  /** When it ended; null while it is open. */
  readonly completedAt: Date | null;
  /** The day of its delivery run, `YYYY-MM-DD`. */
  readonly runDate: string | null;
}

/**
 * THE rule of which tasks a day has (decision 0030): those of its runs; those that ended on it; and open ones by their window.
 * Today has every open task that is due: its window begins before the day is over, or it has none. Another day has those whose
 * window touches it. Whoever follows the changes asks the same rule of each row.
 */
export function isOnBoard(task: PlannedTask, { date, startsAt, endsAt, isToday }: BoardDay): boolean {
  if (task.runDate === date) return true;
  if (isTerminalTask(task.type, task.status)) {
    return task.completedAt !== null && startsAt <= task.completedAt && task.completedAt < endsAt;
  }
  const { after, before } = task;
  if (isToday) return after === null || after < endsAt;
  const begins = after ?? before;
  const ends = before ?? after;
  return begins !== null && ends !== null && begins < endsAt && startsAt <= ends;
}

/** The amount to collect at a task, in cents: recipients pay at the delivery, and nobody pays elsewhere. */
export function cashAtTask(type: TaskType, totalCodToCollectCents: number): number {
  return type === 'delivery' ? totalCodToCollectCents : 0;
}
