import test from 'ava';
import type { PickupPlace } from '../../domain/task-plan.ts';
import { initialShipmentStatus, plannedTasks } from '../../domain/task-plan.ts';
import { RECIPIENT, taskId } from './shipments.ts';

const AFTER = new Date('2026-03-02T08:00:00Z');
const DEADLINE = new Date('2026-03-03T08:00:00Z');

function planned(pickup: PickupPlace | null) {
  let count = 0;
  return plannedTasks(
    { recipient: RECIPIENT, pickup, scheduledAfter: AFTER, deliveryDeadline: DEADLINE },
    () => taskId((count += 1)),
  );
}

const DELIVERED = {
  type: 'delivery',
  address: RECIPIENT.address,
  contact: { name: 'Nadia', phoneNumber: RECIPIENT.phoneNumber, email: null },
  after: AFTER,
  before: DEADLINE,
} as const;

test('without a pickup the shipment starts directly with a delivery', (t) => {
  t.deepEqual(planned(null), [{ ...DELIVERED, id: taskId(1), status: 'pending', previousId: null }]);
});

test('with a pickup the delivery waits for it; the pickup is at its place and has no deadline', (t) => {
  const place = { address: { ...RECIPIENT.address, street: '2 quai' }, contact: null };
  t.deepEqual(planned(place), [
    {
      ...place,
      type: 'pickup',
      id: taskId(1),
      status: 'pending',
      previousId: null,
      after: AFTER,
      before: null,
    },
    { ...DELIVERED, id: taskId(2), status: 'waiting_for_pickup', previousId: taskId(1) },
  ]);
});

for (const [source, isMerchantUser, status] of [
  ['dashboard', true, 'pending_approval'],
  ['import', true, 'pending_approval'],
  ['external', true, 'pending'],
  ['dashboard', false, 'pending'],
  ['import', false, 'pending'],
  ['external', false, 'pending'],
] as const) {
  test(`made by ${source}, ${isMerchantUser ? 'a merchant' : 'a dispatcher'}: ${status}`, (t) => {
    t.is(initialShipmentStatus(source, isMerchantUser), status);
  });
}
