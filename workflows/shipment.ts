import { CancellationScope, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { ShipmentStatus } from '../domain/enumerations.ts';
import { localOrQueued } from './activity-options.ts';
import { DeadlineTimer } from './deadline-timer.ts';
import type { ShipmentInput } from './messages.ts';
import { SEARCH_ATTRIBUTES } from './messages.ts';
import { SignalInbox } from './signal-inbox.ts';
import { WebhookDispatcher } from './webhook-dispatcher.ts';
import { WorkflowVisibility } from './workflow-visibility.ts';

/**
 * A run continues as new after this many signals, and after MAX_SIGNALS also with webhooks in flight. The server fails a
 * workflow task during which more than 100 signals come, and then the run is replayed from its start: under a flood of
 * signals a long history is never replayed in time (decision 0015). The server takes 10,000 signals in one run.
 */
const MANY_SIGNALS = 300;
const MAX_SIGNALS = 1_500;

/**
 * The life of one shipment, from load-or-create to its end. Postgres holds the commands in the order of acceptance and
 * decides them; a signal only says that there is something to decide (decision 0013). The workflow keeps what the deciding
 * activity returned and nothing else, so a run that was lost, reset, terminated or started twice goes on from Postgres.
 * A cancellation of the workflow has no effect: a shipment is cancelled through the API. Resolves to the terminal status,
 * when every webhook event is settled.
 */
export function shipment(input: ShipmentInput): Promise<ShipmentStatus> {
  const inbox = new SignalInbox();
  const { cancelRequested } = CancellationScope.current();
  return CancellationScope.nonCancellable(() => live(input, inbox, cancelRequested));
}

async function live(
  input: ShipmentInput,
  inbox: SignalInbox,
  cancelRequested: Promise<never>,
): Promise<ShipmentStatus> {
  const { shipmentId } = input;
  const loaded = await localOrQueued(`load or create ${trackingNumber()}`, (activities) =>
    activities.loadOrCreateShipment(shipmentId),
  );
  const { organizationId, settings } = loaded;
  let { snapshot } = loaded;
  let cause = 'left pending by an earlier run';
  const visibility = new WorkflowVisibility(summary() ?? loaded.trackingNumber, snapshot);
  cancelRequested.catch(() => visibility.showCancellation());
  const webhooks = new WebhookDispatcher(
    {
      organizationId,
      maxAttempts: settings.webhookMaxAttempts,
      lane: 'live',
    },
    (progress) => visibility.showWebhooks(progress),
  );
  const deadline = new DeadlineTimer();
  const hasCommands = () => inbox.isWaiting || snapshot.hasWaitingCommands;
  const isSettled = () => snapshot.isTerminal && webhooks.inFlight === 0 && !hasCommands();
  const mustContinueAsNew = () =>
    inbox.received >= MAX_SIGNALS ||
    (webhooks.inFlight === 0 &&
      (inbox.received >= MANY_SIGNALS ||
        workflowInfo().continueAsNewSuggested ||
        workflowInfo().historyLength >= settings.continueAsNewAfterEvents));

  for (;;) {
    deadline.setFor(snapshot.deadline);
    webhooks.send(snapshot.pendingEventIds, cause);
    await condition(() => hasCommands() || deadline.isPassed || isSettled() || mustContinueAsNew());

    // There is no await before the leaving: a signal that races it makes the server repeat this task. What a signal of the
    // old run asked for the new run finds in Postgres.
    if (isSettled()) return leave(deadline, snapshot.status);
    if (mustContinueAsNew()) await continueAsNew<typeof shipment>(leave(deadline, input));
    const passed = deadline.takePassed();
    if (passed !== null) {
      snapshot = await localOrQueued('record missed deadline', (activities) =>
        activities.recordDeadlineMissed(shipmentId, passed),
      );
      cause = 'after a missed deadline';
    } else {
      const isQueued = inbox.isFlooded;
      const caption = inbox.take();
      const applied = await localOrQueued(caption, (activities) => activities.applyCommands(shipmentId), {
        isQueued,
      });
      ({ snapshot } = applied);
      if (applied.last !== null) visibility.showOutcome(applied.last);
      cause = `after ${applied.last?.caption ?? caption}`;
    }
    visibility.showSnapshot(snapshot);
  }
}

/** Leaves no timer behind: the next run, or the end, would have to wait for it. */
function leave<Value>(deadline: DeadlineTimer, value: Value): Value {
  deadline.clear();
  return value;
}

/** The summary that the first run was started with: later runs keep it in their memo. */
function summary(): string | undefined {
  const text = workflowInfo().memo?.['summary'];
  return typeof text === 'string' ? text : undefined;
}

/** The tracking number, which the start gave. */
function trackingNumber(): string {
  return workflowInfo().typedSearchAttributes.get(SEARCH_ATTRIBUTES.trackingNumber) ?? 'the shipment';
}
