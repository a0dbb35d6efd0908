import { createHmac } from 'node:crypto';
import test from 'ava';
import { createReceiver, isSigned } from '../../demo/receiver.ts';
import { Report } from '../../demo/report.ts';

// Made with another program: printf '%s' '{"event":"x"}' | openssl dgst -sha256 -hmac whsec_0123
const BYTES = Buffer.from('{"event":"x"}');
const SECRET = 'whsec_0123';
const HEX = '865c52b0c0b2a6067b4780d200f90d4d1d58ab4b19166ed8fb0865b1e3346b2a';

const EVENT = {
  event: 'shipment.status_changed',
  shipmentId: '018f3a52-7a9c-4d2e-9b1f-3c5d7e9f1a2b',
  trackingNumber: 'ATL-20260301-4F7K2M',
  externalReference: 'CMD-2026-1001',
  status: 'picked_up',
  taskType: 'pickup',
  taskStatus: 'picked_up',
  driverName: 'Lina Haddad',
  updatedAt: '2026-03-01T08:00:00.000001+00:00',
};

function makeReceiver() {
  const lines: string[] = [];
  const receiver = createReceiver(SECRET, new Report((line) => lines.push(line)));
  const receive = (event: object): number => {
    const bytes = Buffer.from(JSON.stringify(event));
    return receiver.receive(bytes, `sha256=${createHmac('sha256', SECRET).update(bytes).digest('hex')}`);
  };
  const differences = (): string[] => lines.filter((line) => line.includes('✘'));
  return { receiver, receive, differences };
}

test('a signature over the raw bytes is accepted, with the whole secret as key', (t) => {
  t.true(isSigned(BYTES, `sha256=${HEX}`, SECRET));
});

test('other bytes, another secret and another form of the header are rejected', (t) => {
  t.false(isSigned(Buffer.from('{"event": "x"}'), `sha256=${HEX}`, SECRET));
  t.false(isSigned(BYTES, `sha256=${HEX}`, SECRET.replace('whsec_', '')));
  t.false(isSigned(BYTES, HEX, SECRET));
  t.false(isSigned(BYTES, `sha256=${HEX.toUpperCase()}`, SECRET));
  t.false(isSigned(BYTES, `sha256=${HEX.slice(2)}`, SECRET));
  t.false(isSigned(BYTES, undefined, SECRET));
});

test('401 for a request with a wrong signature, which is reported and not kept', (t) => {
  const { receiver, differences } = makeReceiver();
  t.is(receiver.receive(Buffer.from(JSON.stringify(EVENT)), `sha256=${HEX}`), 401);
  t.is(differences().length, 1);
  t.is(receiver.eventsOf(EVENT.shipmentId).length, 0);
});

test('requests about one event are one event, and are answered as planned', (t) => {
  const { receiver, receive, differences } = makeReceiver();
  t.deepEqual([receive(EVENT), receive(EVENT)], [500, 200]);
  t.deepEqual(
    receiver.eventsOf(EVENT.shipmentId).map(({ answers }) => answers),
    [[500, 200]],
  );
  t.deepEqual(differences(), []);
});

test('a repetition with other bytes and an event with a missing field are reported', (t) => {
  const { receive, differences } = makeReceiver();
  receive(EVENT);
  receive({ ...EVENT, driverName: 'Yanis Moreau' });
  t.is(differences().length, 1);
  const { driverName, ...incomplete } = EVENT;
  receive({ ...incomplete, updatedAt: '2026-03-01T08:00:01.000000+00:00' });
  t.is(differences().length, 2, driverName);
});

test('events are in the order of updatedAt, not of arrival', (t) => {
  const { receiver, receive } = makeReceiver();
  receive({ ...EVENT, updatedAt: '2026-03-01T08:00:00.000200+00:00' });
  receive({ ...EVENT, updatedAt: '2026-03-01T08:00:00.000100+00:00', taskStatus: 'assigned' });
  t.deepEqual(
    receiver.eventsOf(EVENT.shipmentId).map(({ change }) => change),
    ['pickup assigned, shipment picked_up', 'pickup picked_up, shipment picked_up'],
  );
});
