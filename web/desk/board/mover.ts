import type { ProblemDocument } from '../../shared/problem.ts';
import { isAway, RejectedRequest, UnansweredRequest } from '../../shared/problem.ts';
import type { Plan, Step } from './plan.ts';
import { canUndo, planUndo } from './plan.ts';
import type { Rejection } from './rejection.ts';
import type { Outcome } from './requests.ts';
import { MAXIMUM_TRANSITIONS, readOutcome, sendTransitions } from './requests.ts';
import { leaveRun, placeInRun } from './run-places.ts';
import type { Move, MoveEvent } from './move.ts';
import { isWaiting, pause, shows, withResolver } from './move.ts';
import type { Iri } from './rows.ts';
import type { Mark } from './views.ts';
import type { BoardStore } from './store.ts';

/** A move without an answer by then is marked as not confirmed. */
const UNCONFIRMED_AFTER_MS = 10_000;
/** How often a move is repeated, with the same keys, when its answer was lost; then a person decides. */
const REPEAT_AFTER_MS = [1_000, 3_000];
const ASK_AGAIN_AFTER_MS = 2_000;
/** An applied move is shown until the stream tells of it, and not longer than this. */
const NEWS_WITHIN_MS = 3_000;
export const UNDO_WITHIN_MS = 10_000;

/** A step under way. */
interface Running {
  readonly step: Step;
  readonly move: Move;
  state: 'open' | 'applied' | 'rejected';
  /** Whether something of it is under way now: a request, a repeat that comes, a question for its outcome. */
  isActive: boolean;
}

/**
 * Makes moves: shows each at once, sends it, and keeps it marked until its outcome is known. It is sent again by itself only after
 * a lost answer, under the same keys; whatever the service could not take is left for a person to send again.
 */
export class Mover {
  private readonly running = new Map<Iri, Running>();
  private readonly store: BoardStore;
  private readonly onEvent: (event: MoveEvent) => void;
  private last: Move | undefined;

  constructor(store: BoardStore, onEvent: (event: MoveEvent) => void) {
    this.store = store;
    this.onEvent = onEvent;
    store.onNews = (task) => this.hear(task);
  }

  /** Makes a move; false where the plan asks nothing. */
  make(plan: Plan, isUndo = false): boolean {
    // A card that still waits for an answer is asked nothing more: its outcome decides what can be asked.
    const free = plan.filter(({ task }) => !this.running.has(task));
    if (free.length === 0) return false;
    const { promise, resolve } = withResolver<Plan>();
    const move: Move = { plan: free, isUndo, madeAtMs: Date.now(), done: promise };
    for (const step of free) {
      this.running.set(step.task, { step, move, state: 'open', isActive: true });
      this.store.reject(step.task, undefined);
      this.mark(step, 'sending');
    }
    this.store.topics.tell();
    if (!isUndo) this.last = canUndo(free) ? move : undefined;
    this.onEvent({ kind: 'made', move });
    void this.runAll(move, free).then(resolve);
    return true;
  }

  /** The move that can be taken back now. */
  undoable(nowMs: number): Move | undefined {
    return this.last !== undefined && nowMs - this.last.madeAtMs < UNDO_WITHIN_MS ? this.last : undefined;
  }

  /** Takes back the last move, as soon as its outcome is known; false where there is none. */
  undo(): boolean {
    const move = this.undoable(Date.now());
    this.last = undefined;
    if (move === undefined) return false;
    void move.done.then((applied) => this.make(planUndo(this.store, applied), true));
    return true;
  }

  /** Sends again what was not sent or not confirmed, under the keys that it had. */
  sendAgain(): void {
    const waiting = [...this.running.values()].filter((running) => this.isLeft(running));
    for (const move of new Set(waiting.map((running) => running.move))) {
      const steps = waiting.filter((running) => running.move === move).map(({ step }) => step);
      for (const step of steps) this.mark(step, 'sending');
      void this.runAll(move, steps);
    }
    this.store.topics.tell();
  }

  /** Puts back what was not sent. What was not confirmed may still have happened: the stream tells. */
  putBack(): void {
    for (const running of this.running.values()) if (this.isLeft(running)) this.end(running.step);
    this.store.topics.tell();
  }

  private isLeft({ step, isActive }: Running): boolean {
    return !isActive && isWaiting(this.store.overlayOf(step.task)?.mark);
  }

  private async runAll(move: Move, steps: Plan): Promise<Plan> {
    this.noteActive(steps, true);
    for (let first = 0; first < steps.length; first += MAXIMUM_TRANSITIONS) {
      await this.send(steps.slice(first, first + MAXIMUM_TRANSITIONS), 0);
    }
    const applied = steps.filter(({ task }) => this.running.get(task)?.state === 'applied');
    await this.place(applied);
    const rejected = steps.filter(({ task }) => this.running.get(task)?.state === 'rejected');
    for (const step of rejected) this.running.delete(step.task);
    for (const step of applied) this.awaitNews(step);
    this.noteActive(steps, false);
    this.store.topics.tell();
    if (rejected.length > 0)
      this.onEvent({ kind: 'rejected', move, tasks: rejected.map(({ task }) => task) });
    else if (applied.length > 0) this.onEvent({ kind: 'applied', move });
    return applied;
  }

  private noteActive(steps: Plan, isActive: boolean): void {
    for (const { task } of steps) {
      const running = this.running.get(task);
      if (running !== undefined) running.isActive = isActive;
    }
  }

  /** Sends transitions and settles their steps. Never rejects. */
  private async send(steps: Plan, tries: number): Promise<void> {
    const moving = steps.filter(({ transition }) => transition !== undefined);
    for (const step of steps) if (step.transition === undefined) this.settle(step, { status: 'applied' });
    if (moving.length === 0) return;
    const timer = setTimeout(() => this.markOpen(moving, 'unconfirmed'), UNCONFIRMED_AFTER_MS);
    try {
      const outcomes = await sendTransitions(moving);
      const pending: Promise<void>[] = [];
      for (const step of moving) {
        const outcome = outcomes.get(step.task) ?? { status: 'skipped' };
        if (outcome.status === 'pending') pending.push(this.follow(step, outcome.command));
        else this.settle(step, outcome);
      }
      this.store.topics.tell();
      await Promise.all(pending);
    } catch (error) {
      await this.afterFailure(moving, error, tries);
    } finally {
      clearTimeout(timer);
    }
  }

  private async afterFailure(steps: Plan, error: unknown, tries: number): Promise<void> {
    if (error instanceof RejectedRequest && !isAway(error)) {
      for (const step of steps) this.settle(step, { status: 'rejected', problem: error.problem });
      return;
    }
    if (error instanceof RejectedRequest) {
      this.markOpen(steps, 'unsent');
      this.onEvent({ kind: 'unsent', seconds: error.retryAfterSeconds });
      return;
    }
    this.markOpen(steps, 'unconfirmed');
    const waitMs = REPEAT_AFTER_MS[tries];
    if (waitMs === undefined || !(error instanceof UnansweredRequest)) return;
    await pause(waitMs);
    const open = steps.filter(({ task }) => this.running.get(task)?.state === 'open');
    if (open.length > 0) await this.send(open, tries + 1);
  }

  /** Asks for the outcome of a command until it is known, or until the stream has told of it. */
  private async follow(step: Step, command: Iri): Promise<void> {
    this.markOpen([step], 'pending');
    this.store.topics.tell();
    while (this.running.get(step.task)?.state === 'open') {
      await pause(ASK_AGAIN_AFTER_MS);
      const outcome = await readOutcome(command).catch(() => undefined);
      if (outcome !== undefined) this.settle(step, outcome);
    }
  }

  private settle(step: Step, outcome: Outcome): void {
    const running = this.running.get(step.task);
    if (running?.step !== step || running.state !== 'open') return;
    if (outcome.status === 'applied') {
      running.state = 'applied';
      return;
    }
    running.state = 'rejected';
    this.putBackRejected(step, outcome.status === 'rejected' ? outcome.problem : undefined);
  }

  private putBackRejected(step: Step, problem: ProblemDocument | undefined): void {
    const { transition = 'order', driver } = step;
    this.store.overlay(step.task, undefined);
    this.store.reject(step.task, { transition, driver, problem } satisfies Rejection);
  }

  /** Puts applied tasks into the runs where they have a place, and takes the others out of the runs that they leave. */
  private async place(steps: Plan): Promise<void> {
    const leaving = steps.filter(
      ({ before, place, transition }) =>
        before.deliveryRun !== undefined &&
        place === undefined &&
        transition !== 'unassign' &&
        transition !== 'reactivate' &&
        (transition === 'assign' || transition === undefined),
    );
    await Promise.all(
      leaving.map((step) => this.attempt([step], () => leaveRun(step.before.deliveryRun ?? '', step.task))),
    );
    const runs = new Set(steps.flatMap(({ place }) => place?.run ?? []));
    for (const run of runs) {
      const here = steps.filter(
        ({ place, task }) => place?.run === run && this.running.get(task)?.state === 'applied',
      );
      const placings = here.flatMap(({ task, place, before }) =>
        place === undefined ? [] : [{ task, at: place.at, isNew: before.deliveryRun !== run }],
      );
      if (placings.length > 0) await this.attempt(here, () => placeInRun(run, placings));
    }
  }

  private async attempt(steps: Plan, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      const problem =
        error instanceof RejectedRequest
          ? error.problem
          : { status: 503, title: 'The service did not answer.' };
      for (const step of steps) {
        const running = this.running.get(step.task);
        if (running !== undefined) running.state = 'rejected';
        this.putBackRejected({ ...step, transition: undefined }, problem);
      }
    }
  }

  private mark(step: Step, mark: Mark): void {
    this.store.overlay(step.task, { patch: step.patch, mark });
  }

  private markOpen(steps: Plan, mark: Mark): void {
    for (const step of steps) if (this.running.get(step.task)?.state === 'open') this.mark(step, mark);
    this.store.topics.tell();
  }

  /** The service told of a task: a move that it shows now is over, and one that was answered was told of. */
  private hear(task: Iri): void {
    const running = this.running.get(task);
    const row = this.store.rows.tasks.get(task);
    const overlay = this.store.overlayOf(task);
    if (running === undefined || overlay === undefined) return;
    if (overlay.mark === 'applied') this.end(running.step);
    else if (isWaiting(overlay.mark) && row !== undefined && shows(row, running.step)) {
      running.state = 'applied';
      if (!running.isActive) this.end(running.step);
    }
  }

  private awaitNews(step: Step): void {
    const row = this.store.rows.tasks.get(step.task);
    if (row === undefined || (row.version > step.before.version && shows(row, step))) {
      this.end(step);
      return;
    }
    this.mark(step, 'applied');
    setTimeout(() => {
      if (this.running.get(step.task)?.step !== step) return;
      this.end(step);
      this.store.readAgain();
    }, NEWS_WITHIN_MS);
  }

  private end(step: Step): void {
    this.running.delete(step.task);
    this.store.overlay(step.task, undefined);
  }
}
