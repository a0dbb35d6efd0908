import { condition, continueAsNew, patched, setHandler, workflowInfo } from '@temporalio/workflow';
import type { ShipmentStatus } from '../domain/enumerations.ts';
import type { ShipmentSnapshot, TakenUpShipment } from '../activities/index.ts';
import { database, DATABASE_OPTIONS, databaseInTask, IN_TASK_OPTIONS } from './activity-options.ts';
import { inTaskOrQueued } from './database-step.ts';
import { DeadlineTimer } from './deadline-timer.ts';
import type { AddTaskMessage, CommandMessage, ShipmentInput, TransitionMessage } from './messages.ts';
import {
  addTaskSignal,
  approveSignal,
  rescheduleSignal,
  SEARCH_ATTRIBUTES,
  transitionSignal,
  webhookTaskQueue,
  withdrawSignal,
} from './messages.ts';
import { ShipmentBoard } from './shipment-board.ts';
import { WebhookDesk } from './webhook-desk.ts';

/** What waits for the loop: a stored command with a caption for ops, or a reason to look at the shipment again. */
type Message =
  | { readonly kind: 'command'; readonly commandId: CommandMessage['commandId']; readonly caption: string }
  | { readonly kind: 'deadline'; readonly moment: string }
  | { readonly kind: 'reschedule' };

/**
 * The life of one shipment, from load-or-create to its end (design, «The shipment workflow»). Signals only
 * put messages into the inbox; one loop takes them one at a time, in order, and Postgres decides. It keeps what
 * the activities told and nothing else, so a run that was lost, ended or started twice heals itself.
 * Resolves to the terminal status, once every webhook is settled.
 */
export async function shipment(input: ShipmentInput): Promise<ShipmentStatus> {
  const inbox: Message[] = [];
  receiveSignals(inbox);
  // Asked once, for the whole run: runs from before decision 0012 keep to the queue until they end or continue as new.
  const isInTask = patched('database-steps-in-task');

  const { organizationId, trackingNumber, settings, snapshot: found } = await takeUp(input, isInTask);
  const deadline = new DeadlineTimer((moment) => inbox.push({ kind: 'deadline', moment }));
  let snapshot = found;
  let cause = 'left open before this run';
  const board = new ShipmentBoard(trackingNumber);
  const webhooks = new WebhookDesk(
    {
      organizationId,
      maxAttempts: settings.webhookMaxAttempts,
      taskQueue: webhookTaskQueue(workflowInfo().taskQueue),
    },
    () => board.show(snapshot, webhooks),
  );
  const isTimeToContinue = () =>
    workflowInfo().continueAsNewSuggested ||
    workflowInfo().historyLength >= settings.continueAsNewAfterEvents;

  for (;;) {
    deadline.setFor(snapshot.openDeadline);
    webhooks.send(snapshot.pendingEventIds, cause);
    board.show(snapshot, webhooks);

    const mayLeave = () => webhooks.inFlight === 0 && (snapshot.isTerminal || isTimeToContinue());
    await condition(() => inbox.length > 0 || mayLeave());

    // No await from here to the leaving: a signal that races it makes the server run this task again.
    const message = inbox.shift();
    if (message !== undefined) {
      snapshot = await handle(message, input, isInTask);
      cause = message.kind === 'command' ? `after ${message.caption}` : `after a ${message.kind}`;
      continue;
    }
    deadline.cancel();
    if (snapshot.isTerminal) return snapshot.status;
    await continueAsNew<typeof shipment>(input);
  }
}

/** The tracking number, which the start gave: it stands on the first line that ops see. */
function nameForOps(): string {
  return workflowInfo().typedSearchAttributes.get(SEARCH_ATTRIBUTES.trackingNumber) ?? 'the shipment';
}

function takeUp({ shipmentId }: ShipmentInput, isInTask: boolean): Promise<TakenUpShipment> {
  const summary = `load or create ${nameForOps()}`;
  return inTaskOrQueued(
    isInTask,
    () => databaseInTask.takeUpShipment.executeWithOptions({ ...IN_TASK_OPTIONS, summary }, [shipmentId]),
    () => database.takeUpShipment.executeWithOptions({ ...DATABASE_OPTIONS, summary }, [shipmentId]),
  );
}

async function handle(
  message: Message,
  { shipmentId }: ShipmentInput,
  isInTask: boolean,
): Promise<ShipmentSnapshot> {
  switch (message.kind) {
    case 'command': {
      const { caption: summary, commandId } = message;
      return inTaskOrQueued(
        isInTask,
        () =>
          databaseInTask.applyCommand.executeWithOptions({ ...IN_TASK_OPTIONS, summary }, [
            commandId,
            shipmentId,
          ]),
        () =>
          database.applyCommand.executeWithOptions({ ...DATABASE_OPTIONS, summary }, [commandId, shipmentId]),
      );
    }
    case 'deadline':
      return database.recordDeadlineMissed.executeWithOptions(
        { ...DATABASE_OPTIONS, summary: 'deadline_missed, unless it was moved' },
        [shipmentId, message.moment],
      );
    case 'reschedule':
      return database.readShipment.executeWithOptions(
        { ...DATABASE_OPTIONS, summary: 'read the moved deadline' },
        [shipmentId],
      );
  }
}

/** Handlers are synchronous and never wait: the order of the inbox is the order of the history. */
function receiveSignals(inbox: Message[]): void {
  const command = ({ commandId }: CommandMessage, caption: string) => {
    inbox.push({ kind: 'command', commandId, caption });
  };
  setHandler(transitionSignal, (message) => command(message, transitionCaption(message)));
  setHandler(approveSignal, (message) => command(message, 'approve'));
  setHandler(withdrawSignal, (message) => command(message, 'withdraw (DELETE)'));
  setHandler(addTaskSignal, (message: AddTaskMessage) => command(message, `add a ${message.taskType} task`));
  setHandler(rescheduleSignal, () => {
    inbox.push({ kind: 'reschedule' });
  });
}

function transitionCaption({ transition, taskType, reason }: TransitionMessage): string {
  return reason === undefined ? `${transition} (${taskType})` : `${transition} (${taskType}): ${reason}`;
}
