import { defineSignal, setHandler } from '@temporalio/workflow';
import { FAILURE_REASONS, isOneOf, TASK_TYPES, TRANSITIONS } from '../domain/enumerations.ts';
import type { ShipmentSignal } from './messages.ts';
import { SIGNAL_NAMES } from './messages.ts';

type SignalName = Exclude<ShipmentSignal['name'], (typeof TRANSITIONS)[number]>;

/** What each signal says happened; the Web UI shows it to those who would send one. */
const HAPPENED: Readonly<Record<SignalName, string>> = {
  approve: 'the shipment’s approval was requested',
  delete: 'the shipment’s deletion was requested',
  add_task: 'an additional task was requested',
  reschedule: 'an edit moved the deadline',
  reconcile: 'the reconciler found work that was left behind',
  webhook_settled: 'a replay or a test event ended',
};

/** Ends each description: nothing depends on a signal (decision 0013). */
const NUDGE =
  'The run then decides what is stored in PostgreSQL; sent by hand, it changes nothing else and harms nothing.';

const MAX_CAPTIONS = 3;
const FLOOD_SIGNALS = 20;

/**
 * Collects signals. A signal is only a nudge, so any number of them is one reason to look at the stored commands; their
 * names and words make the caption that ops read. Nothing depends on a payload: it may be malformed.
 */
export class SignalInbox {
  readonly #captions: string[] = [];
  #waiting = 0;
  #received = 0;

  /**
   * Receives every known signal from here on. There is no default handler, because the SDK fails the workflow task of a
   * reserved name (`__temporal_…`) when there is one; signals with unknown names are left unread (decision 0013).
   */
  constructor() {
    for (const name of SIGNAL_NAMES) {
      const description = descriptionOf(name);
      setHandler(defineSignal<[unknown?]>(name), (payload) => this.#receive(name, payload), { description });
    }
  }

  /** Whether a signal came since the last `take`. */
  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  /** Whether so many signals wait that a workflow task should be short. */
  get isFlooded(): boolean {
    return this.#waiting > FLOOD_SIGNALS;
  }

  /** Signals that this run has received. */
  get received(): number {
    return this.#received;
  }

  /** Takes all waiting signals together, as a caption: `pick_up (pickup), deliver (delivery) and 2 more`. */
  take(): string {
    const more = this.#waiting - this.#captions.length;
    const caption =
      this.#waiting === 0
        ? 'waiting commands'
        : this.#captions.join(', ') + (more > 0 ? ` and ${more} more` : '');
    this.#captions.length = 0;
    this.#waiting = 0;
    return caption;
  }

  #receive(name: string, payload: unknown): void {
    this.#waiting += 1;
    this.#received += 1;
    if (this.#captions.length < MAX_CAPTIONS) this.#captions.push(captionOf(name, payload));
  }
}

function captionOf(name: string, payload: unknown): string {
  if (typeof payload !== 'object' || payload === null) return name;
  const taskType =
    'taskType' in payload && isOneOf(TASK_TYPES, payload.taskType) ? ` (${payload.taskType})` : '';
  const reason = 'reason' in payload && isOneOf(FAILURE_REASONS, payload.reason) ? `: ${payload.reason}` : '';
  return `${name}${taskType}${reason}`;
}

function descriptionOf(name: ShipmentSignal['name']): string {
  const happened = isOneOf(TRANSITIONS, name) ? `\`${name}\` of a task was requested` : HAPPENED[name];
  return `Says that ${happened}. ${NUDGE}`;
}
