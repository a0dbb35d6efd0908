import { inTransaction } from '../../store/connection.ts';
import { createShipments } from '../../store/shipments/create-shipments.ts';
import { editShipment } from '../../store/shipments/edit-shipment.ts';
import { newId } from '../../store/new-id.ts';
import type { ShipmentRow } from '../../store/shipments/shipments.ts';
import { findShipment, findShipmentPage } from '../../store/shipments/shipments.ts';
import { tenant } from '../../store/tenant.ts';
import { iriOf } from '../../domain/iri.ts';
import { toId } from '../../domain/ids.ts';
import { ProblemError } from '../../domain/problem.ts';
import { isTerminalShipment } from '../../domain/shipment-status.ts';
import { acceptedAnswer } from '../commands/fields.ts';
import { pendingAnswer, workflowSubject, sendCommand } from '../commands/send-command.ts';
import { collection } from '../hydra/collection.ts';
import { requireOwn, requireFound } from '../http/require-found.ts';
import { MERGE_PATCH_BODY, patchJson } from '../schema/merge-patch.ts';
import { orderOf } from '../http/pagination.ts';
import { requireMatch } from '../http/preconditions.ts';
import type { LoadRequest, UserActor } from '../http/route.ts';
import { dashboardRoute, NO_BODY, NO_QUERY, nothing } from '../http/route.ts';
import { approveAll } from './bulk-approve.ts';
import { patchedRequest, shipmentDocument } from './edit.ts';
import { shipment, shipmentLine } from './fields.ts';
import {
  bulkApproveBody,
  bulkApproveResultJson,
  newShipment,
  shipmentFilterOf,
  shipmentListQuery,
} from './parse.ts';
import { referencesIn, referenceViolations, resolveMerchant } from './references.ts';

const tag = 'Shipments';

/** Loads the shipment that the path names; a merchant reads only its own (interpretation 38). */
export async function loadShipment({
  actor,
  permissionScope,
  params,
  dependencies,
}: LoadRequest<UserActor, unknown>): Promise<ShipmentRow> {
  const scope = tenant(dependencies.database, actor.organizationId);
  const row = requireFound(await findShipment(scope, toId<'shipment'>(params['id'] ?? '')), 'shipment');
  requireOwn(permissionScope === 'organization' || row.merchantId === actor.merchantId, 'shipment');
  return row;
}

const list = dashboardRoute({
  operation: 'shipments.list',
  method: 'GET',
  path: '/shipments',
  action: 'shipment.list',
  tag,
  summary: 'List shipments',
  description: 'Newest first by default. Merchants see only their own shipments.',
  answers: { 200: { description: 'One page.', schema: shipmentLine.shapes.collection } },
  body: NO_BODY,
  query: shipmentListQuery,
  load: nothing,
  handle: async ({ actor, permissionScope, query, raw, dependencies }) => {
    const page = await findShipmentPage(
      tenant(dependencies.database, actor.organizationId),
      shipmentFilterOf(query, permissionScope === 'own' ? actor.merchantId : null),
      orderOf(query),
      query,
    );
    return { status: 200, body: collection('Shipment', raw, query, page, shipmentLine.presentMember) };
  },
});

const create = dashboardRoute({
  operation: 'shipments.create',
  method: 'POST',
  path: '/shipments',
  action: 'shipment.create',
  tag,
  summary: 'Create a shipment',
  description:
    'A dispatcher’s shipment is pending immediately; a merchant’s shipment awaits approval. pickupPoint and merchant must belong to the organization; a merchant can only use its own pickup points.',
  isIdempotent: true,
  answers: {
    201: {
      description: 'The created shipment.',
      schema: shipment.shapes.record,
      headers: ['Location', 'ETag'],
    },
  },
  body: shipment.body,
  query: NO_QUERY,
  load: nothing,
  lookupViolations: ({ actor, dependencies }, body) =>
    referenceViolations(tenant(dependencies.database, actor.organizationId), referencesIn(actor, body)),
  handle: async ({ actor, body, dependencies, effectId }) => {
    const { database } = dependencies;
    const scope = tenant(database, actor.organizationId);
    const isMerchant = actor.role === 'ROLE_MERCHANT';
    const { merchantId } = await resolveMerchant(scope, {
      pickupPointId: body.pickupPoint,
      pickupPointPath: 'pickupPoint',
      merchantId: body.merchant,
      merchantPath: 'merchant',
      ownMerchantId: isMerchant ? actor.merchantId : null,
    });
    const id = toId<'shipment'>(effectId);
    await inTransaction(database, (transaction) =>
      createShipments(transaction, actor.organizationId, [
        newShipment(body, { id, source: 'dashboard', merchantId, isMerchantUser: isMerchant }),
      ]),
    );
    const { body: document, etag, row } = await shipmentDocument(scope, id);
    dependencies.workflowStarts.enqueue([{ ...workflowSubject(row), status: row.status }]);
    return { status: 201, body: document, headers: { location: iriOf('shipment', id) }, etag };
  },
});

const read = dashboardRoute({
  operation: 'shipments.read',
  method: 'GET',
  path: '/shipments/{id}',
  action: 'shipment.read',
  tag,
  summary: 'Read a shipment',
  answers: {
    200: {
      description: 'The shipment with its tasks and timeline.',
      schema: shipment.shapes.record,
      headers: ['ETag'],
    },
  },
  body: NO_BODY,
  query: NO_QUERY,
  load: loadShipment,
  handle: async ({ actor, item, dependencies }) => {
    const scope = tenant(dependencies.database, actor.organizationId);
    const { body, etag } = await shipmentDocument(scope, item.id);
    return { status: 200, body, etag };
  },
});

const edit = dashboardRoute({
  operation: 'shipments.edit',
  method: 'PATCH',
  path: '/shipments/{id}',
  action: 'shipment.edit',
  tag,
  summary: 'Modify a shipment that has not ended',
  description:
    'A merge patch (RFC 7396): fields that are sent are changed, null removes a field, arrays are replaced as a whole. Read-only values may be sent unchanged. 409 for a terminal shipment, for a merchant whose shipment has been approved, and when the pickup point can no longer be changed.',
  isConditional: true,
  documentedBody: patchJson(shipment.body),
  answers: {
    200: { description: 'The modified shipment.', schema: shipment.shapes.record, headers: ['ETag'] },
  },
  body: MERGE_PATCH_BODY,
  query: NO_QUERY,
  load: loadShipment,
  handle: async ({ actor, body, item, raw, dependencies }) => {
    const scope = tenant(dependencies.database, actor.organizationId);
    const { row, isDeadlineMoved } = await editShipment(dependencies.database, scope, item.id, {
      isMerchantUser: actor.role === 'ROLE_MERCHANT',
      revise: async (inside, found) => {
        const locked = requireFound(found, 'shipment');
        requireMatch(raw, String(locked.version));
        return patchedRequest(inside, actor, locked, body);
      },
    });
    if (isDeadlineMoved) {
      // Not awaited: the timer's own activity reads the deadline again.
      void dependencies.workflows.signal(workflowSubject(row), { name: 'reschedule' }).catch(() => undefined);
    }
    const { body: document, etag } = await shipmentDocument(scope, row.id);
    return { status: 200, body: document, etag };
  },
});

const remove = dashboardRoute({
  operation: 'shipments.delete',
  method: 'DELETE',
  path: '/shipments/{id}',
  action: 'shipment.delete',
  tag,
  summary: 'Delete a shipment that has not ended',
  description:
    'Its open tasks are cancelled. It no longer appears in lists; its record is kept. 409 for a terminal shipment.',
  isConditional: true,
  answers: { 204: { description: 'Deleted.' }, 202: acceptedAnswer },
  body: NO_BODY,
  query: NO_QUERY,
  load: loadShipment,
  handle: async ({ actor, item, raw, dependencies }) => {
    requireMatch(raw, String(item.version));
    rejectTerminal(item, 'deleted');
    const id = newId<'command'>();
    const answer = await sendCommand(dependencies, actor, {
      id,
      kind: 'delete',
      subject: workflowSubject(item),
      taskId: null,
      request: {},
      signal: { name: 'delete', commandId: id },
    });
    return answer === 'applied' ? { status: 204 } : pendingAnswer(id, answer);
  },
});

const approve = dashboardRoute({
  operation: 'shipments.approve',
  method: 'POST',
  path: '/shipments/{id}/approve',
  action: 'shipment.approve',
  tag,
  summary: 'Approve a request',
  description: 'Safe to repeat. 409 for a terminal shipment.',
  consumes: [],
  answers: {
    200: { description: 'The approved shipment.', schema: shipment.shapes.record, headers: ['ETag'] },
    202: acceptedAnswer,
  },
  body: NO_BODY,
  query: NO_QUERY,
  load: loadShipment,
  handle: async ({ actor, item, dependencies }) => {
    rejectTerminal(item, 'approved');
    const id = newId<'command'>();
    const answer = await sendCommand(dependencies, actor, {
      id,
      kind: 'approve',
      subject: workflowSubject(item),
      taskId: null,
      request: {},
      signal: { name: 'approve', commandId: id },
    });
    if (answer !== 'applied') return pendingAnswer(id, answer);
    const scope = tenant(dependencies.database, actor.organizationId);
    const { body, etag } = await shipmentDocument(scope, item.id);
    return { status: 200, body, etag };
  },
});

const bulkApprove = dashboardRoute({
  operation: 'shipments.bulkApprove',
  method: 'POST',
  path: '/shipments/bulk-approve',
  action: 'shipment.approve',
  tag,
  summary: 'Approve several requests',
  description:
    'Each id has its own result: `approved`, or `error` with a message, also for unknown and foreign ids. Each id costs one unit of the `command` budget.',
  produces: ['application/json', 'application/ld+json'],
  answers: { 200: { description: 'The results, in the order of the ids.', schema: bulkApproveResultJson } },
  body: bulkApproveBody,
  query: NO_QUERY,
  load: nothing,
  handle: async ({ actor, body, dependencies, charge }) => {
    await charge(body.shipmentIds.length - 1);
    return { status: 200, body: await approveAll(dependencies, actor, body.shipmentIds) };
  },
});

function rejectTerminal(item: ShipmentRow, verb: string): void {
  if (!isTerminalShipment(item.status)) return;
  throw new ProblemError({
    kind: 'conflict',
    detail: `The shipment is ${item.status} and can no longer be ${verb}.`,
    currentStatus: item.status,
  });
}

export const shipmentRoutes = [list, create, bulkApprove, read, edit, remove, approve];
