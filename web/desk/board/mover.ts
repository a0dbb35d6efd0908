import type { ProblemDocument } from '../../shared/problem.ts';
import { isAway, RejectedRequest, UnansweredRequest } from '../../shared/problem.ts';
import { LastMove } from './last-move.ts';
import type { Plan, Step } from './plan.ts';
import { leavesRun, planUndo, stepAfter } from './plan.ts';
import type { Rejection } from './rejection.ts';
import type { Outcome } from './requests.ts';
import { MAXIMUM_TRANSITIONS, readOutcome, sendTransitions } from './requests.ts';
import type { Move, MoveEvent } from './move.ts';
import { isWaiting, pause, shows } from './move.ts';
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

/** A step under way. */
interface Running {
  readonly step: Step;
  readonly move: Move;
  state: 'open' | 'applied' | 'rejected';
  /** Whether something of it is under way now: a request, a repeat that comes, a question for its outcome. */
  isActive: boolean;
  /** Another place for the same card, which the person chose before this step was answered. */
  next?: Step;
}

/**
 * Makes moves: shows each at once, sends it, and keeps it marked until its outcome is known. It is sent again by itself only after
 * a lost answer, under the same keys; whatever the service could not take is left for a person to send again.
 */
export class Mover {
  readonly last = new LastMove();
  private readonly running = new Map<Iri, Running>();
  private store: BoardStore;
  private onEvent: (event: MoveEvent) => void;

  constructor(store: BoardStore, onEvent: (event: MoveEvent) => void) {
    this.store = store;
    this.onEvent = onEvent;
  }

  /** Shows what is open on another board: moves outlive the screen and the filter under which they were made. */
  attach(store: BoardStore, onEvent: (event: MoveEvent) => void): void {
    const before = this.store;
    this.store = store;
    this.onEvent = onEvent;
    before.onNews = () => undefined;
    store.onNews = (task) => this.hear(task);
    if (before === store) return;
    for (const task of this.running.keys()) store.overlay(task, before.overlayOf(task));
    store.topics.tell();
  }

  /** Makes a move; false where nothing of it is asked now. */
  make(plan: Plan, isUndo = false): boolean {
    const queued = plan.filter((step) => this.queue(step));
    const free = plan.flatMap((step) => this.freed(step));
    if (free.length === 0) {
      if (plan.length === 0) this.onEvent({ kind: 'nothing_changes' });
      else if (queued.length < plan.length) this.onEvent({ kind: 'still_waiting' });
      return queued.length > 0;
    }
    const move: Move = { plan: free, isUndo };
    for (const step of free) {
      this.running.set(step.task, { step, move, state: 'open', isActive: true });
      this.store.reject(step.task, undefined);
      this.mark(step, 'sending');
    }
    this.store.topics.tell();
    this.last.note(move, this.runAll(move, free));
    this.onEvent({ kind: 'made', move });
    return true;
  }

  /** Takes back the last move, as soon as its outcome is known. Says why where it cannot. */
  undo(): void {
    const last = this.last.get();
    const move = this.last.undoable();
    const outcome = this.last.outcome;
    this.last.forget();
    if (move === undefined)
      this.onEvent({ kind: last === undefined || last.isUndo ? 'nothing_to_undo' : 'no_way_back' });
    else if (move.plan.some(({ task }) => this.store.overlayOf(task)?.mark === 'unsent')) this.putBack(move);
    else
      void outcome.then((applied) => {
        if (applied.length === 0) this.onEvent({ kind: 'nothing_to_undo' });
        else this.make(planUndo(this.store, applied), true);
      });
  }

  /** Sends again what was not sent or not confirmed, under the keys that it had. */
  sendAgain(): void {
    const waiting = [...this.running.values()].filter((running) => this.isLeft(running));
    for (const move of new Set(waiting.map((running) => running.move))) {
      const steps = waiting.filter((running) => running.move === move).map(({ step }) => step);
      for (const step of steps) this.mark(step, 'sending');
      this.last.renew(move, this.runAll(move, steps));
    }
    this.store.topics.tell();
  }

  /** Puts back what was not sent, of one move or of all. What was not confirmed may still have happened: the stream tells. */
  putBack(move?: Move): void {
    for (const running of this.running.values())
      if (this.isLeft(running) && (move === undefined || running.move === move)) this.end(running.step);
    this.store.topics.tell();
    this.onEvent({ kind: 'put_back' });
  }

  /** Keeps another place for a card until the step that is under way is answered: the last place that was chosen counts. */
  private queue(step: Step): boolean {
    const running = this.running.get(step.task);
    if (running === undefined || step.transition !== undefined || !running.isActive) return false;
    const overlay = this.store.overlayOf(step.task);
    if (overlay?.mark !== 'sending') return false;
    running.next = stepAfter(running.step, step);
    this.store.overlay(step.task, { patch: running.next.patch, mark: overlay.mark });
    this.store.topics.tell();
    return true;
  }

  /** The step where its card can be asked for it: an answered one, of which only the news is missing, can. */
  private freed(step: Step): Plan {
    const running = this.running.get(step.task);
    if (running === undefined) return [step];
    if (running.state !== 'applied' || running.isActive) return [];
    this.running.delete(step.task);
    return [stepAfter(running.step, step)];
  }

  private isLeft({ step, isActive }: Running): boolean {
    return !isActive && isWaiting(this.store.overlayOf(step.task)?.mark);
  }

  private async runAll(move: Move, steps: Plan): Promise<Plan> {
    this.noteActive(steps, true);
    for (let first = 0; first < steps.length; first += MAXIMUM_TRANSITIONS) {
      await this.send(steps.slice(first, first + MAXIMUM_TRANSITIONS), 0);
    }
    const inState = (state: Running['state']) =>
      steps.filter(({ task }) => this.running.get(task)?.state === state);
    await this.place(inState('applied'));
    const [applied, rejected] = [inState('applied'), inState('rejected')];
    const isSettled = inState('open').length === 0;
    for (const step of rejected) this.running.delete(step.task);
    this.noteActive(steps, false);
    if (isSettled) this.last.settle(move, applied.length > 0);
    const next = applied.flatMap(({ task }) => this.running.get(task)?.next ?? []);
    for (const step of applied) this.awaitNews(step);
    this.store.topics.tell();
    if (rejected.length > 0)
      this.onEvent({ kind: 'rejected', move, tasks: rejected.map(({ task }) => task) });
    else if (applied.length > 0) this.onEvent({ kind: 'applied', move });
    if (next.length > 0) this.make(next);
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
      this.onEvent({ kind: 'unsent', seconds: error.status === 429 ? error.retryAfterSeconds : undefined });
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

  /** Gives applied tasks their places; one that the service rejects is shown as a rejected change of place. */
  private async place(steps: Plan): Promise<void> {
    const moving = steps.filter((step) => step.place !== undefined || leavesRun(step));
    if (moving.length === 0) return;
    const isApplied = (task: Iri) => this.running.get(task)?.state === 'applied';
    const onProblem = (step: Step, problem: ProblemDocument) => {
      const running = this.running.get(step.task);
      if (running !== undefined) running.state = 'rejected';
      this.putBackRejected({ ...step, transition: undefined }, problem);
    };
    try {
      const { placeApplied } = await import('./place-applied.ts');
      await placeApplied(moving, isApplied, onProblem);
    } catch {
      for (const step of moving) onProblem(step, { status: 503, title: 'The service did not answer.' });
    }
  }

  private mark({ task, patch }: Step, mark: Mark): void {
    this.store.overlay(task, { patch: this.running.get(task)?.next?.patch ?? patch, mark });
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
    if (this.running.get(step.task)?.next !== undefined) return;
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
