import test from 'ava';
import type { CommandActor, CommandKind } from '../../domain/command.ts';
import { COMMAND_KINDS, commandDenial } from '../../domain/command.ts';
import type { Transition } from '../../domain/enumerations.ts';
import { TRANSITIONS } from '../../domain/enumerations.ts';
import { toId } from '../../domain/ids.ts';
import type { UserRole } from '../../domain/permission.ts';
import { mayApply, USER_ROLES } from '../../domain/permission.ts';

const OWN = toId<'driver'>('00000000-0000-4000-8000-000000000001');
const OTHER = toId<'driver'>('00000000-0000-4000-8000-000000000002');

/** Who may send which kind of command (interpretation 38); a driver: its transitions of its own task. */
const ALLOWED: Readonly<Record<UserRole, readonly CommandKind[]>> = {
  ROLE_ORG_ADMIN: ['transition', 'approve', 'delete', 'add_task'],
  ROLE_DISPATCHER: ['transition', 'approve', 'add_task'],
  ROLE_MERCHANT: [],
  ROLE_DRIVER: ['transition'],
};

function actor(role: UserRole, isEnabled = true): CommandActor {
  return { role, isEnabled, driverId: role === 'ROLE_DRIVER' ? OWN : null };
}

for (const role of USER_ROLES) {
  for (const kind of COMMAND_KINDS) {
    const isAllowed = ALLOWED[role].includes(kind);
    test(`${kind} by ${role} is ${isAllowed ? 'allowed' : 'denied'}, and denied to a disabled user`, (t) => {
      const command = { kind, transition: kind === 'transition' ? ('pick_up' as const) : null };
      const denial = commandDenial(actor(role), command, { driverId: OWN });
      t.is(denial?.kind, isAllowed ? undefined : 'forbidden');
      t.is(commandDenial(actor(role, false), command, { driverId: OWN })?.kind, 'forbidden');
    });
  }
}

test('a driver applies its own transitions to its own task alone', (t) => {
  const denied = (transition: Transition, driverId: typeof OWN | null) =>
    commandDenial(actor('ROLE_DRIVER'), { kind: 'transition', transition }, { driverId }) !== undefined;
  for (const transition of TRANSITIONS) {
    t.is(denied(transition, OWN), !mayApply('ROLE_DRIVER', transition), transition);
    t.true(denied(transition, OTHER), transition);
    t.true(denied(transition, null), transition);
  }
});

test('a command without an actor is the service’s own and always allowed', (t) => {
  for (const kind of COMMAND_KINDS) t.is(commandDenial(null, { kind, transition: null }, null), undefined);
});
