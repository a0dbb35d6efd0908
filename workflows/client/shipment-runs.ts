import type { Client, WorkflowOptions } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
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
  /** Signals the run, starting it again where it was lost or has ended (signal-with-start). */
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
      await withDeadline(() => signalWithStart(client, startOptions(subject, taskQueue), notice));
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

function signalWithStart(client: Client, options: StartOptions, notice: CommandNotice): Promise<unknown> {
  const { workflow } = client;
  switch (notice.kind) {
    case 'transition': {
      const { kind, ...message } = notice;
      return workflow.signalWithStart(SHIPMENT_WORKFLOW, {
        ...options,
        signal: transitionSignal,
        signalArgs: [message],
      });
    }
    case 'approve':
      return workflow.signalWithStart(SHIPMENT_WORKFLOW, {
        ...options,
        signal: approveSignal,
        signalArgs: [{ commandId: notice.commandId }],
      });
    case 'withdraw':
      return workflow.signalWithStart(SHIPMENT_WORKFLOW, {
        ...options,
        signal: withdrawSignal,
        signalArgs: [{ commandId: notice.commandId }],
      });
    case 'add_task': {
      const { commandId, taskId, taskType } = notice;
      return workflow.signalWithStart(SHIPMENT_WORKFLOW, {
        ...options,
        signal: addTaskSignal,
        signalArgs: [{ commandId, taskId, taskType }],
      });
    }
    case 'reschedule':
      return workflow.signalWithStart(SHIPMENT_WORKFLOW, {
        ...options,
        signal: rescheduleSignal,
        signalArgs: [],
      });
  }
}
