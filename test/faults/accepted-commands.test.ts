import test from 'ava';
import { checkAcceptedCommands } from './checker/accepted-commands.ts';
import { checkCreations } from './checker/creations.ts';
import { checkRepeats } from './checker/repeats.ts';
import { checkResponses } from './checker/responses.ts';
import {
  accepted,
  applied,
  command,
  entry,
  evidence,
  exchange,
  history,
  operation,
  SHIPMENT,
  transition,
} from './checker/samples.ts';

const ASSIGN = applied('a', 'assign', [0, 10]);
const ASSIGNED = entry(2, 'a', 'assign', 'assigned', 'pending');

function propertiesOf(...parts: Parameters<typeof checkAcceptedCommands>): readonly string[] {
  return checkAcceptedCommands(...parts).map(({ property }) => property);
}

test('an accepted command that is applied once is in order', (t) => {
  const found = evidence({ commands: [command('a', 'applied')], timeline: [ASSIGNED] });
  t.deepEqual(propertiesOf(history([ASSIGN]), found), []);
});

test('an accepted command that is not stored, or stored twice, is a violation', (t) => {
  t.deepEqual(propertiesOf(history([ASSIGN]), evidence()), ['exactly once', 'true']);
  const twice = evidence({
    commands: [command('a', 'applied'), command('a', 'rejected')],
    timeline: [ASSIGNED],
  });
  t.deepEqual(propertiesOf(history([ASSIGN]), twice), ['exactly once']);
});

test('a command that moved its task twice, or not at all, is a violation', (t) => {
  const move = applied('a', 'cancel', [0, 10]);
  const once = entry(2, 'a', 'cancel', 'cancelled', 'cancelled');
  const commands = [command('a', 'applied')];
  t.deepEqual(
    propertiesOf(history([move]), evidence({ commands, timeline: [once, { ...once, sequence: 3 }] })),
    ['exactly once'],
  );
  t.deepEqual(propertiesOf(history([move]), evidence({ commands })), ['exactly once']);
});

test('a success that a client saw and the database does not know is a violation', (t) => {
  const found = evidence({ commands: [command('a', 'rejected')] });
  t.deepEqual(propertiesOf(history([ASSIGN]), found), ['true']);
});

test('a command that was answered with 409 and applied is a violation', (t) => {
  const rejected = operation('a', transition('assign', 0, 'driver'), [exchange([0, 10], 'rejected')]);
  const found = evidence({ commands: [command('a', 'applied')], timeline: [ASSIGNED] });
  t.deepEqual(propertiesOf(history([rejected]), found), ['true']);
  t.deepEqual(propertiesOf(history([rejected]), evidence()), []);
});

test('a command without a response may be stored or not, and applied at most once', (t) => {
  const lost = operation('a', transition('assign', 0, 'driver'), [exchange([0, 10], 'none')]);
  t.deepEqual(propertiesOf(history([lost]), evidence()), []);
  const found = evidence({ commands: [command('a', 'applied')], timeline: [ASSIGNED] });
  t.deepEqual(propertiesOf(history([lost]), found), []);
});

test('a command that is undecided or set aside in the end is a violation', (t) => {
  const waiting = accepted('a', 'assign', [0, 10], 'applied', 20);
  for (const status of ['received', 'failed']) {
    const found = evidence({ commands: [command('a', status, null)] });
    t.true(propertiesOf(history([waiting]), found).includes('decided'));
  }
  const unread = operation('a', transition('assign', 0, 'driver'), [exchange([0, 10], 'accepted')]);
  const decided = evidence({ commands: [command('a', 'applied')], timeline: [ASSIGNED] });
  t.deepEqual(propertiesOf(history([unread]), decided), ['decided']);
});

test('what GET /commands said must be what is stored', (t) => {
  const waiting = accepted('a', 'assign', [0, 10], 'applied', 20);
  const found = evidence({ commands: [command('a', 'rejected')] });
  t.deepEqual(propertiesOf(history([waiting]), found), ['true']);
});

test('a command decided before one that was accepted earlier is a violation', (t) => {
  const first = accepted('a', 'start_delivery', [0, 10], 'applied', 100);
  const second = accepted('b', 'deliver', [11, 20], 'rejected', 100);
  const decided = (one: string, other: string) =>
    evidence({
      commands: [command('a', 'applied', one), command('b', 'rejected', other)],
      timeline: [entry(2, 'a', 'start_delivery', 'delivery_in_progress', 'in_transit')],
    });
  t.deepEqual(propertiesOf(history([first, second]), decided('1', '2')), []);
  t.deepEqual(propertiesOf(history([first, second]), decided('2', '1')), ['order of acceptance']);
  const overlapping = accepted('b', 'deliver', [5, 20], 'rejected', 100);
  t.deepEqual(propertiesOf(history([first, overlapping]), decided('2', '1')), []);
});

test('a response outside the contract, and 500, are violations', (t) => {
  const count = (...exchanges: readonly ReturnType<typeof exchange>[]) =>
    checkResponses([], [history([operation('a', { kind: 'approve' }, exchanges)])]).length;
  t.is(count(exchange([0, 10], 'none'), exchange([11, 20], 'applied')), 0);
  t.is(count({ ...exchange([0, 10], 'none'), status: 503 }), 0);
  t.is(count({ ...exchange([0, 10], 'none'), status: 500 }), 1);
  t.is(count({ ...exchange([0, 10], 'unexpected'), status: 418 }), 1);
});

test('repeats with one key that are answered differently are a violation', (t) => {
  const repeated = (...exchanges: Parameters<typeof operation>[2]) =>
    checkRepeats([operation('a', transition('assign', 0, 'driver'), exchanges)]).length;
  const first = exchange([0, 10], 'applied', null, '/tasks/1');
  t.is(repeated(first, exchange([11, 20], 'none'), exchange([21, 30], 'applied', null, '/tasks/1')), 0);
  t.is(repeated(first, exchange([11, 20], 'rejected')), 1);
  t.is(repeated(first, exchange([11, 20], 'applied', null, '/tasks/2')), 1);
});

test('a 202 and the answer to its repeat agree on the outcome', (t) => {
  const exchanges = [exchange([0, 10], 'accepted'), exchange([11, 20], 'applied')];
  const repeat = (status: 'applied' | 'rejected') =>
    checkRepeats([operation('a', transition('assign'), exchanges, { status, atMs: 15 })]).length;
  t.is(repeat('applied'), 0);
  t.is(repeat('rejected'), 1);
});

test('a creation that was accepted makes one shipment, with the id that was named', (t) => {
  const stored = (...ids: readonly string[]) =>
    evidence({
      shipments: ids.map((id) => ({
        ...{ id, externalReference: 'order-1', status: 'pending' },
        ...{ isDeleted: false, tasks: [] },
      })),
    });
  const named = [{ reference: 'order-1', exchanges: [exchange([0, 10], 'applied', null, SHIPMENT)] }];
  t.is(checkCreations(named, stored(SHIPMENT)).length, 0);
  t.is(checkCreations(named, stored()).length, 1);
  t.is(checkCreations(named, stored('another')).length, 1);
  t.is(checkCreations(named, stored(SHIPMENT, 'another')).length, 1);
  const lost = [{ reference: 'order-1', exchanges: [exchange([0, 10], 'none')] }];
  t.is(checkCreations(lost, stored()).length, 0);
  t.is(checkCreations(lost, stored('one', 'another')).length, 1);
});
