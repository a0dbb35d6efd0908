import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { SearchAttributePair } from '@temporalio/common';
import type { CommandReport, ShipmentSnapshot } from '../activities/index.ts';
import { SEARCH_ATTRIBUTES } from './messages.ts';
import type { WebhookProgress } from './webhook-dispatcher.ts';

/**
 * What ops see of a shipment in the Web UI: current details, and attributes to search by. An attribute is written only when
 * it changes: each write costs an event. Current details cost none.
 */
export class WorkflowVisibility {
  readonly #heading: string;
  #snapshot: ShipmentSnapshot;
  #deadLetters: number;
  #inFlight = 0;
  #outcome: CommandReport | null = null;
  #isCancellationRequested = false;

  /** `heading` names the shipment on the first line. */
  constructor(heading: string, snapshot: ShipmentSnapshot) {
    this.#heading = heading;
    this.#snapshot = snapshot;
    this.#deadLetters = snapshot.deadLetters;
    this.#publish();
  }

  /** Shows the shipment as it was read from the database. */
  showSnapshot(snapshot: ShipmentSnapshot): void {
    this.#snapshot = snapshot;
    this.#deadLetters = snapshot.deadLetters;
    this.#publish();
  }

  /** Shows what the newest command came to; it is published with the snapshot that follows. */
  showOutcome(outcome: CommandReport): void {
    this.#outcome = outcome;
  }

  /** Shows how the webhooks go. */
  showWebhooks({ inFlight, deadLetters }: WebhookProgress): void {
    this.#inFlight = inFlight;
    this.#deadLetters = deadLetters ?? this.#deadLetters;
    this.#publish();
  }

  /** Shows that a cancellation was requested, and what to do instead. */
  showCancellation(): void {
    this.#isCancellationRequested = true;
    this.#publish();
  }

  #publish(): void {
    setCurrentDetails(this.#details());
    const changes = this.#changedAttributes();
    if (changes.length > 0) upsertSearchAttributes(changes);
  }

  #details(): string {
    const { status, tasks } = this.#snapshot;
    return [
      `**${this.#heading}: ${status}**${deadlineOf(this.#snapshot)}. ${this.#webhooks()}`,
      '',
      ...(this.#isCancellationRequested
        ? ['**Cancellation has no effect.** To cancel a shipment, use the API.', '']
        : []),
      ...(this.#outcome === null ? [] : [outcomeLine(this.#outcome), '']),
      ...(tasks.length === 0
        ? ['No tasks yet: the shipment awaits approval.']
        : tasks.map(taskLine).reverse()),
      '',
      'Last state read from the database.',
    ].join('\n');
  }

  #webhooks(): string {
    const parts = [
      ...(this.#inFlight === 0 ? [] : [`${this.#inFlight} pending delivery`]),
      ...(this.#deadLetters === 0 ? [] : [`**${this.#deadLetters} on the dead-letter queue**`]),
    ];
    return parts.length === 0 ? 'Webhooks: all settled.' : `Webhooks: ${parts.join(', ')}.`;
  }

  #changedAttributes(): SearchAttributePair[] {
    const { status, isDeadlineMissed } = this.#snapshot;
    const hasDeadLetter = this.#deadLetters > 0;
    const known = workflowInfo().typedSearchAttributes;
    const { shipmentStatus, deadlineMissed, hasDeadLetter: deadLetter } = SEARCH_ATTRIBUTES;
    return [
      ...(known.get(shipmentStatus) === status ? [] : [{ key: shipmentStatus, value: status }]),
      ...((known.get(deadlineMissed) ?? false) === isDeadlineMissed
        ? []
        : [{ key: deadlineMissed, value: isDeadlineMissed }]),
      ...((known.get(deadLetter) ?? false) === hasDeadLetter
        ? []
        : [{ key: deadLetter, value: hasDeadLetter }]),
    ];
  }
}

/** A line for each task, the newest first: the Web UI shows few lines, and may cut the last. */
function taskLine({ type, status, attempts, failureReason }: ShipmentSnapshot['tasks'][number]): string {
  const why = failureReason === null ? '' : `, ${failureReason}`;
  return `- ${type} **${status}**${why}${attempts > 1 ? ` (attempt ${attempts})` : ''}`;
}

function outcomeLine({ caption, outcome, reason }: CommandReport): string {
  return `Last command: ${caption} **${outcome}**${reason === null ? '' : `: ${reason}`}`;
}

function deadlineOf({ isDeadlineMissed, deadline }: ShipmentSnapshot): string {
  if (isDeadlineMissed) return ', deadline missed';
  return deadline === null ? '' : `, due ${deadline.due.slice(0, 16).replace('T', ' ')} UTC`;
}
