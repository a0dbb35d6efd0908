import { inTransaction } from '../../store/connection.ts';
import { createShipments } from '../../store/shipments/create-shipments.ts';
import { editShipment } from '../../store/shipments/edit-shipment.ts';
import { newId } from '../../store/new-id.ts';
import type { ShipmentRow } from '../../store/shipments/shipments.ts';
import { findShipment, findShipmentPage } from '../../store/shipments/shipments.ts';
import { tenant } from '../../store/tenant.ts';
import { iriOf } from '../../domain/iri.ts';
import { toId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/problem.ts';
import { isTerminalShipment } from '../../domain/shipment-status.ts';
import { acceptedAnswer } from '../commands/shapes.ts';
import { pendingAnswer, runSubject, sendCommand } from '../commands/send-command.ts';
import { collection } from '../hydra/collection.ts';
import { ownOnly, taken } from '../http/found.ts';
import { MERGE_PATCH_BODY, patchJson } from '../schema/merge-patch.ts';
import { orderOf } from '../http/pagination.ts';
import { requireMatch } from '../http/preconditions.ts';
import type { LoadRequest, UserActor } from '../http/route.ts';
import { dashboardRoute, NO_BODY, NO_QUERY, nothing } from '../http/route.ts';
import { approveAll } from './bulk-approve.ts';
import { patchedRequest, shipmentDocument } from './edit.ts';
import { bulkApproveBody, newShipment, shipmentBody, shipmentFilterOf, shipmentListQuery } from './parse.ts';
import { presentShipmentLine } from './present.ts';
import { namedBy, referenceViolations, settleMerchant } from './references.ts';
import { bulkApproveResultJson, shipmentCollectionJson, shipmentJson } from './shapes.ts';

const tag = 'Shipments';

/** Loads the shipment that the path names; a merchant reads only its own (interpretation 38). */
export async function loadShipment({
  actor,
  reach,
  params,
  dependencies,
}: LoadRequest<UserActor, unknown>): Promise<ShipmentRow> {
  const scope = tenant(dependencies.database, actor.organizationId);
  const row = taken(await findShipment(scope, toId<'shipment'>(params['id'] ?? '')), 'shipment');
  ownOnly(reach === 'organization' || row.merchantId === actor.merchantId, 'shipment');
  return row;
}

const list = dashboardRoute({
  operation: 'shipments.list',
  method: 'GET',
  path: '/shipments',
  action: 'shipment.list',
  tag,
  summary: 'List shipments',
  description: 'Newest first unless an order is given. A merchant sees its own.',
  answers: { 200: { description: 'One page.', schema: shipmentCollectionJson } },
  body: NO_BODY,
  query: shipmentListQuery,
  load: nothing,
  handle: async ({ actor, reach, query, raw, dependencies }) => {
    const page = await findShipmentPage(
      tenant(dependencies.database, actor.organizationId),
      shipmentFilterOf(query, reach === 'own' ? actor.merchantId : null),
      orderOf(query),
      query,
    );
    return { status: 200, body: collection('Shipment', raw, query, page, presentShipmentLine) };
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
    'A dispatcher’s shipment is pending at once, a merchant’s awaits approval. pickupPoint and merchant must be of the organization, and a merchant’s pickup point its own.',
  isIdempotent: true,
  answers: {
    201: { description: 'The created shipment.', schema: shipmentJson, headers: ['Location', 'ETag'] },
  },
  body: shipmentBody,
  query: NO_QUERY,
  load: nothing,
  otherViolations: ({ actor, dependencies }, body) =>
    referenceViolations(tenant(dependencies.database, actor.organizationId), namedBy(actor, body)),
  handle: async ({ actor, body, dependencies, effectId }) => {
    const { database } = dependencies;
    const scope = tenant(database, actor.organizationId);
    const isMerchant = actor.role === 'ROLE_MERCHANT';
    const { merchantId } = await settleMerchant(scope, {
      pickupPointId: body.pickupPoint,
      pickupPointPath: 'pickupPoint',
      merchantId: body.merchant,
      merchantPath: 'merchant',
      ownMerchantId: isMerchant ? actor.merchantId : null,
    });
    const id = toId<'shipment'>(effectId);
    await inTransaction(database, (transaction) =>
      createShipments(transaction, actor.organizationId, [
        newShipment(body, { id, source: 'dashboard', merchantId, byMerchant: isMerchant }),
      ]),
    );
    const { body: document, etag, row } = await shipmentDocument(scope, id);
    dependencies.workflowStarts.enqueue([{ ...runSubject(row), status: row.status }]);
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
      schema: shipmentJson,
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
    'A merge patch (RFC 7396): what is sent is changed, null removes, arrays are replaced whole. Read-only values may be sent unchanged. 409 on a terminal shipment, on a merchant’s approved one, and where the pickup point can no longer change.',
  isConditional: true,
  shownBody: patchJson(shipmentBody),
  answers: { 200: { description: 'The modified shipment.', schema: shipmentJson, headers: ['ETag'] } },
  body: MERGE_PATCH_BODY,
  query: NO_QUERY,
  load: loadShipment,
  handle: async ({ actor, body, item, raw, dependencies }) => {
    const scope = tenant(dependencies.database, actor.organizationId);
    const { row, isDeadlineMoved } = await editShipment(dependencies.database, scope, item.id, {
      byMerchant: actor.role === 'ROLE_MERCHANT',
      revise: async (inside, found) => {
        const locked = taken(found, 'shipment');
        requireMatch(raw, String(locked.version));
        return patchedRequest(inside, actor, locked, body);
      },
    });
    if (isDeadlineMoved) {
      // Not awaited: the timer's own activity reads the deadline again.
      void dependencies.runs.signal(runSubject(row), { name: 'reschedule' }).catch(() => undefined);
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
    'Its open tasks are cancelled; it leaves the lists, and its record stays. 409 on a terminal shipment.',
  isConditional: true,
  answers: { 204: { description: 'Deleted.' }, 202: acceptedAnswer },
  body: NO_BODY,
  query: NO_QUERY,
  load: loadShipment,
  handle: async ({ actor, item, raw, dependencies }) => {
    requireMatch(raw, String(item.version));
    refuseTerminal(item, 'deleted');
    const id = newId<'command'>();
    const answer = await sendCommand(dependencies, actor, {
      id,
      kind: 'delete',
      subject: runSubject(item),
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
  description: 'Harmless when repeated. 409 on a terminal shipment.',
  consumes: [],
  answers: {
    200: { description: 'The approved shipment.', schema: shipmentJson, headers: ['ETag'] },
    202: acceptedAnswer,
  },
  body: NO_BODY,
  query: NO_QUERY,
  load: loadShipment,
  handle: async ({ actor, item, dependencies }) => {
    refuseTerminal(item, 'approved');
    const id = newId<'command'>();
    const answer = await sendCommand(dependencies, actor, {
      id,
      kind: 'approve',
      subject: runSubject(item),
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
    'Each id has its own result: `approved`, or `error` with a message, unknown and foreign ids too. Each costs a unit of the budget `command`.',
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

function refuseTerminal(item: ShipmentRow, verb: string): void {
  if (!isTerminalShipment(item.status)) return;
  throw new Refusal({
    kind: 'conflict',
    detail: `The shipment is ${item.status} and can no longer be ${verb}.`,
    currentStatus: item.status,
  });
}

export const shipmentRoutes = [list, create, bulkApprove, read, edit, remove, approve];
