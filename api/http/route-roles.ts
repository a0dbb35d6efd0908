import type { PermissionScope, Role } from '../../domain/permission.ts';
import { PERMISSIONS } from '../../domain/permission.ts';
import type { RouteDefinition } from './route.ts';

/** Who may use a route of the dashboard, in words, as the permission table has it; undefined where any caller may. */
export function rolesOf({ action, surface }: RouteDefinition): string | undefined {
  if (action === undefined || surface !== 'dashboard') return undefined;
  const grants: Readonly<Partial<Record<Role, PermissionScope>>> = PERMISSIONS[action];
  const roles = Object.entries(grants).map(([role, permissionScope]) =>
    permissionScope === 'own' ? `${role} (own records)` : role,
  );
  return `Roles: ${roles.join(', ')}.`;
}
