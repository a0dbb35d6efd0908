import test from 'ava';
import type { EntryKind, EventFacts, WebhookEventKind } from '../../domain/webhook-events.ts';
import { eventsOf, testEvent } from '../../domain/webhook-events.ts';

const FACTS: EventFacts = {
  entry: 'transition',
  shipmentId: 's',
  trackingNumber: 'TST-20260301-000000',
  externalReference: null,
  shipmentStatus: 'in_transit',
  taskType: 'delivery',
  taskStatus: 'delivery_in_progress',
  driverName: 'Zoë "Zed" لمياء',
  updatedAt: '2026-03-01T09:30:00.123456+00:00',
};

/** Which events each entry of the timeline causes, by hand and not by the table. */
const EXPECTED = {
  approved: [],
  transition: ['shipment.status_changed'],
  task_added: [],
  deleted: [],
  deadline_missed: [],
} as const satisfies Record<EntryKind, readonly WebhookEventKind[]>;

for (const entry of ['approved', 'transition', 'task_added', 'deleted', 'deadline_missed'] as const) {
  test(`${entry} causes ${EXPECTED[entry].join(', ') || 'no event'}`, (t) => {
    t.deepEqual(
      eventsOf({ ...FACTS, entry }).map(({ kind }) => kind),
      [...EXPECTED[entry]],
    );
  });
}

test('shipment.status_changed has the contract’s fields, in order, and null where there is nothing', (t) => {
  t.is(
    eventsOf(FACTS)[0]?.body,
    '{"event":"shipment.status_changed","shipmentId":"s","trackingNumber":"TST-20260301-000000","externalReference":null,' +
      '"status":"in_transit","taskType":"delivery","taskStatus":"delivery_in_progress","driverName":"Zoë \\"Zed\\" لمياء",' +
      '"updatedAt":"2026-03-01T09:30:00.123456+00:00"}',
  );
});

test('a test event is a status change of a shipment that cannot exist', (t) => {
  t.deepEqual(testEvent('TST', FACTS.updatedAt), {
    kind: 'shipment.status_changed',
    body:
      '{"event":"shipment.status_changed","shipmentId":"00000000-0000-0000-0000-000000000000","trackingNumber":"TST-00000000-TEST00",' +
      '"externalReference":"webhook-test","status":"pending","taskType":"delivery","taskStatus":"assigned","driverName":"Test Driver",' +
      '"updatedAt":"2026-03-01T09:30:00.123456+00:00"}',
  });
});
