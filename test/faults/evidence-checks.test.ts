import test from 'ava';
import type { ReceivedPost, StoredEvent, TimelineEntry } from './checker/evidence.ts';
import { checkRuns } from './checker/runs.ts';
import { entry, evidence, history, momentOf, SHIPMENT } from './checker/samples.ts';
import { checkTimeline } from './checker/timeline.ts';
import { checkWebhooks } from './checker/webhooks.ts';

const CREATED: TimelineEntry = {
  ...entry(1, '', '', '', 'pending'),
  ...{ kind: 'created', task: null, taskType: null, taskStatus: null, transition: null },
  ...{ driver: null, comment: null, commandId: null },
};
const ASSIGNED = entry(2, 'a', 'assign', 'assigned', 'pending');
const BODY = `{"updatedAt":"${momentOf(2)}"}`;
const EVENT: StoredEvent = {
  id: 'event-1',
  shipmentId: SHIPMENT,
  sequence: 2,
  status: 'delivered',
  body: BODY,
  updatedAt: momentOf(2),
};
const POST: ReceivedPost = {
  shipmentId: SHIPMENT,
  eventId: 'event-1',
  body: BODY,
  hasValidSignature: true,
  answer: 200,
};

function stored(status: string, tasks: readonly string[]) {
  return { id: SHIPMENT, externalReference: null, status, isDeleted: false, tasks };
}

function timelineFaults(timeline: readonly TimelineEntry[], status: string, task: string): readonly string[] {
  const found = evidence({ timeline, shipments: [stored(status, [`delivery ${task}`])] });
  return checkTimeline(history([]), found).map(({ property }) => property);
}

test('a timeline that follows the table to the stored state is in order', (t) => {
  t.deepEqual(timelineFaults([CREATED, ASSIGNED], 'pending', 'assigned'), []);
});

test('a timeline entry that the table does not allow is a violation', (t) => {
  const delivered = entry(2, 'b', 'deliver', 'delivered', 'delivered');
  t.deepEqual(timelineFaults([CREATED, delivered], 'delivered', 'delivered'), ['timeline follows the table']);
});

test('a command that is written twice in the timeline is a violation', (t) => {
  const again = { ...entry(3, 'a', 'assign', 'assigned', 'pending'), commandId: 'c-other' };
  t.deepEqual(timelineFaults([CREATED, ASSIGNED, again], 'pending', 'assigned'), [
    'timeline follows the table',
  ]);
});

test('a stored state that the timeline does not lead to is a violation', (t) => {
  t.deepEqual(timelineFaults([CREATED, ASSIGNED], 'pending', 'pending'), ['timeline follows the table']);
});

test('a gap in the sequence, and an updatedAt that does not grow, are violations', (t) => {
  const gap = { ...ASSIGNED, sequence: 3 };
  t.deepEqual(timelineFaults([CREATED, gap], 'pending', 'assigned'), ['updatedAt strictly increases']);
  const same = { ...ASSIGNED, recordedAt: CREATED.recordedAt };
  t.deepEqual(timelineFaults([CREATED, same], 'pending', 'assigned'), ['updatedAt strictly increases']);
});

test('an accepted shipment that does not exist is a violation', (t) => {
  t.deepEqual(
    checkTimeline(history([]), evidence()).map(({ property }) => property),
    ['true'],
  );
});

function webhookFaults(event: Partial<StoredEvent>, posts: readonly ReceivedPost[]): readonly string[] {
  const found = evidence({ timeline: [CREATED, ASSIGNED], events: [{ ...EVENT, ...event }], posts });
  return checkWebhooks(found, 3).map((violation) => violation.evidence);
}

test('an event that was posted once and taken is in order', (t) => {
  t.deepEqual(webhookFaults({}, [POST]), []);
});

test('an event that is still pending in the end is a violation', (t) => {
  t.regex(webhookFaults({ status: 'pending' }, [POST]).join(), /not in a final state/);
});

test('an event that was posted four times is a violation', (t) => {
  const failed = { ...POST, answer: 500 };
  t.deepEqual(webhookFaults({ status: 'dead' }, [failed, failed, failed]), []);
  t.regex(webhookFaults({ status: 'dead' }, [failed, failed, failed, failed]).join(), /posted 4 times/);
});

test('posts with other bytes, or without a valid signature, are violations', (t) => {
  t.regex(webhookFaults({}, [{ ...POST, body: `${BODY} ` }]).join(), /bytes differ/);
  t.regex(webhookFaults({}, [{ ...POST, hasValidSignature: false }]).join(), /signature/);
});

test('a delivered event that no receiver took is a violation', (t) => {
  t.regex(webhookFaults({}, []).join(), /not posted.*2xx/);
  t.regex(webhookFaults({}, [{ ...POST, answer: null }]).join(), /2xx/);
});

test('a rejected event needs a 4xx, and is not posted after it', (t) => {
  const rejection = { ...POST, answer: 403 };
  t.deepEqual(webhookFaults({ status: 'rejected' }, [rejection]), []);
  t.regex(webhookFaults({ status: 'rejected' }, [POST]).join(), /3xx or 4xx/);
  t.regex(webhookFaults({}, [rejection, POST]).join(), /posted again after/);
});

test('a transition without an event, or with two, is a violation', (t) => {
  const properties = (events: readonly StoredEvent[]) =>
    checkWebhooks(evidence({ timeline: [CREATED, ASSIGNED], events, posts: events.map(() => POST) }), 3).map(
      ({ property }) => property,
    );
  t.true(properties([]).includes('one event for each transition'));
  t.true(properties([EVENT, { ...EVENT, id: 'event-2' }]).includes('one event for each transition'));
});

test('an event that was posted and is not stored is a violation', (t) => {
  t.regex(
    webhookFaults({}, [POST, { ...POST, eventId: 'event-9' }]).join(),
    /event-9 was posted and is not stored/,
  );
});

test('a shipment without a running workflow, or an ended one with one, is a violation', (t) => {
  const count = (status: string, isRunning: boolean, taskAttempt = 0) =>
    checkRuns(
      evidence({
        shipments: [stored(status, [])],
        runs: [{ shipmentId: SHIPMENT, isRunning, taskAttempt }],
      }),
    ).length;
  t.is(count('pending', true), 0);
  t.is(count('delivered', false), 0);
  t.is(count('pending', false), 1);
  t.is(count('delivered', true), 1);
  t.is(count('pending', true, 9), 1);
});
