import test from 'ava';
import type { ShipmentStatus, TaskStatus, TaskType } from '../../domain/enumerations.ts';
import { SHIPMENT_STATUSES, TASK_STATUSES } from '../../domain/enumerations.ts';
import { toId } from '../../domain/ids.ts';
import {
  editProblem,
  isDeadlineRecalculable,
  isFeeOpen,
  isPricedChange,
  pickupPointChangeProblem,
} from '../../domain/shipment-edit.ts';

const POINT = toId<'pickup_point'>('aaaaaaaa-0000-4000-8000-000000000001');
const OTHER_POINT = toId<'pickup_point'>('aaaaaaaa-0000-4000-8000-000000000002');

function shipment(
  status: ShipmentStatus,
  tasks: readonly { readonly type: TaskType; readonly status: TaskStatus }[] = [],
  pickupPointId: typeof POINT | null = POINT,
) {
  return { status, pickupPointId, tasks };
}

for (const status of SHIPMENT_STATUSES) {
  const isTerminal = ['delivered', 'returned', 'cancelled'].includes(status);
  const mayMerchant = status === 'pending_approval';
  test(`a ${status} shipment: editable by dispatcher ${String(!isTerminal)}, by merchant ${String(mayMerchant)}`, (t) => {
    const byStaff = editProblem(shipment(status), false);
    const byMerchant = editProblem(shipment(status), true);
    if (isTerminal) t.like(byStaff, { kind: 'conflict', currentStatus: status });
    else t.is(byStaff, undefined);
    if (mayMerchant) t.is(byMerchant, undefined);
    else t.like(byMerchant, { kind: 'conflict', currentStatus: status });
  });
}

for (const status of TASK_STATUSES) {
  test(`the pickup point of a pickup that is ${status} ${status === 'pending' ? 'may' : 'may not'} change`, (t) => {
    const problem = pickupPointChangeProblem(shipment('pending', [{ type: 'pickup', status }]), OTHER_POINT);
    if (status === 'pending') t.is(problem, undefined);
    else t.like(problem, { kind: 'conflict', currentStatus: status });
  });

  const isOpen = ['waiting_for_pickup', 'pending'].includes(status);
  test(`the fee is ${isOpen ? 'open' : 'frozen'} while a task is ${status}`, (t) => {
    const waiting = { type: 'pickup', status: 'pending' } as const;
    t.is(isFeeOpen(shipment('pending', [waiting, { type: 'delivery', status }])), isOpen);
  });
}

const ADDRESS = {
  street: '1 rue de Rivoli',
  city: 'Paris',
  postalCode: '75001',
  latitude: 48.85,
  longitude: 2.35,
  landmark: null,
};
const RECIPIENT = {
  type: 'individual',
  firstName: 'Amina',
  lastName: null,
  phoneNumber: '+33612345678',
  email: null,
  address: ADDRESS,
} as const;
const PRICED = {
  packageSize: 'medium',
  weightGrams: 2_000,
  priority: 'normal',
  recipient: RECIPIENT,
} as const;

const at = (address: Partial<typeof ADDRESS>) => ({
  ...PRICED,
  recipient: { ...RECIPIENT, address: { ...ADDRESS, ...address } },
});
for (const [name, after, isPriced] of [
  ['the size', { ...PRICED, packageSize: 'small' }, true],
  ['the weight', { ...PRICED, weightGrams: null }, true],
  ['the priority', { ...PRICED, priority: 'high' }, true],
  ['the street', at({ street: '2 quai' }), true],
  ['the coordinates', at({ latitude: 48.86 }), true],
  [
    'the landmark',
    { ...at({}), recipient: { ...RECIPIENT, address: { ...ADDRESS, landmark: 'Gate' } } },
    false,
  ],
  ['the recipient’s name', { ...PRICED, recipient: { ...RECIPIENT, firstName: 'Zoé' } }, false],
  ['nothing, in another object', at({}), false],
] as const) {
  test(`a change of ${name} ${isPriced ? 'has a price' : 'has no price'}`, (t) => {
    t.is(isPricedChange(PRICED, after), isPriced);
  });
}

test('a pickup point can neither be removed nor be added', (t) => {
  const pending = [{ type: 'pickup', status: 'pending' }] as const;
  t.like(pickupPointChangeProblem(shipment('pending', pending), null), { kind: 'conflict' });
  t.like(pickupPointChangeProblem(shipment('pending', pending, null), POINT), { kind: 'conflict' });
  t.like(pickupPointChangeProblem(shipment('pending', [], null), POINT), {
    kind: 'conflict',
    currentStatus: 'pending',
  });
});

test('the same pickup point is not a change, and before the approval any change is allowed', (t) => {
  t.is(
    pickupPointChangeProblem(shipment('in_transit', [{ type: 'pickup', status: 'picked_up' }]), POINT),
    undefined,
  );
  t.is(pickupPointChangeProblem(shipment('pending_approval'), null), undefined);
  t.is(pickupPointChangeProblem(shipment('pending_approval', [], null), POINT), undefined);
});

test('the deadline is recalculated when priority or schedule change after the approval', (t) => {
  const schedule = { scheduledAfter: new Date(1_000), scheduledBefore: null };
  const before = { status: 'pending', priority: 'normal', ...schedule } as const;
  t.false(
    isDeadlineRecalculable(before, { priority: 'normal', ...schedule, scheduledAfter: new Date(1_000) }),
  );
  for (const after of [
    { priority: 'urgent', ...schedule },
    { priority: 'normal', ...schedule, scheduledAfter: null },
    { priority: 'normal', ...schedule, scheduledBefore: new Date(2_000) },
  ] as const) {
    t.true(isDeadlineRecalculable(before, after));
    t.false(isDeadlineRecalculable({ ...before, status: 'pending_approval' }, after));
  }
});
