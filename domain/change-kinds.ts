import type { DriverId, MerchantId, UserId } from './ids.ts';
import type { ResourceKind } from './iri.ts';
import { collectionPath } from './iri.ts';
import type { Action, UserRole } from './permission.ts';
import { permissionScopeOf } from './permission.ts';

/**
 * What the stream of changes has events of: for each the type of its rows, which is the name of the event, and the action that a
 * reader must be allowed (decision 0030).
 */
export const CHANGE_KINDS = {
  task: { type: 'Task', action: 'task.list' },
  shipment: { type: 'Shipment', action: 'shipment.list' },
  driver: { type: 'Driver', action: 'driver.read' },
  delivery_run: { type: 'DeliveryRun', action: 'delivery_run.list' },
  import: { type: 'Import', action: 'shipment.import' },
  webhook_event: { type: 'WebhookDelivery', action: 'webhook.read' },
} as const satisfies Partial<Record<ResourceKind, { readonly type: string; readonly action: Action }>>;

export type ChangeKind = keyof typeof CHANGE_KINDS;
const isChangeKind = (name: string): name is ChangeKind => Object.hasOwn(CHANGE_KINDS, name);
export const CHANGE_KIND_NAMES = Object.keys(CHANGE_KINDS).filter(isChangeKind);

/** The topic of a kind, the template of its rows' IRIs: `/api/v1/tasks/{id}`. */
export function topicOf(kind: ChangeKind): string {
  return `${collectionPath(kind)}/{id}`;
}

/** Who follows the changes. */
export interface ChangeReader {
  readonly role: UserRole;
  readonly userId: UserId;
  readonly merchantId: MerchantId | null;
  readonly driverId: DriverId | null;
}

/** Whose a row is, as far as a kind of row has an owner. */
export interface RowOwners {
  readonly driverId?: DriverId | null;
  readonly merchantId?: MerchantId | null;
  readonly userId?: UserId | null;
}

/** Whose a row may have been before its change. */
export interface FormerOwners {
  readonly driverIds: readonly DriverId[];
  readonly merchantIds: readonly MerchantId[];
}

/** Whether a role may follow the rows of a kind at all. */
export function mayFollow(role: UserRole, kind: ChangeKind): boolean {
  return permissionScopeOf(role, CHANGE_KINDS[kind].action) !== undefined;
}

/** Whether a reader, who may follow rows of the kind, is shown this one. */
export function isShownTo(reader: ChangeReader, kind: ChangeKind, owners: RowOwners): boolean {
  if (permissionScopeOf(reader.role, CHANGE_KINDS[kind].action) === 'organization') return true;
  return (
    isSame(reader.driverId, owners.driverId) ||
    isSame(reader.merchantId, owners.merchantId) ||
    isSame(reader.userId, owners.userId)
  );
}

/** Whether a row that a reader is not shown now may have been shown to it before, so that the reader has to forget it. */
export function mayHaveBeenShownTo(
  reader: ChangeReader,
  kind: ChangeKind,
  { driverIds, merchantIds }: FormerOwners,
): boolean {
  if (permissionScopeOf(reader.role, CHANGE_KINDS[kind].action) === 'organization') return true;
  return driverIds.some((id) => id === reader.driverId) || merchantIds.some((id) => id === reader.merchantId);
}

function isSame<Id>(own: Id | null, owner: Id | null | undefined): boolean {
  return own !== null && own === owner;
}
