import { parseHydraDocumentation } from '@api-platform/api-doc-parser';
import type { Resource } from '@api-platform/api-doc-parser';
import test from 'ava';
import { makeTeam } from '../../harness/make.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

/** What the parser has to find of each collection: operations, filters, to-one references, and lists. */
const EXPECTED: Readonly<
  Record<string, Readonly<Record<'operations' | 'filters' | 'references' | 'lists', string>>>
> = {
  'audit-events': {
    operations: 'list show',
    filters: 'createdAt[after] createdAt[before] kind user',
    references: 'user:users',
    lists: 'fields',
  },
  'delivery-runs': {
    operations: 'create delete edit list show',
    filters: 'date driver status',
    references: 'driver:drivers',
    lists: 'assignments results tasks',
  },
  drivers: {
    operations: 'create delete edit list show',
    filters: 'isAvailable search',
    references: 'user:users',
    lists: '',
  },
  imports: {
    filters: 'status',
    lists: 'errors warningMessages warnings',
    operations: 'list show',
    references: 'merchant:merchants user:users',
  },
  merchants: { operations: 'create delete edit list show', filters: 'search', references: '', lists: '' },
  'pickup-points': {
    operations: 'create delete edit list show',
    filters: 'merchant search',
    references: 'merchant:merchants',
    lists: '',
  },
  shipments: {
    operations: 'create delete edit list show',
    filters:
      'createdAt[after] createdAt[before] externalReference merchant pickupPoint priority search status trackingNumber',
    references: 'merchant:merchants pickupPoint:pickup-points',
    lists: 'handlingOptions items tasks timeline',
  },
  tasks: {
    operations: 'create edit list show',
    filters: 'deliveryRun driver shipment status type',
    references:
      'deliveryRun:delivery-runs driver:drivers merchant:merchants previous:tasks shipment:shipments',
    lists: 'allowedTransitions handlingOptions',
  },
  sessions: { operations: 'delete list show', filters: 'user', references: 'user:users', lists: '' },
  users: {
    operations: 'create delete edit list show',
    filters: 'isActive role search',
    references: 'driver:drivers merchant:merchants',
    lists: 'roles',
  },
  'webhook-deliveries': {
    operations: 'list show',
    filters: 'createdAt[after] createdAt[before] shipment status',
    references: 'shipment:shipments',
    lists: 'attempts',
  },
  zones: { operations: 'create delete edit list show', filters: 'isActive', references: '', lists: '' },
};

async function parsed(): Promise<readonly Resource[]> {
  const { token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const headers = { Authorization: `Bearer ${token}` };
  const { api } = await parseHydraDocumentation(`${service.baseUrl}/api/v1`, { headers });
  return api.resources ?? [];
}

const sorted = (words: Iterable<string>) => [...new Set(words)].sort().join(' ');

test('200 the parser of API Platform finds every class, operation, reference, order and filter', async (t) => {
  const resources = await parsed();
  const found: Record<string, unknown> = {};
  for (const resource of resources) {
    const { name, fields, operations, getParameters } = resource;
    const variables = ((await getParameters?.()) ?? []).map(({ variable }) => variable);
    const isOrder = (variable: string) => variable.startsWith('order[');
    t.is(sorted(variables.filter(isOrder)), 'order[createdAt] order[id] order[updatedAt]', name);
    found[name] = {
      operations: sorted((operations ?? []).map(({ type }) => type)),
      filters: sorted(variables.filter((variable) => !isOrder(variable))),
      references: sorted(
        (fields ?? []).flatMap(({ name: field, reference, maxCardinality }) =>
          typeof reference === 'object' && reference !== null && maxCardinality === 1
            ? [`${field}:${reference.name}`]
            : [],
        ),
      ),
      lists: sorted(
        (fields ?? []).flatMap(({ name: field, type, embedded }) =>
          type === 'array' || (typeof embedded === 'object' && embedded !== null) ? [field] : [],
        ),
      ),
    };
  }
  t.deepEqual(found, EXPECTED);
});

test('200 the parser finds what can be written; no edit has to send what is never shown', async (t) => {
  const resources = await parsed();
  const fieldsOf = (name: string) => {
    const { writableFields, readableFields } = resources.find((resource) => resource.name === name) ?? {};
    return { written: writableFields ?? [], shown: (readableFields ?? []).map((field) => field.name) };
  };
  const drivers = fieldsOf('drivers');
  t.is(
    sorted(drivers.written.map(({ name }) => name)),
    'firstName isAvailable lastName phoneNumber user vehicleType',
  );
  t.is(
    sorted(drivers.written.flatMap(({ name, required }) => (required === true ? [name] : []))),
    'firstName lastName phoneNumber',
  );
  const users = fieldsOf('users');
  const password = users.written.find(({ name }) => name === 'password');
  t.deepEqual([password?.required, users.shown.includes('password')], [false, false]);
});
