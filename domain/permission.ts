import type { Transition } from './task.ts';

/** The roles (contract «Authentication», interpretation 38). `ROLE_EXTERNAL_API` is the API key's alone. */
export const ROLES = [
  'ROLE_ORG_ADMIN',
  'ROLE_DISPATCHER',
  'ROLE_MERCHANT',
  'ROLE_DRIVER',
  'ROLE_EXTERNAL_API',
] as const;
export type Role = (typeof ROLES)[number];

/** Roles that a user can have. */
export const USER_ROLES = [
  'ROLE_ORG_ADMIN',
  'ROLE_DISPATCHER',
  'ROLE_MERCHANT',
  'ROLE_DRIVER',
] as const satisfies readonly Role[];
export type UserRole = (typeof USER_ROLES)[number];

/** How far a permission reaches: all of the organization's records, or those that belong to the user. */
export type PermissionScope = 'organization' | 'own';

type Grants = Readonly<Partial<Record<Role, PermissionScope>>>;

const ADMIN: Grants = { ROLE_ORG_ADMIN: 'organization' };
const STAFF: Grants = { ROLE_ORG_ADMIN: 'organization', ROLE_DISPATCHER: 'organization' };
const STAFF_AND_MERCHANT: Grants = { ...STAFF, ROLE_MERCHANT: 'own' };
const STAFF_AND_DRIVER: Grants = { ...STAFF, ROLE_DRIVER: 'own' };
const EVERY_USER: Grants = { ...STAFF, ROLE_MERCHANT: 'own', ROLE_DRIVER: 'own' };
const ADMIN_AND_SELF: Grants = {
  ROLE_ORG_ADMIN: 'organization',
  ROLE_DISPATCHER: 'own',
  ROLE_MERCHANT: 'own',
  ROLE_DRIVER: 'own',
};
const KEY: Grants = { ROLE_EXTERNAL_API: 'organization' };

/**
 * Who may do what: action × role (contract «Authentication», interpretation 38). A role that a
 * row does not name is rejected with 403. A merchant's own are its shipments and pickup
 * points, a driver's own are its tasks and its position.
 */
export const PERMISSIONS = {
  'shipment.list': STAFF_AND_MERCHANT,
  'shipment.read': STAFF_AND_MERCHANT,
  'shipment.create': STAFF_AND_MERCHANT,
  'shipment.edit': STAFF_AND_MERCHANT,
  'shipment.delete': ADMIN,
  'shipment.approve': STAFF,
  'shipment.import': STAFF_AND_MERCHANT,
  'shipment.export': STAFF_AND_MERCHANT,
  'shipment.print': STAFF_AND_MERCHANT,
  'task.list': STAFF_AND_DRIVER,
  'task.read': STAFF_AND_DRIVER,
  'task.create': STAFF,
  'task.edit': STAFF,
  'task.transition': STAFF_AND_DRIVER,
  'delivery_run.list': STAFF_AND_DRIVER,
  'delivery_run.read': STAFF_AND_DRIVER,
  'delivery_run.write': STAFF,
  'delivery_run.delete': STAFF,
  'driver.list': STAFF,
  'driver.read': STAFF_AND_DRIVER,
  'driver.write': STAFF,
  'driver.delete': ADMIN,
  'driver.locate': STAFF_AND_DRIVER,
  'zone.read': STAFF,
  'zone.write': STAFF,
  'zone.delete': ADMIN,
  'place.geocode': STAFF,
  'pickup_point.read': STAFF_AND_MERCHANT,
  'pickup_point.write': STAFF_AND_MERCHANT,
  'pickup_point.delete': ADMIN,
  'pickup_point.group': STAFF,
  'merchant.read': STAFF_AND_MERCHANT,
  'merchant.write': STAFF,
  'merchant.delete': STAFF,
  'organization.read': STAFF,
  'organization.edit': ADMIN,
  'organization.roll_key': ADMIN,
  'user.read_self': EVERY_USER,
  'user.change_own_password': EVERY_USER,
  'user.change_own_factor': EVERY_USER,
  'user.manage': ADMIN,
  'webhook.read': ADMIN,
  'webhook.replay': ADMIN,
  'audit.read': ADMIN,
  'command.read': EVERY_USER,
  'board.read': STAFF,
  'changes.read': EVERY_USER,
  'session.end': EVERY_USER,
  'session.list': ADMIN_AND_SELF,
  'session.revoke': ADMIN_AND_SELF,
  'external.create': KEY,
  'external.read': KEY,
} as const satisfies Record<string, Grants>;

export type Action = keyof typeof PERMISSIONS;
const ACTIONS = Object.keys(PERMISSIONS).filter((name): name is Action => name in PERMISSIONS);

/**
 * Who may apply which transition of a task: transition × role, a driver to its own tasks (interpretation 38). The endpoint, the
 * decision and `allowedTransitions` read it.
 */
export const TRANSITION_PERMISSIONS = {
  assign: STAFF,
  unassign: STAFF,
  start_approach: STAFF_AND_DRIVER,
  pick_up: STAFF_AND_DRIVER,
  start_delivery: STAFF_AND_DRIVER,
  start_delivery_approach: STAFF_AND_DRIVER,
  start_transit: STAFF_AND_DRIVER,
  deliver: STAFF_AND_DRIVER,
  fail: STAFF_AND_DRIVER,
  cancel: STAFF,
  reactivate: STAFF,
} as const satisfies Readonly<Record<Transition, Grants>>;

/** Whether a role may apply a transition; null is the service itself, which may apply all. */
export function mayApply(role: Role | null, transition: Transition): boolean {
  const grants: Grants = TRANSITION_PERMISSIONS[transition];
  return role === null || grants[role] !== undefined;
}

/** What a role may do, for a screen that shows nothing else. */
export function actionsOf(role: Role): readonly Action[] {
  return ACTIONS.filter((action) => permissionScopeOf(role, action) !== undefined);
}

/** How far a role may do an action; undefined when it may not. */
export function permissionScopeOf(role: Role, action: Action): PermissionScope | undefined {
  const grants: Grants = PERMISSIONS[action];
  return grants[role];
}
