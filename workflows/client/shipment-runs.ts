import type { Client, WorkflowOptions } from '@temporalio/client';
import type { SignalDefinition } from '@temporalio/common';
import { TypedSearchAttributes, WorkflowNotFoundError } from '@temporalio/common';
import type {
  FailureReason,
  Priority,
  ShipmentStatus,
  TaskType,
  Transition,
} from '../../domain/enumerations.ts';
import type {
  CommandId,
  DriverId,
  OrganizationId,
  ShipmentId,
  TaskId,
  WebhookEventId,
} from '../../domain/ids.ts';
import type { ShipmentInput, WebhookReplayInput } from '../messages.ts';
import {
  addTaskSignal,
  approveSignal,
  rescheduleSignal,
  SEARCH_ATTRIBUTES,
  SHIPMENT_WORKFLOW,
  shipmentWorkflowId,
  transitionSignal,
  WEBHOOK_REPLAY_WORKFLOW,
  webhookReplayWorkflowId,
  withdrawSignal,
} from '../messages.ts';

/** What a run needs to be started with, and what ops see of it from the first moment. */
export interface RunSubject {
  readonly id: ShipmentId;
  readonly organizationId: OrganizationId;
  readonly trackingNumber: string;
  readonly priority: Priority;
  /** Where it is known at the start, the run need not write it itself. */
  readonly status?: ShipmentStatus;
}

/** A stored command as its run is told of it: ids and the contract's words alone. */
export type CommandNotice =
  | {
      readonly kind: 'transition';
      readonly commandId: CommandId;
      readonly transition: Transition;
      readonly taskId: TaskId;
      readonly taskType: TaskType;
      readonly driverId?: DriverId;
      readonly reason?: FailureReason;
    }
  | { readonly kind: 'approve' | 'withdraw'; readonly commandId: CommandId }
  | {
      readonly kind: 'add_task';
      readonly commandId: CommandId;
      readonly taskId: TaskId;
      readonly taskType: TaskType;
    }
  | { readonly kind: 'reschedule' };

/** Starts and signals shipment runs. Every call may be repeated: a start finds the run, a command is applied once. */
export interface ShipmentRuns {
  /** Starts the run, or finds it running. Rejects when Temporal does not answer in time. */
  readonly start: (subject: RunSubject) => Promise<void>;
  /** Signals the run, and starts it again where it was lost or has ended (then by signal-with-start). */
  readonly tell: (subject: RunSubject, notice: CommandNotice) => Promise<void>;
  /** Starts the sending of one event again. */
  readonly replay: (input: WebhookReplayInput, round: number) => Promise<void>;
}

const CALL_TIMEOUT_MS = 2_500;

/** Talks to the workflows on one task queue. */
export function createShipmentRuns(client: Client, taskQueue: string): ShipmentRuns {
  const withDeadline = <Result>(call: () => Promise<Result>) =>
    client.withDeadline(Date.now() + CALL_TIMEOUT_MS, call);
  return {
    start: async (subject) => {
      await withDeadline(() => client.workflow.start(SHIPMENT_WORKFLOW, startOptions(subject, taskQueue)));
    },
    tell: async (subject, notice) => {
      await withDeadline(() => signalOrStart(client, startOptions(subject, taskQueue), notice));
    },
    replay: async (input, round) => {
      await withDeadline(() =>
        client.workflow.start(WEBHOOK_REPLAY_WORKFLOW, {
          taskQueue,
          workflowId: webhookReplayWorkflowId(input.eventId, round),
          workflowIdConflictPolicy: 'USE_EXISTING',
          args: [input],
          staticSummary: `replay ${round} of webhook event ${input.eventId}`,
          typedSearchAttributes: new TypedSearchAttributes([
            { key: SEARCH_ATTRIBUTES.organizationId, value: input.organizationId },
          ]),
        }),
      );
    },
  };
}

/** The subject of a replay by its parts. */
export function replayInput(eventId: WebhookEventId, organizationId: OrganizationId): WebhookReplayInput {
  return { eventId, organizationId };
}

type StartOptions = WorkflowOptions & { readonly args: [ShipmentInput] };

function startOptions(subject: RunSubject, taskQueue: string): StartOptions {
  return {
    taskQueue,
    workflowId: shipmentWorkflowId(subject.id),
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    args: [{ shipmentId: subject.id }],
    staticSummary: `${subject.trackingNumber} (${subject.priority})`,
    typedSearchAttributes: new TypedSearchAttributes([
      { key: SEARCH_ATTRIBUTES.organizationId, value: subject.organizationId },
      { key: SEARCH_ATTRIBUTES.trackingNumber, value: subject.trackingNumber },
      ...(subject.status === undefined
        ? []
        : [{ key: SEARCH_ATTRIBUTES.shipmentStatus, value: subject.status }]),
    ]),
  };
}

/**
 * Most runs are there: a plain signal costs the engine less than one that brings all that a start needs. A run that ends
 * between the two calls is met by the second, which starts the next one.
 */
async function signalOrStart(client: Client, options: StartOptions, notice: CommandNotice): Promise<void> {
  const { signal, args } = signalOf(notice);
  try {
    await client.workflow.getHandle(options.workflowId).signal(signal, ...args);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    await client.workflow.signalWithStart(SHIPMENT_WORKFLOW, { ...options, signal, signalArgs: args });
  }
}

/** A signal with its payload. */
interface Signal {
  readonly signal: string;
  readonly args: unknown[];
}

function signalOf(notice: CommandNotice): Signal {
  switch (notice.kind) {
    case 'transition': {
      const { kind: _kind, ...message } = notice;
      return signalWith(transitionSignal, message);
    }
    case 'approve':
      return signalWith(approveSignal, { commandId: notice.commandId });
    case 'withdraw':
      return signalWith(withdrawSignal, { commandId: notice.commandId });
    case 'add_task': {
      const { commandId, taskId, taskType } = notice;
      return signalWith(addTaskSignal, { commandId, taskId, taskType });
    }
    case 'reschedule':
      return signalWith(rescheduleSignal);
  }
}

/** Ties the payload to its signal's type. */
function signalWith<Args extends unknown[]>(definition: SignalDefinition<Args>, ...args: Args): Signal {
  return { signal: definition.name, args };
}
