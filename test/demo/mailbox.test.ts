import test from 'ava';
import {
  differencesOf,
  Mailbox,
  readArrival,
  type Arrival,
  type Reaction,
} from '../../demo/story/mailbox.ts';

const SHIPMENT = '018f3a52-7a9c-4d2e-9b1f-3c5d7e9f1a2b';
const OK: Reaction = { kind: 'answer', status: 200 };
const FAULT: Reaction = { kind: 'answer', status: 500 };

const NOTIFICATION = {
  event: 'shipment.status_changed',
  shipmentId: SHIPMENT,
  trackingNumber: 'ATL-20260301-4F7K2M',
  externalReference: null,
  status: 'pending',
  taskType: 'pickup',
  taskStatus: 'assigned',
  driverName: 'Lina Haddad',
  updatedAt: '2026-03-01T08:00:00.000001+00:00',
};

function arrivalOf(
  fields: Partial<Record<keyof typeof NOTIFICATION, string>>,
  attempt: number,
  reaction: Reaction,
): Arrival {
  const bytes = Buffer.from(JSON.stringify({ ...NOTIFICATION, ...fields }));
  const read = readArrival(bytes, { attempt, reaction, receivedAtMs: 0 });
  if (read === undefined) throw new Error('the notification is no JSON');
  return read.arrival;
}

test('requests about one change are one change, by shipmentId, taskStatus and updatedAt', (t) => {
  const mailbox = new Mailbox(3);
  t.deepEqual(mailbox.add(arrivalOf({}, 1, FAULT)), []);
  t.deepEqual(mailbox.add(arrivalOf({}, 2, OK)), []);
  t.deepEqual(mailbox.add(arrivalOf({ updatedAt: '2026-03-01T08:00:00.000002+00:00' }, 1, OK)), []);
  t.deepEqual(
    mailbox.changesOf(SHIPMENT).map((change) => change.length),
    [2, 1],
  );
});

test('a repetition with other bytes is a fault, and so is a fourth request', (t) => {
  const mailbox = new Mailbox(3);
  mailbox.add(arrivalOf({}, 1, FAULT));
  t.is(mailbox.add(arrivalOf({ driverName: 'Yanis Moreau' }, 2, FAULT)).length, 1);
  t.is(mailbox.add(arrivalOf({}, 3, FAULT)).length, 0);
  t.is(mailbox.add(arrivalOf({}, 4, FAULT)).length, 1);
});

test('the last reaction tells how a change ended', (t) => {
  const outcome = (...reactions: readonly Reaction[]): string | undefined => {
    const mailbox = new Mailbox(3);
    reactions.forEach((reaction, index) => mailbox.add(arrivalOf({}, index + 1, reaction)));
    const [change] = mailbox.changesOf(SHIPMENT);
    return change === undefined ? undefined : mailbox.outcomeOf(change);
  };
  t.is(outcome(FAULT, OK), 'delivered');
  t.is(outcome({ kind: 'answer', status: 410 }), 'rejected');
  t.is(outcome(FAULT, { kind: 'silence' }), 'open');
  t.is(outcome(FAULT, { kind: 'hang_up' }, { kind: 'silence' }), 'dead');
});

test('changes are ordered by updatedAt to the microsecond, not by arrival', (t) => {
  const mailbox = new Mailbox(3);
  mailbox.add(arrivalOf({ taskStatus: 'picked_up', updatedAt: '2026-03-01T08:00:00.000200+00:00' }, 1, OK));
  mailbox.add(arrivalOf({ taskStatus: 'assigned', updatedAt: '2026-03-01T08:00:00.000100+00:00' }, 1, OK));
  t.deepEqual(
    mailbox.changesOf(SHIPMENT).map(([first]) => first.taskStatus),
    ['assigned', 'picked_up'],
  );
});

test('what is missing, added, or has the same updatedAt is told', (t) => {
  const expected = [{ taskType: 'pickup', taskStatus: 'assigned', status: 'pending' }];
  t.is(differencesOf([], expected).length, 1);
  t.is(differencesOf([[arrivalOf({}, 1, OK)]], expected).length, 0);
  const twins = [[arrivalOf({}, 1, OK)], [arrivalOf({ taskStatus: 'picked_up' }, 1, OK)]] as const;
  t.true(differencesOf(twins, expected).some((difference) => difference.includes('does not increase')));
});

test('a notification with a field that the contract does not know is a fault', (t) => {
  const faulty = Buffer.from(JSON.stringify({ ...NOTIFICATION, phone: '+33639980000' }));
  const read = readArrival(faulty, { attempt: 1, reaction: OK, receivedAtMs: 0 });
  t.is(read?.faults.length, 1);
  t.is(readArrival(Buffer.from('no json'), { attempt: 1, reaction: OK, receivedAtMs: 0 }), undefined);
});
