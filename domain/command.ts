import type { ShipmentStatus, TaskStatus, TaskType, Transition } from './enumerations.ts';
import type { DriverId, TaskId } from './ids.ts';
import type { Action, UserRole } from './permission.ts';
import { mayApply, permissionScopeOf } from './permission.ts';
import type { Said } from './messages.ts';
import { say } from './messages.ts';
import type { Problem } from './problem.ts';
import { stated } from './problem.ts';
import type { Address, Contact } from './shipment.ts';

/** What can be asked of a shipment's workflow. */
export const COMMAND_KINDS = ['transition', 'approve', 'delete', 'add_task'] as const;
export type CommandKind = (typeof COMMAND_KINDS)[number];

/**
 * The life of a command: `received` until it is decided, then `applied` or `rejected`, once. `failed` is a command whose
 * decision threw on every try; the operator retries or dismisses it.
 */
export const COMMAND_STATUSES = ['received', 'applied', 'rejected', 'failed'] as const;
export type CommandStatus = (typeof COMMAND_STATUSES)[number];

/** A status that a waiting caller can be notified of. */
export type CommandOutcome = Exclude<CommandStatus, 'received'>;

/** A decision that throws for a reason of the command's own is tried this often, then the command is set aside. */
export const MAX_COMMAND_TRIES = 5;

/** The stored body of a command; which fields are present depends on its kind. */
export interface CommandRequest {
  readonly transition?: string;
  readonly driverId?: string;
  readonly reason?: string;
  readonly comment?: string;
  readonly proof?: Readonly<Record<string, unknown>>;
  readonly occurredAt?: string;
  readonly taskType?: string;
  readonly address?: Address;
  readonly contact?: Contact;
}

/** What an applied transition made of its task: all that a repeated request is answered where the first answer was lost. */
export interface CommandResult {
  readonly taskType: TaskType;
  readonly taskStatus: TaskStatus;
  readonly shipmentStatus: ShipmentStatus;
  readonly taskVersion: number;
  readonly shipmentVersion: number;
}

/** The user who sent a command, as it is when the command is decided. */
export interface CommandActor {
  readonly isEnabled: boolean;
  readonly role: UserRole;
  readonly driverId: DriverId | null;
}

/** A command that is to be decided. */
export interface Command {
  readonly kind: CommandKind;
  /** The task that it is about; of an additional task, the id that it will have. */
  readonly taskId: TaskId | null;
  readonly request: CommandRequest;
  /** Null for a command of the service itself. */
  readonly actor: CommandActor | null;
}

const REQUIRED_ACTION = {
  transition: 'task.transition',
  approve: 'shipment.approve',
  delete: 'shipment.delete',
  add_task: 'task.create',
} as const satisfies Record<CommandKind, Action>;

/**
 * Checks, when the command is decided, that the actor may still do what it asked for: the user is enabled, its role
 * allows the command, and a driver's task is still assigned to it (decision 0013). Returns the problem, or undefined
 * when the actor may. A command without an actor is the service's own and is always allowed.
 */
export function commandDenial(
  actor: CommandActor | null,
  command: { readonly kind: CommandKind; readonly transition: Transition | null },
  task: { readonly driverId: DriverId | null } | null,
): Problem | undefined {
  if (actor === null) return undefined;
  if (!actor.isEnabled) return forbidden(say('user_disabled'));
  const permissionScope = permissionScopeOf(actor.role, REQUIRED_ACTION[command.kind]);
  if (permissionScope === undefined) return forbidden(say('role_no_longer'));
  if (command.transition !== null && !mayApply(actor.role, command.transition)) {
    return forbidden(say('driver_may_not', { transition: command.transition }));
  }
  if (permissionScope === 'organization') return undefined;
  const isOwn = actor.driverId !== null && task?.driverId === actor.driverId;
  return isOwn ? undefined : forbidden(say('not_own_task'));
}

function forbidden(said: Said): Problem {
  return { kind: 'forbidden', ...stated(said) };
}
