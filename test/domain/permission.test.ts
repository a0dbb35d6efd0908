import test from 'ava';
import type { Action, Role } from '../../domain/permission.ts';
import {
  mayApply,
  PERMISSIONS,
  permissionScopeOf,
  ROLES,
  TRANSITION_PERMISSIONS,
} from '../../domain/permission.ts';
import type { Transition } from '../../domain/task.ts';
import { TRANSITIONS } from '../../domain/task.ts';

/**
 * Interpretation 38 by hand; one letter per role in the order admin, dispatcher, merchant, driver, key: all, own, none.
 */
const EXPECTED: Readonly<Record<Action, string>> = {
  'shipment.list': 'aao--',
  'shipment.read': 'aao--',
  'shipment.create': 'aao--',
  'shipment.edit': 'aao--',
  'shipment.delete': 'a----',
  'shipment.approve': 'aa---',
  'shipment.import': 'aao--',
  'shipment.export': 'aao--',
  'shipment.print': 'aao--',
  'task.list': 'aa-o-',
  'task.read': 'aa-o-',
  'task.create': 'aa---',
  'task.edit': 'aa---',
  'task.transition': 'aa-o-',
  'delivery_run.list': 'aa-o-',
  'delivery_run.read': 'aa-o-',
  'delivery_run.write': 'aa---',
  'delivery_run.delete': 'aa---',
  'driver.list': 'aa---',
  'driver.read': 'aa-o-',
  'driver.write': 'aa---',
  'driver.delete': 'a----',
  'driver.locate': 'aa-o-',
  'zone.read': 'aa---',
  'zone.write': 'aa---',
  'zone.delete': 'a----',
  'place.geocode': 'aa---',
  'pickup_point.read': 'aao--',
  'pickup_point.write': 'aao--',
  'pickup_point.delete': 'a----',
  'pickup_point.group': 'aa---',
  'merchant.read': 'aao--',
  'merchant.write': 'aa---',
  'merchant.delete': 'aa---',
  'organization.read': 'aa---',
  'organization.edit': 'a----',
  'organization.roll_key': 'a----',
  'user.read_self': 'aaoo-',
  'user.change_own_password': 'aaoo-',
  'user.change_own_factor': 'aaoo-',
  'user.manage': 'a----',
  'webhook.read': 'a----',
  'webhook.replay': 'a----',
  'audit.read': 'a----',
  'command.read': 'aaoo-',
  'board.read': 'aa---',
  'changes.read': 'aaoo-',
  'session.end': 'aaoo-',
  'session.list': 'aooo-',
  'session.revoke': 'aooo-',
  'external.create': '----a',
  'external.read': '----a',
};

const LETTER = { organization: 'a', own: 'o' } as const;

function lettersOf(action: Action): string {
  return ROLES.map((role: Role) => {
    const permissionScope = permissionScopeOf(role, action);
    return permissionScope === undefined ? '-' : LETTER[permissionScope];
  }).join('');
}

const isAction = (name: string): name is Action => Object.hasOwn(PERMISSIONS, name);

for (const action of Object.keys(PERMISSIONS).filter(isAction)) {
  test(`${action}: ${EXPECTED[action]} for admin, dispatcher, merchant, driver, API key`, (t) => {
    t.is(lettersOf(action), EXPECTED[action]);
  });
}

/** The same for transitions: staff decide who does a task and whether it is given up, drivers do their own. */
const EXPECTED_TRANSITIONS: Readonly<Record<Transition, string>> = {
  assign: 'aa---',
  unassign: 'aa---',
  start_approach: 'aa-o-',
  pick_up: 'aa-o-',
  start_delivery: 'aa-o-',
  start_delivery_approach: 'aa-o-',
  start_transit: 'aa-o-',
  deliver: 'aa-o-',
  fail: 'aa-o-',
  cancel: 'aa---',
  reactivate: 'aa---',
};

test('each transition has the roles of interpretation 38, and none that may apply no transition', (t) => {
  for (const transition of TRANSITIONS) {
    const grants: Readonly<Partial<Record<Role, 'organization' | 'own'>>> =
      TRANSITION_PERMISSIONS[transition];
    const letters = ROLES.map((role) => {
      const scope = grants[role];
      t.is(mayApply(role, transition), scope !== undefined, `${role} ${transition}`);
      if (scope !== undefined) t.is(permissionScopeOf(role, 'task.transition'), scope, transition);
      return scope === undefined ? '-' : LETTER[scope];
    });
    t.is(letters.join(''), EXPECTED_TRANSITIONS[transition], transition);
    t.true(mayApply(null, transition), transition);
  }
});
