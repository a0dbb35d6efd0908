import { listAt, shown, textAt, valueAt } from './reading.ts';

/** What the contract says about the form of answers and notifications, restated by hand: a wrong shape in the service is seen here. */

const SHIPMENT_STATUSES = [
  ...['pending_approval', 'pending', 'pickup_in_progress', 'picked_up', 'in_transit'],
  ...['delivered', 'returned', 'cancelled'],
];
const TASK_TYPES = ['pickup', 'delivery', 'transfer', 'return'];
const TASK_STATUSES = [
  ...['waiting_for_pickup', 'assigned_waiting', 'pending', 'assigned', 'pickup_in_progress', 'picked_up'],
  ...['delivery_in_progress', 'in_transit', 'delivered', 'failed', 'cancelled'],
];
const NOTIFICATION_FIELDS = [
  ...['event', 'shipmentId', 'trackingNumber', 'externalReference', 'status'],
  ...['taskType', 'taskStatus', 'driverName', 'updatedAt'],
];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const AMOUNT = /^\d+\.\d{2}$/;
const TRACKING_NUMBER = /^[A-Z0-9]+-\d{8}-[A-Z0-9]+$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;
const SECRET = /^whsec_[0-9a-f]{40}$/;

/** Collects the faults of one document. */
function inspect(document: unknown) {
  const faults: string[] = [];
  const check = (isRight: boolean, path: string, wanted: string): void => {
    if (!isRight) faults.push(`${path} is no ${wanted}: ${shown(valueAt(document, path))}`);
  };
  const isAbsent = (path: string): boolean => (valueAt(document, path) ?? null) === null;
  return {
    faults,
    check,
    form: (path: string, form: RegExp, wanted: string) =>
      check(form.test(textAt(document, path)), path, wanted),
    word: (path: string, words: readonly string[]) =>
      check(words.includes(textAt(document, path)), path, `known value (${words.join(', ')})`),
    text: (path: string) => check(textAt(document, path) !== '', path, 'text'),
    textOrAbsent: (path: string) =>
      check(isAbsent(path) || textAt(document, path) !== '', path, 'text, null or absent'),
  };
}

/**
 * Contract «Shipment as returned on creation»; totalCodToCollect is codAmount plus deliveryFee unless the merchant pays
 * the fee (interpretation 22).
 */
export function faultsOfShipment(shipment: unknown): readonly string[] {
  const { faults, check, form, word, text } = inspect(shipment);
  form('@id', /^\/api\/v1\/shipments\/[0-9a-f-]{36}$/, 'IRI of a shipment');
  check(valueAt(shipment, '@type') === 'Shipment', '@type', 'Shipment');
  form('trackingNumber', TRACKING_NUMBER, 'tracking number');
  word('status', SHIPMENT_STATUSES);
  text('priority');
  for (const path of ['codAmount', 'deliveryFee', 'totalCodToCollect']) form(path, AMOUNT, 'amount');
  const [cod, fee, total] = ['codAmount', 'deliveryFee', 'totalCodToCollect'].map((path) =>
    Math.round(Number(textAt(shipment, path)) * 100),
  );
  const due = valueAt(shipment, 'feePayer') === 'merchant' ? cod : (cod ?? 0) + (fee ?? 0);
  check(total === due, 'totalCodToCollect', `codAmount plus deliveryFee (${(due ?? 0) / 100})`);
  return faults;
}

/** Interpretation 4. */
export function faultsOfTask(task: unknown): readonly string[] {
  const { faults, check, form, word } = inspect(task);
  form('@id', /^\/api\/v1\/tasks\/[0-9a-f-]{36}$/, 'IRI of a task');
  check(valueAt(task, '@type') === 'Task', '@type', 'Task');
  word('type', TASK_TYPES);
  word('status', TASK_STATUSES);
  word('shipmentStatus', SHIPMENT_STATUSES);
  check(Array.isArray(valueAt(task, 'allowedTransitions')), 'allowedTransitions', 'list');
  return faults;
}

/** Contract «Collection envelope». */
export function faultsOfCollection(collection: unknown): readonly string[] {
  const { faults, check, text } = inspect(collection);
  check(Number.isInteger(valueAt(collection, 'totalItems')), 'totalItems', 'whole number');
  check(Array.isArray(valueAt(collection, 'member')), 'member', 'list');
  text('view.first');
  text('view.last');
  return faults;
}

/** Contract «External creation response». */
export function faultsOfAccepted(accepted: unknown): readonly string[] {
  const { faults, check, form, text, textOrAbsent } = inspect(accepted);
  form('id', UUID, 'UUID');
  check(valueAt(accepted, 'status') === 'processing', 'status', 'processing');
  text('message');
  textOrAbsent('hint');
  return faults;
}

/** Contract «External shipment detail», interpretation 7: the timeline ascends. */
export function faultsOfExternalDetail(detail: unknown): readonly string[] {
  const { faults, check, form, word, textOrAbsent } = inspect(detail);
  form('id', UUID, 'UUID');
  form('trackingNumber', TRACKING_NUMBER, 'tracking number');
  word('status', ['processing', ...SHIPMENT_STATUSES]);
  textOrAbsent('externalReference');
  textOrAbsent('driver.name');
  const moments = listAt(detail, 'timeline').map((entry) => textAt(entry, 'occurredAt'));
  check(
    moments.every((moment) => MOMENT.test(moment)),
    'timeline',
    'list of moments',
  );
  check(
    moments.every((moment, index) => index === 0 || compareMoments(moments[index - 1] ?? '', moment) <= 0),
    'timeline',
    'ascending list',
  );
  return faults;
}

/** Contract «Organization (webhook-related fields)». */
export function faultsOfOrganization(organization: unknown): readonly string[] {
  const { faults, check, form } = inspect(organization);
  form('webhookSecret', SECRET, 'secret, whsec_ and 40 hex characters');
  for (const path of ['isWebhookEnabled', 'hasWebhooks']) {
    check(typeof valueAt(organization, path) === 'boolean', path, 'boolean');
  }
  return faults;
}

/** Contract «Errors», interpretation 26: a problem document that repeats its status and has a detail. */
export function faultsOfProblem(problem: unknown, status: number): readonly string[] {
  const { faults, check, text } = inspect(problem);
  text('detail');
  if (status === 401) {
    check(valueAt(problem, 'code') === 401, 'code', '401');
    text('message');
  }
  check(valueAt(problem, 'status') === status, 'status', String(status));
  if (status === 422) check(listAt(problem, 'violations').length > 0, 'violations', 'list of violations');
  return faults;
}

/** Contract «Request sent»: the nine fields and nothing else. */
export function faultsOfNotification(notification: unknown): readonly string[] {
  const { faults, check, form, word, textOrAbsent } = inspect(notification);
  check(valueAt(notification, 'event') === 'shipment.status_changed', 'event', 'shipment.status_changed');
  form('shipmentId', UUID, 'UUID');
  form('trackingNumber', TRACKING_NUMBER, 'tracking number');
  textOrAbsent('externalReference');
  word('status', SHIPMENT_STATUSES);
  word('taskType', TASK_TYPES);
  word('taskStatus', TASK_STATUSES);
  textOrAbsent('driverName');
  form('updatedAt', MOMENT, 'moment with offset');
  const unknown = Object.keys(notification ?? {}).filter((name) => !NOTIFICATION_FIELDS.includes(name));
  check(unknown.length === 0, unknown.join(', '), 'field of the contract');
  return faults;
}

/** Compares two ISO 8601 moments to the microsecond, which a JavaScript date would cut: below, equal to or above 0. */
export function compareMoments(left: string, right: string): number {
  const difference = Date.parse(left) - Date.parse(right);
  return difference === 0 ? microseconds(left) - microseconds(right) : difference;
}

function microseconds(moment: string): number {
  const digits = /\.(\d+)/.exec(moment)?.[1] ?? '';
  return Number(digits.padEnd(6, '0').slice(3, 6));
}
