import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { SearchAttributePair } from '@temporalio/common';
import type { ShipmentSnapshot } from '../activities/index.ts';
import { SEARCH_ATTRIBUTES } from './messages.ts';

/** What ops see of a shipment in the Web UI: current details, and attributes to search by. */
export class ShipmentBoard {
  readonly #trackingNumber: string;

  constructor(trackingNumber: string) {
    this.#trackingNumber = trackingNumber;
  }

  /** Shows the shipment as it stands. An attribute is written only when it changes: each write costs an event. */
  show(
    snapshot: ShipmentSnapshot,
    webhooks: { readonly inFlight: number; readonly deadLetters: number },
  ): void {
    setCurrentDetails(this.#details(snapshot, webhooks));
    const changes = changedAttributes(snapshot, webhooks.deadLetters > 0);
    if (changes.length > 0) upsertSearchAttributes(changes);
  }

  #details(
    snapshot: ShipmentSnapshot,
    webhooks: { readonly inFlight: number; readonly deadLetters: number },
  ): string {
    return [
      `**${this.#trackingNumber}: ${snapshot.status}**${deadlineOf(snapshot)}. ${webhooksOf(webhooks)}`,
      '',
      ...(snapshot.tasks.length === 0
        ? ['No tasks yet: the shipment awaits approval.']
        : snapshot.tasks.map(taskLine).reverse()),
      '',
      'As Postgres last told this run.',
    ].join('\n');
  }
}

/** A line for each task, the newest first: the Web UI shows few lines, and may cut the last. */
function taskLine({ type, status, attempts, failureReason }: ShipmentSnapshot['tasks'][number]): string {
  const why = failureReason === null ? '' : `, ${failureReason}`;
  return `- ${type} **${status}**${why}${attempts > 1 ? ` (attempt ${attempts})` : ''}`;
}

function webhooksOf({ inFlight, deadLetters }: { inFlight: number; deadLetters: number }): string {
  const words = [
    ...(inFlight === 0 ? [] : [`${inFlight} being sent`]),
    ...(deadLetters === 0 ? [] : [`**${deadLetters} on the dead-letter queue**`]),
  ];
  return words.length === 0 ? 'Webhooks: none open.' : `Webhooks: ${words.join(', ')}.`;
}

function deadlineOf({ isDeadlineMissed, openDeadline }: ShipmentSnapshot): string {
  if (isDeadlineMissed) return ', deadline missed';
  return openDeadline === null ? '' : `, due ${openDeadline.slice(0, 16).replace('T', ' ')} UTC`;
}

function changedAttributes(snapshot: ShipmentSnapshot, hasDeadLetter: boolean): SearchAttributePair[] {
  const known = workflowInfo().typedSearchAttributes;
  const changes: SearchAttributePair[] = [];
  if (known.get(SEARCH_ATTRIBUTES.shipmentStatus) !== snapshot.status) {
    changes.push({ key: SEARCH_ATTRIBUTES.shipmentStatus, value: snapshot.status });
  }
  if (snapshot.isDeadlineMissed !== (known.get(SEARCH_ATTRIBUTES.deadlineMissed) ?? false)) {
    changes.push({ key: SEARCH_ATTRIBUTES.deadlineMissed, value: snapshot.isDeadlineMissed });
  }
  if (hasDeadLetter && known.get(SEARCH_ATTRIBUTES.hasDeadLetter) !== true) {
    changes.push({ key: SEARCH_ATTRIBUTES.hasDeadLetter, value: true });
  }
  return changes;
}
