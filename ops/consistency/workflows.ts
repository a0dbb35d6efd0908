import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { TypedSearchAttributes } from '@temporalio/common';
import type { ShipmentId } from '../../domain/ids.ts';
import { parseId } from '../../domain/ids.ts';
import { SEARCH_ATTRIBUTES, SHIPMENT_WORKFLOW, shipmentWorkflowId } from '../../workflows/messages.ts';

const PAGE_ROWS = 1_000;
const PREFIX = 'shipment-';

/** A running workflow as Temporal shows it. */
export interface ShownWorkflow {
  readonly status: string | null;
  readonly isDeadlineMissed: boolean;
  readonly hasDeadLetter: boolean;
}

/**
 * Lists the running shipment workflows of a task queue in pages, by the shipment that each id names. The list lags a little
 * behind what runs.
 */
export async function* runningWorkflows(
  client: Client,
  taskQueue: string,
): AsyncGenerator<ReadonlyMap<ShipmentId, ShownWorkflow>> {
  const query = `WorkflowType = '${SHIPMENT_WORKFLOW}' AND ExecutionStatus = 'Running' AND TaskQueue = '${taskQueue}'`;
  let page = new Map<ShipmentId, ShownWorkflow>();
  for await (const { workflowId, typedSearchAttributes } of client.workflow.list({
    query,
    pageSize: PAGE_ROWS,
  })) {
    const shipmentId = parseId<'shipment'>(workflowId.slice(PREFIX.length));
    if (shipmentId === undefined) continue;
    page.set(shipmentId, shownBy(typedSearchAttributes));
    if (page.size === PAGE_ROWS) {
      yield page;
      page = new Map();
    }
  }
  yield page;
}

/** What a shipment's workflow shows at this moment; null where none is running. */
export async function describeWorkflow(
  client: Client,
  shipmentId: ShipmentId,
): Promise<ShownWorkflow | null> {
  try {
    const found = await client.workflow.getHandle(shipmentWorkflowId(shipmentId)).describe();
    return found.status.name === 'RUNNING' ? shownBy(found.typedSearchAttributes) : null;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

function shownBy(attributes: TypedSearchAttributes): ShownWorkflow {
  return {
    status: attributes.get(SEARCH_ATTRIBUTES.shipmentStatus) ?? null,
    isDeadlineMissed: attributes.get(SEARCH_ATTRIBUTES.deadlineMissed) ?? false,
    hasDeadLetter: attributes.get(SEARCH_ATTRIBUTES.hasDeadLetter) ?? false,
  };
}
