import test from 'ava';
import { createDocumentation } from '../../../api/openapi/documentation.ts';
import { routes } from '../../../api/routes.ts';
import { BUDGETS, budgetLines, requestClass, ROUTE_BUDGETS } from '../../../domain/request-budgets.ts';
import type { BudgetClass } from '../../../domain/request-budgets.ts';

/** Every endpoint and the class that counts it, written by hand. `external` and `sign_in` have limits of their own. */
const EXPECTED = `
  sign_in         POST   /login_check
  session         POST   /token/refresh
  session         POST   /logout
  export          GET    /shipments/export
  import          POST   /shipments/import
  export          GET    /shipments/imports/{id}/failed-rows
  export          GET    /shipments/import/template
  document        GET    /shipments/{id}/delivery-note
  document        POST   /shipments/delivery-notes
  document        GET    /shipments/{id}/label-assets
  document        POST   /shipments/labels
  list            GET    /shipments
  command         POST   /shipments
  read            GET    /shipments/{id}
  write           PATCH  /shipments/{id}
  command         DELETE /shipments/{id}
  command         POST   /shipments/{id}/approve
  command         POST   /shipments/bulk-approve
  list            GET    /tasks
  command         POST   /tasks
  read            GET    /tasks/{id}
  write           PATCH  /tasks/{id}
  command         POST   /tasks/{id}/transition
  list            GET    /delivery-runs
  command         POST   /delivery-runs
  read            GET    /delivery-runs/{id}
  command         PATCH  /delivery-runs/{id}
  write           DELETE /delivery-runs/{id}
  command         POST   /delivery-runs/{id}/tasks
  write           DELETE /delivery-runs/{runId}/tasks/{taskId}
  command         POST   /pickup-points/{id}/grouped-pickup
  list            GET    /webhook-deliveries
  read            GET    /webhook-deliveries/{id}
  webhook_replay  POST   /webhook-deliveries/{id}/replay
  webhook_test    POST   /organizations/{id}/webhook-test
  read            GET    /commands/{id}
  position        POST   /drivers/{id}/location
  list            GET    /drivers/{id}/positions
  list            GET    /drivers
  write           POST   /drivers
  read            GET    /drivers/{id}
  write           PATCH  /drivers/{id}
  write           DELETE /drivers/{id}
  list            GET    /pickup-points
  write           POST   /pickup-points
  read            GET    /pickup-points/{id}
  write           PATCH  /pickup-points/{id}
  write           DELETE /pickup-points/{id}
  list            GET    /merchants
  write           POST   /merchants
  read            GET    /merchants/{id}
  write           PATCH  /merchants/{id}
  write           DELETE /merchants/{id}
  list            GET    /zones
  write           POST   /zones
  read            GET    /zones/{id}
  write           PATCH  /zones/{id}
  write           DELETE /zones/{id}
  read            GET    /organizations/{id}
  account         PATCH  /organizations/{id}
  account         POST   /organizations/{id}/api-key
  read            GET    /users/me
  account         POST   /users/me/password
  list            GET    /users
  account         POST   /users
  read            GET    /users/{id}
  account         PATCH  /users/{id}
  write           DELETE /users/{id}
  external        POST   /external/shipments
  external        GET    /external/shipments/{id}
`;

const squeezed = (line: string) => line.trim().split(/\s+/).join(' ');

test('every route has the class that this table says, and no class is without a route', (t) => {
  const found = routes.map(
    ({ operation, method, path }) => `${ROUTE_BUDGETS[operation] ?? 'none'} ${method} ${path}`,
  );
  t.deepEqual(found.sort(), EXPECTED.trim().split('\n').map(squeezed).sort());
  const operations = new Set(routes.map(({ operation }) => operation));
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
  write: [240, 1_200],
  command: [600, 1_200],
  position: [120, 6_000],
  document: [300, 600],
  export: [10, 20],
  import: [6, 12],
  account: [30, 60],
  session: [20, 600],
  webhook_test: [null, 12],
  webhook_replay: [null, 300],
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
