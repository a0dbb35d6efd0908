import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { at, listOrEmpty, textOrNull } from '../harness/json.ts';
import type { Beginning, Exchange, Resolution, Seen } from './checker/history.ts';
import type { HttpExchange, HttpRequest, Send } from './http.ts';
import type { Random } from './random.ts';
import type { ClientAction, OpenCreation, OpenOperation, Recorder } from './recorder.ts';
import type { Tenant } from './tenant.ts';

const API = '/api/v1';
const PAUSE_AFTER_FAILURE_MS = 400;
const PAUSE_BETWEEN_LOOKS_MS = 250;

/** How a client acts: for whom, where it records, and for how long it repeats what got no answer. */
export interface ClientContext {
  readonly send: Send;
  readonly tenant: Tenant;
  readonly recorder: Recorder;
  /** Whether clients still repeat; false when the round is given up. */
  readonly keepsRetrying: () => boolean;
  /** Work that goes on behind a client: the resolution of what was accepted. */
  readonly background: Promise<unknown>[];
}

/** How a creation is sent. */
export type CreationKind = 'dashboard' | 'merchant' | 'external';

/** Creates a shipment, repeating with the same key until it is answered. Null where the round was given up before. */
export async function create(
  { send, tenant, recorder, keepsRetrying }: ClientContext,
  kind: CreationKind,
  hasPickup: boolean,
): Promise<string | null> {
  const creation: OpenCreation = { reference: randomUUID(), exchanges: [] };
  recorder.creations.push(creation);
  const request: HttpRequest = {
    method: 'POST',
    path: `${API}${kind === 'external' ? '/external/shipments' : '/shipments'}`,
    headers: { ...credential(tenant, kind), 'idempotency-key': creation.reference },
    body: creationBody(tenant, kind, hasPickup, creation.reference),
  };
  while (keepsRetrying()) {
    const exchange = await send(request);
    const id = textOrNull(exchange.body, 'id');
    creation.exchanges.push({ ...timesOf(exchange), seen: null, effect: id });
    if (id !== null) {
      recorder.beginnings.set(id, beginningOf(kind, hasPickup));
      return id;
    }
    await delay(PAUSE_AFTER_FAILURE_MS);
  }
  return null;
}

/**
 * Sends an action and records it. A request without an answer is repeated with the same key while `repeats` and the round
 * lasts; a 202 is followed behind the client's back until it is resolved. Resolves to the last response.
 */
export async function perform(
  context: ClientContext,
  shipmentId: string,
  action: ClientAction,
  options: { readonly repeats: boolean },
): Promise<HttpExchange> {
  const operation: OpenOperation = { id: randomUUID(), shipmentId, action, exchanges: [], resolution: null };
  context.recorder.operations.push(operation);
  const request = requestOf(context.tenant, operation);
  for (;;) {
    const exchange = await context.send(request);
    operation.exchanges.push({
      ...timesOf(exchange),
      seen: seenOf(action, exchange),
      effect: effectOf(exchange),
    });
    if (exchange.verdict === 'accepted') context.background.push(resolve(context, operation, exchange));
    const mayRepeat = options.repeats && isRepeatable(action) && context.keepsRetrying();
    if (exchange.verdict !== 'none' || !mayRepeat) return exchange;
    await delay(PAUSE_AFTER_FAILURE_MS);
  }
}

/** Sends an operation that was decided once more, with its key: the answer has to be the same. */
export async function repeat(context: ClientContext, operation: OpenOperation): Promise<void> {
  if (!hasKey(operation.action)) return;
  const exchange = await context.send(requestOf(context.tenant, operation));
  operation.exchanges.push({
    ...timesOf(exchange),
    seen: seenOf(operation.action, exchange),
    effect: effectOf(exchange),
  });
}

/** Asks for the outcome of an accepted command until there is one. */
async function resolve(
  { send, tenant, keepsRetrying }: ClientContext,
  operation: OpenOperation,
  accepted: HttpExchange,
): Promise<void> {
  const path = textOrNull(accepted.body, '@id');
  while (path !== null && keepsRetrying()) {
    const { body, endedAtMs } = await send({ method: 'GET', path, headers: credential(tenant, 'dashboard') });
    const status = outcomeOf(textOrNull(body, 'status'));
    if (status !== null) {
      operation.resolution = { status, atMs: endedAtMs };
      return;
    }
    await delay(PAUSE_BETWEEN_LOOKS_MS);
  }
}

function outcomeOf(status: string | null): Resolution['status'] | null {
  return status === 'applied' || status === 'rejected' || status === 'failed' ? status : null;
}

/** Approvals and deletions take no key: a repetition would be another operation. */
function hasKey({ kind }: ClientAction): boolean {
  return kind === 'transition' || kind === 'add_task';
}

function isRead({ kind }: ClientAction): boolean {
  return kind === 'read_task' || kind === 'read_shipment' || kind === 'read_external';
}

function isRepeatable(action: ClientAction): boolean {
  return hasKey(action) || isRead(action);
}

function requestOf(tenant: Tenant, { id, shipmentId, action }: OpenOperation): HttpRequest {
  const headers = credential(tenant, 'dashboard');
  const keyed = { ...headers, 'idempotency-key': id };
  const shipment = `${API}/shipments/${shipmentId}`;
  switch (action.kind) {
    case 'read_shipment':
      return { method: 'GET', path: shipment, headers };
    case 'read_external':
      return {
        method: 'GET',
        path: `${API}/external/shipments/${shipmentId}`,
        headers: credential(tenant, 'external'),
      };
    case 'read_task':
      return { method: 'GET', path: `${API}/tasks/${action.taskId}`, headers };
    case 'approve':
      return { method: 'POST', path: `${shipment}/approve`, headers };
    case 'delete':
      return { method: 'DELETE', path: shipment, headers };
    case 'add_task': {
      const body = { shipment: shipmentId, type: action.type, address: ADDRESS };
      return { method: 'POST', path: `${API}/tasks`, headers: keyed, body };
    }
    case 'transition': {
      const { taskId, transition, driver } = action;
      const body = {
        transition,
        comment: id,
        ...(driver === null ? {} : { driver: `${API}/drivers/${driver}` }),
        ...(transition === 'fail' ? { reason: 'recipient_absent' } : {}),
      };
      return { method: 'POST', path: `${API}/tasks/${taskId}/transition`, headers: keyed, body };
    }
  }
}

const ADDRESS = { street: '1 rue de Rivoli', city: 'Paris', postalCode: '75001' };

function creationBody(
  tenant: Tenant,
  kind: CreationKind,
  hasPickup: boolean,
  externalReference: string,
): unknown {
  const recipient = { firstName: 'Amina', phoneNumber: '+33612345678', address: ADDRESS };
  const point = kind === 'merchant' ? tenant.merchantPickupPointId : tenant.pickupPointId;
  const dashboardPickup = { pickupPoint: `${API}/pickup-points/${point}` };
  const pickup = kind === 'external' ? { pickup: { pickupPointId: point } } : dashboardPickup;
  return { recipient, externalReference, ...(hasPickup ? pickup : {}) };
}

function credential(tenant: Tenant, kind: CreationKind): Record<string, string> {
  if (kind === 'external') return { 'x-api-key': tenant.apiKey };
  return { authorization: `Bearer ${kind === 'merchant' ? tenant.merchantToken : tenant.token}` };
}

function beginningOf(kind: CreationKind, hasPickup: boolean): Beginning {
  const status = { dashboard: 'pending', merchant: 'pending_approval', external: 'absent' } as const;
  return { status: status[kind], hasPickup };
}

function timesOf({ sentAtMs, endedAtMs, status, verdict }: HttpExchange): Omit<Exchange, 'seen' | 'effect'> {
  return { sentAtMs, endedAtMs, status, verdict };
}

function effectOf({ body, verdict }: HttpExchange): string | null {
  return verdict === 'applied' || verdict === 'accepted' ? textOrNull(body, '@id') : null;
}

/** What a response shows of the shipment: its tasks, the task that was moved, or the state that a rejection names. */
function seenOf(action: ClientAction, { verdict, body }: HttpExchange): Seen | null {
  if (verdict === 'rejected') return rejectionOf(action, body);
  if (verdict !== 'applied' || action.kind === 'delete') return null;
  if (action.kind === 'read_external') return textField('shipmentStatus', textOrNull(body, 'status'));
  if (action.kind === 'read_shipment' || action.kind === 'approve') {
    const tasks = listOrEmpty(body, 'tasks').map(
      (task) => `${textOrNull(task, 'type') ?? ''} ${textOrNull(task, 'status') ?? ''}`,
    );
    return { ...textField('shipmentStatus', textOrNull(body, 'status')), tasks };
  }
  return {
    ...textField('taskStatus', textOrNull(body, 'status')),
    ...textField('shipmentStatus', textOrNull(body, 'shipmentStatus')),
    ...allowedIn(body),
  };
}

function rejectionOf(action: ClientAction, body: unknown): Seen {
  const isOfTask = action.kind === 'transition';
  return {
    ...textField(isOfTask ? 'taskStatus' : 'shipmentStatus', textOrNull(body, 'currentStatus')),
    ...(isOfTask ? allowedIn(body) : {}),
  };
}

function allowedIn(body: unknown): Seen {
  const names = at(body, 'allowedTransitions');
  return Array.isArray(names) ? { allowedTransitions: names.map(String) } : {};
}

function textField(name: 'taskStatus' | 'shipmentStatus', value: string | null): Seen {
  return value === null ? {} : { [name]: value };
}

/** One of two drivers, so that a task is sometimes assigned again. */
export function someDriver(tenant: Tenant, random: Random): string {
  return random.pick(tenant.driverIds);
}
