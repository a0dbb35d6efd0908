import test from 'ava';
import { initialShipmentStatus, TASK_PLANS } from '../../domain/task-plan.ts';

test('without a pickup the shipment starts directly with a delivery', (t) => {
  t.deepEqual(TASK_PLANS.none, [{ type: 'delivery', status: 'pending', follows: null }]);
});

for (const mode of ['point', 'address'] as const) {
  test(`with a pickup by ${mode} the delivery waits for it`, (t) => {
    t.deepEqual(TASK_PLANS[mode], [
      { type: 'pickup', status: 'pending', follows: null },
      { type: 'delivery', status: 'waiting_for_pickup', follows: 0 },
    ]);
  });
}

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
