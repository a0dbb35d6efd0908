import { inTransaction } from '../../store/connection.ts';
import { createShipments } from '../../store/shipments/create-shipments.ts';
import { editShipment } from '../../store/shipments/edit-shipment.ts';
import type { ShipmentRow } from '../../store/shipments/shipments.ts';
import { findShipment, findShipmentPage } from '../../store/shipments/shipments.ts';
import { iriOf } from '../../domain/iri.ts';
import { toId } from '../../domain/ids.ts';
import { say } from '../../domain/messages.ts';
import { conflict, ProblemError } from '../../domain/problem.ts';
import { isTerminalShipment } from '../../domain/shipment-status.ts';
import { acceptedAnswer } from '../commands/fields.ts';
import { answerCommand, shipmentCommand, workflowSubject } from '../commands/send-command.ts';
import { orderOf } from '../http/pagination.ts';
import { requireUnedited } from '../http/preconditions.ts';
import { noteWork } from '../http/request-log.ts';
import { requireFound } from '../http/require-found.ts';
import { dashboardRoute } from '../http/route.ts';
import { patchRoute } from '../resource/edit.ts';
import { listRoute, readRoute, resourceOf } from '../resource/resource.ts';
import { approveAll, distinctShipments } from './bulk-approve.ts';
import { patchedRequest, shipmentAnswer } from './edit.ts';
import { shipment, shipmentLine } from './fields.ts';
import {
  bulkApproveBody,
  bulkApproveResultJson,
  newShipment,
  shipmentFilterOf,
  shipmentListQuery,
} from './parse.ts';
import { ownMerchantOf, referenceViolations } from './references.ts';

/** Shipments. Staff see all, a merchant its own (interpretation 38). */
export const shipments = resourceOf('shipment', {
  find: findShipment,
  isOwn: ({ merchantId }, row) => row.merchantId === merchantId,
  shape: shipment.shapes.record,
  answer: (request, { id }) => shipmentAnswer(request, id),
});

const list = listRoute(shipments, {
  action: 'shipment.list',
  note: 'Merchants see only their own shipments.',
  shape: shipmentLine.shapes.collection,
  query: shipmentListQuery,
  findPage: ({ actor, permissionScope, query, scope }) => {
    const filter = shipmentFilterOf(query, permissionScope === 'own' ? actor.merchantId : null);
    return findShipmentPage(scope, filter, orderOf(query), query);
  },
  present: shipmentLine.presentMember,
});

const create = dashboardRoute({
  operation: 'shipments.create',
  method: 'POST',
  path: '/shipments',
  action: 'shipment.create',
  summary: 'Create a shipment',
  description:
    'A dispatcher’s shipment is pending immediately; a merchant’s shipment awaits approval. pickupPoint and merchant must belong to the organization; a merchant can use its own pickup points and those that belong to no merchant.',
  isIdempotent: true,
  answers: {
    201: {
      description: 'The created shipment.',
      schema: shipment.shapes.record,
      headers: ['Location', 'ETag'],
    },
  },
  body: shipment.body,
  check: ({ actor, scope }, body) => referenceViolations(scope, body, ownMerchantOf(actor)),
  handle: async (request) => {
    const { actor, body, dependencies, effectId } = request;
    const id = toId<'shipment'>(effectId);
    const shipment = newShipment(body, {
      id,
      source: 'dashboard',
      merchantId: ownMerchantOf(actor) ?? body.merchant,
      isMerchantUser: actor.role === 'ROLE_MERCHANT',
    });
    await inTransaction(dependencies.database, (transaction) =>
      createShipments(transaction, actor.organizationId, [shipment]),
    );
    const { row, ...answer } = await shipmentAnswer(request, id);
    noteWork(request.context, id);
    dependencies.workflowStarts.enqueue([{ ...workflowSubject(row), status: row.status }]);
    return { ...answer, status: 201, headers: { location: iriOf('shipment', id) } };
  },
});

const read = readRoute(shipments, {
  action: 'shipment.read',
  shows: 'The shipment with its tasks and timeline.',
});

const edit = patchRoute(
  { ...shipments, schema: shipment.body },
  {
    action: 'shipment.edit',
    summary: 'Modify a shipment that has not ended',
    description:
      'A merge patch (RFC 7396): fields that are sent are changed, null removes a field, arrays are replaced as a whole. Read-only values may be sent unchanged. 409 for a terminal shipment, for a merchant whose shipment has been approved, and when the pickup point can no longer be changed.',
  },
  async (request) => {
    const { actor, item, scope, dependencies } = request;
    const { row, isDeadlineMoved } = await editShipment(dependencies.database, scope, item.id, {
      isMerchantUser: actor.role === 'ROLE_MERCHANT',
      revise: (inside, found) =>
        patchedRequest({ ...request, scope: inside }, requireFound(found, 'shipment')),
    });
    if (isDeadlineMoved) {
      // Not awaited: the timer's own activity reads the deadline again.
      void dependencies.workflows.signal(workflowSubject(row), { name: 'reschedule' }).catch(() => undefined);
    }
    return shipmentAnswer(request, row.id);
  },
);

const remove = dashboardRoute({
  operation: 'shipments.delete',
  method: 'DELETE',
  path: '/shipments/{id}',
  action: 'shipment.delete',
  summary: 'Delete a shipment that has not ended',
  description:
    'Its open tasks are cancelled. It no longer appears in lists; its record is kept. 409 for a terminal shipment.',
  isConditional: true,
  answers: { 204: { description: 'Deleted.' }, 202: acceptedAnswer },
  load: shipments.load,
  currentTag: shipments.currentTag,
  handle: async (request) => {
    const { context, item } = request;
    await requireUnedited(context, () => shipments.currentTag(request, item));
    rejectTerminal(item, 'deleted');
    return answerCommand(request, shipmentCommand('delete', item), () => ({ status: 204 }));
  },
});

const approve = dashboardRoute({
  operation: 'shipments.approve',
  method: 'POST',
  path: '/shipments/{id}/approve',
  action: 'shipment.approve',
  summary: 'Approve a request',
  description: 'Safe to repeat. 409 for a terminal shipment.',
  consumes: [],
  answers: {
    200: { description: 'The approved shipment.', schema: shipment.shapes.record, headers: ['ETag'] },
    202: acceptedAnswer,
  },
  load: shipments.load,
  currentTag: shipments.currentTag,
  handle: (request) => {
    const { item } = request;
    rejectTerminal(item, 'approved');
    return answerCommand(request, shipmentCommand('approve', item), () => shipmentAnswer(request, item.id));
  },
});

const bulkApprove = dashboardRoute({
  operation: 'shipments.bulkApprove',
  method: 'POST',
  path: '/shipments/bulk-approve',
  action: 'shipment.approve',
  summary: 'Approve several requests',
  description:
    'Ids or IRIs. Each shipment has one result, however often it is named: `approved`, `processing` while it is still being decided (the message names the command to poll), or `error` with a message, also for unknown and foreign ids. `total` counts the results, `failed` those with `error`. Each shipment costs one unit of the `command` budget.',
  isPlain: true,
  answers: {
    200: { description: 'The results, in the order of their first naming.', schema: bulkApproveResultJson },
  },
  body: bulkApproveBody,
  handle: async (request) => {
    const distinct = distinctShipments(request.body.shipmentIds);
    await request.charge(distinct.length - 1);
    return { status: 200, body: await approveAll(request, distinct) };
  },
});

function rejectTerminal({ status }: ShipmentRow, change: string): void {
  if (!isTerminalShipment(status)) return;
  throw new ProblemError(conflict(say('shipment_fixed', { shipmentStatus: status, change }), status));
}

export const shipmentRoutes = [list, create, bulkApprove, read, edit, remove, approve];
