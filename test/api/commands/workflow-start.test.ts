import test from 'ava';
import { createWorkflowStart } from '../../../api/commands/workflow-start.ts';
import type { OrganizationId, ShipmentId } from '../../../domain/ids.ts';
import { connectDatabase, execute } from '../../../store/connection.ts';
import { newId } from '../../../store/new-id.ts';
import type { WorkflowSubject } from '../../../domain/shipment.ts';
import { makeTestDatabase } from '../../harness/database.ts';
import { makeOrganization } from '../../harness/make.ts';
import { makeStoredShipment } from '../../store/shipments.ts';

const testDatabase = await makeTestDatabase();
const database = connectDatabase(testDatabase.url, { poolSize: 4, applicationName: 'test' });
test.after.always(async () => {
  await database.close();
  await testDatabase.drop();
});

const POLL_INTERVAL_MS = 25;
const BEGIN_TIMEOUT_MS = 5_000;

/** A function that starts workflows, in a time that the test lets pass. */
function openStart(workflows = { start: () => Promise.resolve() }) {
  const pauses: { readonly durationMs: number; readonly end: () => void }[] = [];
  const start = createWorkflowStart(
    workflows,
    database,
    (durationMs) => new Promise<void>((end) => pauses.push({ durationMs, end })),
  );
  return {
    start,
    /** Ends the pauses of this length. Returns how many there were. */
    endPauses: (durationMs: number): number => {
      const ended = pauses.filter((pause) => pause.durationMs === durationMs);
      for (const pause of ended) {
        pauses.splice(pauses.indexOf(pause), 1);
        pause.end();
      }
      return ended.length;
    },
  };
}

function subject(id: ShipmentId, organizationId: OrganizationId): WorkflowSubject {
  return { id, organizationId, trackingNumber: 'ATL-20260301-AAAAAA', priority: 'normal' };
}

function markBegun(id: ShipmentId): Promise<void> {
  return execute(database, 'update shipments set workflow_started_at = clock_timestamp() where id = $1', [
    id,
  ]);
}

/** Ends polls until the promise settles. */
async function pollUntilSettled(
  promise: Promise<unknown>,
  { endPauses }: ReturnType<typeof openStart>,
): Promise<void> {
  const state = { isSettled: false };
  const settle = (): void => {
    state.isSettled = true;
  };
  promise.then(settle, settle);
  while (!state.isSettled) {
    endPauses(POLL_INTERVAL_MS);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('a start resolves when the workflow has done its first step, not before', async (t) => {
  const { id: organizationId } = await makeOrganization({ database });
  const [begun, waiting] = [
    await makeStoredShipment(database, organizationId),
    await makeStoredShipment(database, organizationId),
  ];
  const opened = openStart();
  let isOver = false;
  const first = opened.start(subject(begun, organizationId));
  const second = opened.start(subject(waiting, organizationId)).then(() => {
    isOver = true;
  });
  await markBegun(begun);
  await pollUntilSettled(first, opened);
  t.false(isOver);
  await markBegun(waiting);
  await pollUntilSettled(second, opened);
  t.true(isOver);
});

test('a shipment that does not exist yet is waited for', async (t) => {
  const { id: organizationId } = await makeOrganization({ database });
  const opened = openStart();
  const missing = opened.start(subject(newId<'shipment'>(), organizationId));
  const known = await makeStoredShipment(database, organizationId);
  await markBegun(known);
  await pollUntilSettled(opened.start(subject(known, organizationId)), opened);
  opened.endPauses(BEGIN_TIMEOUT_MS);
  await t.notThrowsAsync(missing);
});

test('without a worker a start resolves after five seconds', async (t) => {
  const { id: organizationId } = await makeOrganization({ database });
  const opened = openStart();
  const start = opened.start(subject(newId<'shipment'>(), organizationId));
  await new Promise((resolve) => setImmediate(resolve));
  t.is(opened.endPauses(BEGIN_TIMEOUT_MS), 1);
  await t.notThrowsAsync(start);
});

test('a start that Temporal does not take rejects, and nothing is waited for', async (t) => {
  const { id: organizationId } = await makeOrganization({ database });
  const opened = openStart({ start: () => Promise.reject(new Error('unreachable')) });
  await t.throwsAsync(opened.start(subject(newId<'shipment'>(), organizationId)), {
    message: 'unreachable',
  });
  t.is(opened.endPauses(POLL_INTERVAL_MS), 0);
});

test('an unreachable database ends no wait before its time and throws nothing', async (t) => {
  const closed = connectDatabase(testDatabase.url, { poolSize: 1, applicationName: 'test' });
  await closed.close();
  const timeouts: (() => void)[] = [];
  let polls = 0;
  const start = createWorkflowStart({ start: () => Promise.resolve() }, closed, (durationMs) => {
    if (durationMs === BEGIN_TIMEOUT_MS) return new Promise<void>((end) => timeouts.push(end));
    polls += 1;
    if (polls === 3) timeouts.shift()?.();
    return Promise.resolve();
  });
  await t.notThrowsAsync(start(subject(newId<'shipment'>(), newId<'organization'>())));
  t.true(polls >= 3);
});
