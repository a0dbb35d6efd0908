import type { Client, WorkflowOptions } from '@temporalio/client';
import { TypedSearchAttributes, WorkflowNotFoundError } from '@temporalio/common';
import type { WorkflowSubject } from '../../domain/shipment.ts';
import type { ShipmentInput, ShipmentSignal, WebhookDeliveryInput } from '../messages.ts';
import {
  SEARCH_ATTRIBUTES,
  SHIPMENT_WORKFLOW,
  shipmentWorkflowId,
  WEBHOOK_DELIVERY_WORKFLOW,
  webhookDeliveryWorkflowId,
} from '../messages.ts';

/**
 * Starts and signals shipment workflows. Every call may be repeated: a start finds the run, a signal is only a nudge. A call
 * retries for up to CALL_TIMEOUT_MS, then it rejects.
 */
export interface ShipmentWorkflowClient {
  /** Starts the run, or finds it running. */
  readonly start: (subject: WorkflowSubject) => Promise<void>;
  /** Signals the run, and starts it where it was lost or has ended (by signal-with-start). */
  readonly signal: (subject: WorkflowSubject, signal: ShipmentSignal) => Promise<void>;
  /**
   * Signals the run as `signal` does, for work that waits for too long. A run whose workflow task fails is terminated and
   * started again: Postgres has all that it needs (decision 0015). Resolves to whether that was so.
   */
  readonly wake: (subject: WorkflowSubject) => Promise<boolean>;
  /** Does the same for a webhook event that waits for too long; a run that is sending already is left alone. */
  readonly resumeSending: (subject: WorkflowSubject) => Promise<boolean>;
  /** Starts the delivery of a replay (`round` from 1) or of a test event (0), or finds it running. */
  readonly startDelivery: (input: WebhookDeliveryInput, round: number) => Promise<void>;
  /** Does the same for a delivery that waits for too long, and replaces a blocked run as `wake` does. */
  readonly resumeDelivery: (input: WebhookDeliveryInput, round: number) => Promise<boolean>;
  /** Resolves when Temporal answers a call that does nothing. */
  readonly checkConnection: () => Promise<void>;
}

/** Below the time that a caller of the API waits for a command's outcome. */
const CALL_TIMEOUT_MS = 2_500;

/** Talks to the workflows on one task queue. */
export function createShipmentWorkflowClient(client: Client, taskQueue: string): ShipmentWorkflowClient {
  const withDeadline = <Result>(call: () => Promise<Result>) =>
    client.withDeadline(Date.now() + CALL_TIMEOUT_MS, call);
  const endBlocked = async (workflowId: string): Promise<Exclude<RunState, BlockedRun> | 'replaced'> => {
    const state = await withDeadline(() => stateOfRun(client, workflowId));
    if (typeof state === 'string') return state;
    await withDeadline(() => terminateBlocked(client, workflowId, state.blockedRunId));
    return 'replaced';
  };
  const wake = async (
    subject: WorkflowSubject,
    isLeftAlone: (state: RunState) => boolean,
  ): Promise<boolean> => {
    const options = startOptions(subject, taskQueue);
    const state = await endBlocked(options.workflowId);
    if (state !== 'replaced' && isLeftAlone(state)) return false;
    await withDeadline(() => signalOrStart(client, options, { name: 'reconcile' }));
    return state === 'replaced';
  };
  const startDelivery = async (input: WebhookDeliveryInput, round: number): Promise<void> => {
    await withDeadline(() =>
      client.workflow.start(WEBHOOK_DELIVERY_WORKFLOW, deliveryOptions(input, round, taskQueue)),
    );
  };
  return {
    start: async (subject) => {
      await withDeadline(() => client.workflow.start(SHIPMENT_WORKFLOW, startOptions(subject, taskQueue)));
    },
    signal: async (subject, signal) => {
      await withDeadline(() => signalOrStart(client, startOptions(subject, taskQueue), signal));
    },
    wake: (subject) => wake(subject, () => false),
    resumeSending: (subject) => wake(subject, (state) => state === 'sending'),
    startDelivery,
    resumeDelivery: async (input, round) => {
      const state = await endBlocked(webhookDeliveryWorkflowId(input.eventId, round));
      if (state !== 'sending') await startDelivery(input, round);
      return state === 'replaced';
    },
    checkConnection: async () => {
      await withDeadline(() => client.workflowService.getSystemInfo({}));
    },
  };
}

function deliveryOptions(input: WebhookDeliveryInput, round: number, taskQueue: string) {
  return {
    taskQueue,
    workflowId: webhookDeliveryWorkflowId(input.eventId, round),
    workflowIdConflictPolicy: 'USE_EXISTING',
    args: [input],
    staticSummary: round === 0 ? 'test event' : `replay ${round} of webhook event ${input.eventId}`,
    staticDetails: DELIVERY_NOTE_FOR_OPS,
    typedSearchAttributes: new TypedSearchAttributes([
      { key: SEARCH_ATTRIBUTES.organizationId, value: input.organizationId },
    ]),
  } as const satisfies WorkflowOptions & { readonly args: [WebhookDeliveryInput] };
}

/** What the Web UI says about the workflow of a replay or a test event. */
const DELIVERY_NOTE_FOR_OPS =
  'Every attempt is in the API’s `GET /webhook-deliveries/{id}`. Terminating this workflow does not end the delivery: the reconciler starts it again.';

type StartOptions = WorkflowOptions & { readonly args: [ShipmentInput] };

/** What the Web UI says about every shipment's workflow. */
const NOTE_FOR_OPS =
  'To cancel a shipment, use the API. Cancelling, resetting or terminating this workflow does not change the shipment: the next command goes on from the database.';

function startOptions(subject: WorkflowSubject, taskQueue: string): StartOptions {
  const summary = `${subject.trackingNumber} (${subject.priority})`;
  return {
    taskQueue,
    workflowId: shipmentWorkflowId(subject.id),
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    args: [{ shipmentId: subject.id }],
    staticSummary: summary,
    staticDetails: NOTE_FOR_OPS,
    // A continue-as-new keeps the memo and loses the static summary.
    memo: { summary },
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
 * Most runs exist: a plain signal costs the engine less than one that carries all that a start needs. A run that ends
 * between the two calls is met by the second, which starts the next one.
 */
async function signalOrStart(client: Client, options: StartOptions, signal: ShipmentSignal): Promise<void> {
  const { name, ...payload } = signal;
  const signalArgs = Object.keys(payload).length === 0 ? [] : [payload];
  try {
    await client.workflow.getHandle(options.workflowId).signal(name, ...signalArgs);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    await client.workflow.signalWithStart(SHIPMENT_WORKFLOW, { ...options, signal: name, signalArgs });
  }
}

const LAST_EVENTS = 20;

/** A run whose workflow task keeps failing. */
interface BlockedRun {
  readonly blockedRunId: string;
}

/** `sending`: an activity is scheduled or under way; of these workflows that is nearly always a webhook. */
type RunState = 'missing' | 'idle' | 'sending' | BlockedRun;

/**
 * Looks at a run. It is blocked when its workflow task has failed and was not completed since: a history that the code does
 * not replay, or a fault in the code. A task that timed out is another matter: a worker died, and the next one takes over.
 */
async function stateOfRun(client: Client, workflowId: string): Promise<RunState> {
  const run = await client.workflow
    .getHandle(workflowId)
    .describe()
    .catch((error: unknown) => {
      if (error instanceof WorkflowNotFoundError) return undefined;
      throw error;
    });
  if (run?.status.name !== 'RUNNING') return 'missing';
  const { runId, raw } = run;
  const state = (raw.pendingActivities ?? []).length > 0 ? 'sending' : 'idle';
  if ((raw.pendingWorkflowTask?.attempt ?? 0) < 2) return state;
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: LAST_EVENTS,
  });
  const lastEnd = history?.events?.find(
    (event) =>
      event.workflowTaskFailedEventAttributes ??
      event.workflowTaskCompletedEventAttributes ??
      event.workflowTaskTimedOutEventAttributes,
  );
  return lastEnd?.workflowTaskFailedEventAttributes == null ? state : { blockedRunId: runId };
}

async function terminateBlocked(client: Client, workflowId: string, runId: string): Promise<void> {
  try {
    await client.workflow
      .getHandle(workflowId, runId)
      .terminate('The workflow task keeps failing; the reconciler starts it again from the database.');
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
