import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { routes } from '../../api/routes.ts';
import type { RouteDefinition } from '../../api/http/route.ts';
import { permissionScopeOf, USER_ROLES } from '../../domain/permission.ts';
import type { UserRole } from '../../domain/permission.ts';
import { send } from '../harness/request.ts';
import { useService } from '../harness/use-service.ts';
import { makeCast, makeObjects, pathTo } from './permission-objects.ts';
import type { Cast, Objects } from './permission-objects.ts';

/**
 * Every endpoint × no token, a key, each role on its own and on others' records, the other organization's admin. The
 * rows are the server's own, so that an endpoint that is added is tested; the table below them is written by hand.
 */

const service = useService({ withWorkers: false, settings: { COMMAND_WAIT_MS: '10' } });

let stranger: Cast;
test.before(async () => {
  stranger = await makeCast(service);
});

/** Who may, by the contract and interpretation 38: admin, dispatcher, merchant, driver. */
const NAMED_CELLS: Readonly<Record<string, string>> = {
  'POST /shipments': 'ADM',
  'GET /shipments': 'ADM',
  'GET /shipments/{id}': 'ADM',
  'PATCH /shipments/{id}': 'ADM',
  'DELETE /shipments/{id}': 'A',
  'POST /shipments/{id}/approve': 'AD',
  'POST /shipments/bulk-approve': 'AD',
  'POST /shipments/import': 'ADM',
  'GET /shipments/{id}/delivery-note': 'ADM',
  'GET /shipments/{id}/label-assets': 'ADM',
  'GET /tasks': 'ADR',
  'GET /tasks/{id}': 'ADR',
  'PATCH /tasks/{id}': 'AD',
  'POST /tasks': 'AD',
  'POST /tasks/{id}/transition': 'ADR',
  'POST /tasks/transitions': 'ADR',
  'POST /delivery-runs': 'AD',
  'DELETE /delivery-runs/{id}': 'AD',
  'DELETE /drivers/{id}': 'A',
  'DELETE /zones/{id}': 'A',
  'DELETE /pickup-points/{id}': 'A',
  'DELETE /merchants/{id}': 'AD',
  'POST /drivers': 'AD',
  'POST /drivers/{id}/location': 'ADR',
  'POST /zones': 'AD',
  'GET /pickup-points': 'ADM',
  'POST /pickup-points/{id}/grouped-pickup': 'AD',
  'PATCH /organizations/{id}': 'A',
  'POST /organizations/{id}/api-key': 'A',
  'GET /users': 'A',
  'GET /users/me': 'ADMR',
  'POST /users/me/password': 'ADMR',
  'GET /webhook-deliveries': 'A',
  'POST /webhook-deliveries/replay': 'A',
  'GET /sessions': 'ADMR',
  'DELETE /sessions/{id}': 'ADMR',
  'GET /audit-events': 'A',
  'GET /audit-events/{id}': 'A',
  'POST /logout': 'ADMR',
};
const LETTERS = { ROLE_ORG_ADMIN: 'A', ROLE_DISPATCHER: 'D', ROLE_MERCHANT: 'M', ROLE_DRIVER: 'R' } as const;

interface Caller {
  readonly token?: string;
  readonly key?: string;
}

function call(row: RouteDefinition, path: string, caller: Caller) {
  const type =
    row.consumes?.[0] ?? (row.method === 'PATCH' ? 'application/merge-patch+json' : 'application/json');
  const body = row.bodyJson === null || row.consumes?.length === 0 ? {} : { body: '{}', contentType: type };
  const accept = { accept: '*/*' };
  return send(service, row.method, path, { ...caller, ...body, headers: accept });
}

/** Whatever the request then comes to: it was not refused for who asked, and it is no fault. */
async function assertPermitted(
  t: ExecutionContext,
  row: RouteDefinition,
  path: string,
  caller: Caller,
  who: string,
) {
  const { status, body } = await call(row, path, caller);
  t.false(
    [401, 403].includes(status) || status >= 500,
    `${who}: ${status} ${JSON.stringify(body).slice(0, 300)}`,
  );
}

async function assertStatus(
  t: ExecutionContext,
  expected: number,
  row: RouteDefinition,
  path: string,
  caller: Caller,
  who: string,
) {
  const { status, body } = await call(row, path, caller);
  t.is(status, expected, `${who}: ${JSON.stringify(body).slice(0, 300)}`);
}

function filled(row: RouteDefinition, objects: Objects): string {
  return pathTo(row.path, (collection) => objects.get(collection));
}

/** The strangers to a record come before those who may change it. */
const ROLES = ['ROLE_MERCHANT', 'ROLE_DRIVER', 'ROLE_DISPATCHER', 'ROLE_ORG_ADMIN'] as const;

async function assertRole(
  t: ExecutionContext,
  row: RouteDefinition,
  role: UserRole,
  cast: Cast,
  others: string,
): Promise<void> {
  const caller = { token: cast.users[role].token };
  const permissionScope = row.action === undefined ? 'organization' : permissionScopeOf(role, row.action);
  if (permissionScope === undefined) {
    await assertStatus(t, 403, row, others, caller, role);
  } else if (permissionScope === 'own' && row.path.includes('{')) {
    await assertStatus(t, 403, row, others, caller, `${role} on another's`);
    const own = filled(row, await makeObjects(service, cast, role));
    await assertPermitted(t, row, own, caller, `${role} on its own`);
  } else {
    await assertPermitted(t, row, others, caller, role);
  }
}

for (const row of routes.filter(({ surface }) => surface === 'dashboard')) {
  const name = `${row.method} ${row.path}`;

  test.serial(`401 and 403 ${name} for all but the roles of the table`, async (t) => {
    const cast = await makeCast(service);
    const path = filled(row, await makeObjects(service, cast, 'nobody'));
    await assertStatus(t, 401, row, path, {}, 'nobody');
    await assertStatus(t, 401, row, path, { key: cast.organization.apiKey }, 'a key');
    if (row.path.includes('{')) {
      const admin = { token: stranger.users.ROLE_ORG_ADMIN.token };
      await assertStatus(t, 403, row, path, admin, 'another organization’s admin');
      await assertStatus(
        t,
        404,
        row,
        pathTo(row.path, () => randomUUID()),
        admin,
        'unknown',
      );
      await assertStatus(
        t,
        404,
        row,
        pathTo(row.path, () => 'no-uuid'),
        admin,
        'malformed',
      );
    }
    for (const role of ROLES) await assertRole(t, row, role, cast, path);
  });
}

for (const row of routes.filter(({ surface }) => surface === 'external')) {
  const name = `${row.method} ${row.path}`;

  test.serial(`401 ${name} to all but the organization’s key`, async (t) => {
    const cast = await makeCast(service);
    const path = filled(row, await makeObjects(service, cast, 'nobody'));
    await assertStatus(t, 401, row, path, {}, 'nobody');
    for (const { token } of Object.values(cast.users))
      await assertStatus(t, 401, row, path, { token }, 'a token');
    await assertPermitted(t, row, path, { key: cast.organization.apiKey }, 'the key');
  });
}

test('the routes grant the cells that the contract and its interpretation name', (t) => {
  const byName = new Map(routes.map((row) => [`${row.method} ${row.path}`, row]));
  for (const [name, expected] of Object.entries(NAMED_CELLS)) {
    const row = byName.get(name);
    const granted = USER_ROLES.filter(
      (role) => row?.action != null && permissionScopeOf(role, row.action) !== undefined,
    );
    t.is(granted.map((role) => LETTERS[role]).join(''), expected, name);
  }
});
