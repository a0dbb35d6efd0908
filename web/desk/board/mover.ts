import type { ProblemDocument } from '../../shared/problem.ts';
import { LastMove } from './last-move.ts';
import type { Plan, Step } from './plan.ts';
import { leavesRun, planUndo, stepAfter, withoutPlace } from './plan.ts';
import type { Outcome } from './requests.ts';
import { MAXIMUM_TRANSITIONS } from './requests.ts';
import type { Move, MoveEvent } from './move.ts';
import { isWaiting, shows } from './move.ts';
import type { Iri } from './rows.ts';
import type { StepListener } from './send-steps.ts';
import { sendSteps } from './send-steps.ts';
import type { Mark } from './views.ts';
import type { BoardStore } from './store.ts';

/** An applied move is shown until the stream tells of it, and not longer than this. */
const NEWS_WITHIN_MS = 3_000;

/** A step under way. */
interface Running {
  readonly move: Move;
  /** The version that its row had when it was made: what the stream tells of it is newer. */
  readonly version: number;
  step: Step;
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
  private readonly listener: StepListener = {
    isOpen: (task) => this.running.get(task)?.state === 'open',
    settle: (step, outcome) => this.settle(step, outcome),
    mark: (steps, mark) => this.markOpen(steps, mark),
    onUnsent: (seconds) => this.onEvent({ kind: 'unsent', seconds }),
  };
  private store: BoardStore;
  private onEvent: (event: MoveEvent) => void;

  constructor(store: BoardStore, onEvent: (event: MoveEvent) => void) {
    this.store = store;
    this.onEvent = onEvent;
  }

  /** Shows what is open or was rejected on another board: moves outlive the screen and the filter under which they were made. */
  attach(store: BoardStore, onEvent: (event: MoveEvent) => void): void {
    const before = this.store;
    this.store = store;
    this.onEvent = onEvent;
    before.onNews = () => undefined;
    store.onNews = (task) => this.hear(task);
    if (before === store) return;
    for (const task of this.running.keys()) store.overlay(task, before.overlayOf(task));
    for (const [task, rejection] of before.rejected()) store.reject(task, rejection);
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
      const version = this.store.rows.tasks.get(step.task)?.version ?? 0;
      this.running.set(step.task, { step, move, version, state: 'open', isActive: true });
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
    if (move === undefined) {
      this.last.forget();
      this.onEvent({ kind: last === undefined || last.isUndo ? 'nothing_to_undo' : 'no_way_back' });
      return;
    }
    if (this.dropQueued(move) || !this.canTakeBack(move.plan)) return;
    const { outcome } = this.last;
    this.last.forget();
    const isUnsent = move.plan.some(({ task }) => this.store.overlayOf(task)?.mark === 'unsent');
    if (isUnsent) this.putBack(move);
    void outcome.then((applied) => {
      if (isUnsent) this.putBack(move);
      if (applied.length === 0) {
        if (!isUnsent) this.onEvent({ kind: 'nothing_to_undo' });
      } else if (this.canTakeBack(applied)) this.make(planUndo(this.store, applied), true);
      else if (this.last.get() === undefined) this.last.note(move, outcome);
    });
  }

  /** Takes back the places that were chosen for cards of a move before its answer: nobody was asked for them yet. */
  private dropQueued(move: Move): boolean {
    const queued = [...this.running.values()].filter((running) => running.move === move && running.next);
    for (const running of queued) {
      delete running.next;
      this.mark(running.step, this.store.overlayOf(running.step.task)?.mark ?? 'sending');
    }
    if (queued.length === 0) return false;
    this.store.topics.tell();
    this.onEvent({ kind: 'applied', move: { plan: queued.map(({ step }) => step), isUndo: true } });
    return true;
  }

  /** Whether the board has each task, so that it knows what to ask. Another day or filter, or one that is still read, may not. */
  private canTakeBack(plan: Plan): boolean {
    const hasAll = plan.every(({ task }) => this.store.task(task) !== undefined);
    if (!hasAll) this.onEvent({ kind: 'no_way_back' });
    return hasAll;
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
    const isOf = (running: Running) => move === undefined || running.move === move;
    const left = [...this.running.values()].filter((running) => this.isLeft(running) && isOf(running));
    if (left.length === 0) return;
    for (const { step } of left) this.end(step);
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
    return [stepAfter(running.step, step, running.move.isUndo)];
  }

  private isLeft({ step, isActive }: Running): boolean {
    return !isActive && isWaiting(this.store.overlayOf(step.task)?.mark);
  }

  private async runAll(move: Move, steps: Plan): Promise<Plan> {
    this.noteActive(steps, true);
    for (let first = 0; first < steps.length; first += MAXIMUM_TRANSITIONS) {
      await sendSteps(steps.slice(first, first + MAXIMUM_TRANSITIONS), this.listener);
    }
    const inState = (state: Running['state']) =>
      steps.flatMap(({ task }) => {
        const running = this.running.get(task);
        return running?.state === state ? [running.step] : [];
      });
    const misplaced = await this.place(inState('applied'));
    const [applied, rejected] = [inState('applied'), inState('rejected')];
    for (const step of rejected) this.running.delete(step.task);
    this.noteActive(steps, false);
    if (inState('open').length === 0) this.last.settle(move, applied.length > 0);
    const next = applied.flatMap(({ task }) => this.running.get(task)?.next ?? []);
    for (const step of applied) this.awaitNews(step);
    this.store.topics.tell();
    const tasks = [...rejected.map(({ task }) => task), ...misplaced];
    if (tasks.length > 0) this.onEvent({ kind: 'rejected', move, tasks });
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
    this.store.reject(step.task, { transition, driver, problem });
  }

  /**
   * Gives applied tasks their places; one that the service rejects is shown as a rejected change of place. Resolves to the tasks
   * whose transition was applied nevertheless.
   */
  private async place(steps: Plan): Promise<ReadonlySet<Iri>> {
    const moving = steps.filter((step) => step.place !== undefined || leavesRun(step));
    const misplaced = new Set<Iri>();
    if (moving.length === 0) return misplaced;
    const isApplied = (task: Iri) => this.running.get(task)?.state === 'applied' && !misplaced.has(task);
    const onProblem = (step: Step, problem: ProblemDocument) => {
      const running = this.running.get(step.task);
      this.putBackRejected({ ...step, transition: undefined }, problem);
      if (running === undefined) return;
      if (step.transition === undefined) {
        running.state = 'rejected';
        return;
      }
      misplaced.add(step.task);
      delete running.next;
      running.step = withoutPlace(step);
      this.mark(running.step, 'sending');
    };
    try {
      const { placeApplied } = await import('./place-applied.ts');
      await placeApplied(moving, isApplied, onProblem);
    } catch {
      for (const step of moving) onProblem(step, { status: 503, title: 'The service did not answer.' });
    }
    return misplaced;
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
      if (running.isActive) return;
      this.end(running.step);
      if (running.next !== undefined) this.make([running.next]);
    }
  }

  private awaitNews(step: Step): void {
    const row = this.store.rows.tasks.get(step.task);
    const running = this.running.get(step.task);
    if (running === undefined || running.next !== undefined) return;
    if (row === undefined || (row.version > running.version && shows(row, step))) {
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
