import test from 'ava';
import { toId } from '../../domain/ids.ts';
import type { ResourceKind } from '../../domain/iri.ts';
import { collectionPath, iriOf, parseIri, parseReference } from '../../domain/iri.ts';

const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';

for (const [kind, path] of [
  ['shipment', '/api/v1/shipments'],
  ['task', '/api/v1/tasks'],
  ['delivery_run', '/api/v1/delivery-runs'],
  ['driver', '/api/v1/drivers'],
  ['zone', '/api/v1/zones'],
  ['pickup_point', '/api/v1/pickup-points'],
  ['merchant', '/api/v1/merchants'],
  ['organization', '/api/v1/organizations'],
  ['user', '/api/v1/users'],
  ['command', '/api/v1/commands'],
  ['webhook_event', '/api/v1/webhook-deliveries'],
] as const satisfies readonly (readonly [ResourceKind, string])[]) {
  test(`a ${kind} lives below ${path}, and its IRI is read again`, (t) => {
    t.is(collectionPath(kind), path);
    t.is(iriOf(kind, toId<typeof kind>(UUID)), `${path}/${UUID}`);
    t.is(parseIri(kind, `${path}/${UUID}`), toId<typeof kind>(UUID));
  });
}

test('both spellings of a pickup point are read, and the one with a dash is written', (t) => {
  for (const segment of ['pickup-points', 'pickup_points']) {
    t.is(parseIri('pickup_point', `/api/v1/${segment}/${UUID}`), toId<'pickup_point'>(UUID));
  }
});

for (const iri of [
  UUID,
  `/shipments/${UUID}`,
  `/api/v2/shipments/${UUID}`,
  `/api/v1/tasks/${UUID}`,
  `/api/v1/shipments/${UUID}/`,
  `/api/v1/shipments/x/${UUID}`,
  `/api/v1/shipments/${UUID}?x=1`,
  `https://example.com/api/v1/shipments/${UUID}`,
  '/api/v1/shipments/1',
  '/api/v1/shipments',
  '',
]) {
  test(`${JSON.stringify(iri)} is not an IRI of a shipment`, (t) =>
    t.is(parseIri('shipment', iri), undefined));
}

test('a reference is an IRI of the right kind or a bare id', (t) => {
  t.is(parseReference('driver', UUID), toId<'driver'>(UUID));
  t.is(parseReference('driver', `/api/v1/drivers/${UUID}`), toId<'driver'>(UUID));
  t.is(parseReference('driver', `/api/v1/zones/${UUID}`), undefined);
});
