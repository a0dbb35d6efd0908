import test from 'ava';
import { createDocumentation } from '../../../api/openapi/documentation.ts';
import { routes } from '../../../api/routes.ts';
import { sessionRoutes } from '../../../api/session/routes.ts';
import { BUDGETS, budgetLines, requestClass, ROUTE_BUDGETS } from '../../../domain/request-budgets.ts';
import type { BudgetClass } from '../../../domain/request-budgets.ts';

/**
 * The endpoints that are not counted as their method and path suggest (`usualClass`), written by hand. `external` and `sign_in`
 * have limits of their own.
 */
const EXCEPTIONS = `
  sign_in         POST   /login_check
  session         POST   /token/refresh
  session         POST   /logout
  sign_in         POST   /session
  read            GET    /session
  session         DELETE /session
  export          GET    /shipments/export
  import          POST   /shipments/import
  export          GET    /shipments/imports/{id}/failed-rows
  export          GET    /shipments/import/template
  document        GET    /shipments/{id}/delivery-note
  document        POST   /shipments/delivery-notes
  document        GET    /shipments/{id}/label-assets
  document        POST   /shipments/labels
  command         POST   /shipments
  command         DELETE /shipments/{id}
  command         POST   /shipments/{id}/approve
  command         POST   /shipments/bulk-approve
  command         POST   /tasks
  command         POST   /tasks/{id}/transition
  command         POST   /tasks/transitions
  command         POST   /delivery-runs
  command         PATCH  /delivery-runs/{id}
  command         POST   /delivery-runs/{id}/tasks
  command         POST   /pickup-points/{id}/grouped-pickup
  webhook_replay  POST   /webhook-deliveries/{id}/replay
  replay_many     POST   /webhook-deliveries/replay
  webhook_test    POST   /organizations/{id}/webhook-test
  position        POST   /drivers/{id}/location
  account         PATCH  /organizations/{id}
  account         POST   /organizations/{id}/api-key
  geocode         GET    /geocode
  geocode         GET    /geocode/reverse
  read            GET    /users/me
  board           GET    /board
  board           GET    /changes
  account         POST   /users/me/password
  read            GET    /users/me/second-factor
  account         POST   /users/me/second-factor
  account         POST   /users/me/second-factor/confirmation
  account         POST   /users/me/second-factor/removal
  account         POST   /users/me/second-factor/recovery-codes
  account         POST   /session/step-up
  session         POST   /sessions/end-others
  read            GET    /organizations/{id}/webhook-secret
  account         POST   /users
  account         PATCH  /users/{id}
  external        POST   /external/shipments
  external        GET    /external/shipments/{id}
`;

const squeezed = (line: string) => line.trim().split(/\s+/).join(' ');

/** What counts an endpoint that does nothing unusual. */
function usualClass({ method, path }: { readonly method: string; readonly path: string }): string {
  if (method !== 'GET') return 'write';
  return path.endsWith('}') ? 'read' : 'list';
}

test('a route has the class of its method or of this table; no class is without a route', (t) => {
  const all = [...routes, ...sessionRoutes];
  const unusual = all
    .filter((route) => ROUTE_BUDGETS[route.operation] !== usualClass(route))
    .map(({ operation, method, path }) => `${ROUTE_BUDGETS[operation] ?? 'none'} ${method} ${path}`);
  t.deepEqual(unusual.sort(), EXCEPTIONS.trim().split('\n').map(squeezed).sort());
  const operations = new Set(all.map(({ operation }) => operation));
  t.deepEqual(
    Object.keys(ROUTE_BUDGETS).filter((operation) => !operations.has(operation)),
    [],
  );
});

test('the external API has its contract’s limit and no budget, and only it', (t) => {
  for (const { operation, surface } of routes) {
    t.is(ROUTE_BUDGETS[operation] === 'external', surface === 'external', operation);
  }
});

test('what no class counts is public and answered from memory', (t) => {
  const uncounted = createDocumentation(routes, 'http://localhost:8080').rows.filter(
    ({ operation }) => ROUTE_BUDGETS[operation] === undefined,
  );
  t.deepEqual(
    uncounted.filter(({ surface, tag }) => surface !== 'public' || !['Documentation', 'Hydra'].includes(tag)),
    [],
  );
});

test('a list that is searched is counted as a search, other classes stay what they are', (t) => {
  t.is(requestClass('list', true), 'search');
  t.is(requestClass('list', false), 'list');
  t.is(requestClass('export', true), 'export');
});

/** Units a minute: of a user, of an organization. */
const NUMBERS: Readonly<Record<BudgetClass, readonly [number | null, number]>> = {
  read: [600, 6_000],
  list: [600, 3_000],
  search: [90, 240],
  board: [60, 600],
  write: [240, 1_200],
  command: [600, 1_200],
  position: [120, 6_000],
  document: [300, 600],
  export: [10, 20],
  import: [6, 12],
  geocode: [60, 240],
  account: [30, 60],
  session: [20, 600],
  webhook_test: [null, 12],
  webhook_replay: [null, 300],
  replay_many: [null, 20],
};
const WHO = { userId: 'u', organizationId: 'o' };

test('every class has the numbers that this table says, and an operator’s percent scales them', (t) => {
  for (const [budgetClass, [user, organization]] of Object.entries(NUMBERS)) {
    const known = Object.entries(BUDGETS).find(([name]) => name === budgetClass)?.[1];
    t.deepEqual([known?.user, known?.organization], [user, organization], budgetClass);
  }
  t.is(Object.keys(BUDGETS).length, Object.keys(NUMBERS).length);
  t.deepEqual(
    budgetLines('list', WHO, 50).map(({ policy, limit, unwrittenLimit }) => [policy, limit, unwrittenLimit]),
    [
      ['list-user', 300, 15],
      ['list-organization', 1_500, 75],
    ],
  );
  t.deepEqual(
    budgetLines('webhook_test', WHO, 1).map(({ subject, limit }) => [subject, limit]),
    [['webhook_test:organization:o', 1]],
  );
});
