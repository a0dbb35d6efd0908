import test from 'ava';
import { operatorCaller, recordAudit } from '../../store/audit/audit-events.ts';
import { applyNextCommand } from '../../store/commands/apply-command.ts';
import { connectDatabase, execute, inTransaction, select } from '../../store/connection.ts';
import type { RetentionWalk } from '../../store/retention.ts';
import { deleteRetained } from '../../store/retention.ts';
import { makeTestDatabase } from '../harness/database.ts';
import { makeDriver, makeOrganization } from '../harness/make.ts';
import { makeCommand, makeStoredShipment, taskOf, transitionRequest } from './shipments.ts';

const testDatabase = await makeTestDatabase();
const database = connectDatabase(testDatabase.url, { poolSize: 3, applicationName: 'test' });
test.after.always(async () => {
  await database.close();
  await testDatabase.drop();
});

const ALL = { commandDays: 30, webhookEventDays: 60, timelineDays: 200, auditDays: 91 };
const NONE = { commandDays: null, webhookEventDays: null, timelineDays: null, auditDays: null };

/** A shipment with a decided command, an undecided one, and an event with an attempt. */
async function scene() {
  const organization = await makeOrganization({ database }, { webhookUrl: 'https://example.com/hook' });
  const driver = await makeDriver({ database }, organization);
  const made = await makeStoredShipment(database, organization.id);
  let shipmentId: string = made;
  const assign = {
    kind: 'transition',
    taskId: await taskOf(database, made, 'delivery'),
    request: transitionRequest('assign', driver),
  } as const;
  await makeCommand(database, organization.id, made, assign);
  await applyNextCommand(database, made);
  await makeCommand(database, organization.id, made, assign);
  await execute(
    database,
    `insert into webhook_attempts (webhook_event_id, round, attempt, url)
     select id, 0, 1, 'https://example.com/hook' from webhook_events where shipment_id = $1`,
    [shipmentId],
  );
  await recordAudit(database, operatorCaller('test', organization.id), { kind: 'audit.exported' });
  const counts = async () => {
    const [row] = await select<{
      commands: number;
      events: number;
      attempts: number;
      entries: number;
      audit: number;
    }>(
      database,
      `select (select count(*)::int from commands where shipment_id = $1) as commands,
         (select count(*)::int from webhook_events where shipment_id = $1) as events,
         (select count(*)::int from webhook_attempts a join webhook_events e on e.id = a.webhook_event_id
          where e.shipment_id = $1) as attempts,
         (select count(*)::int from timeline_entries where shipment_id = $1) as entries,
         (select count(*)::int from audit_events where organization_id = $2) as audit`,
      [shipmentId, organization.id],
    );
    return row;
  };
  const age = async (days: number) => {
    shipmentId = await makeOlder(shipmentId, days);
  };
  const rename = async (id: string) => {
    const of = (table: string) =>
      `update ${table} set shipment_id = '${id}' where shipment_id = '${shipmentId}';`;
    await inTransaction(database, (transaction) =>
      execute(
        transaction,
        `set local session_replication_role = replica;
         ${['tasks', 'timeline_entries', 'commands', 'webhook_events'].map(of).join('\n')}
         update shipments set id = '${id}' where id = '${shipmentId}'`,
      ),
    );
    shipmentId = id;
  };
  const settle = (shipmentStatus: string, eventStatus = 'delivered') =>
    execute(
      database,
      `with settled as (update webhook_events set status = $3, settled_at = created_at where shipment_id = $1)
       update shipments set status = $2 where id = $1`,
      [shipmentId, shipmentStatus, eventStatus],
    );
  return { counts, age, rename, settle };
}

/**
 * Gives a shipment and its rows the ids and moments that they would have had so many days ago. Resolves to its id then. Foreign keys
 * are not checked meanwhile.
 */
function makeOlder(shipmentId: string, days: number): Promise<string> {
  const older = (
    id: string,
  ) => `(lpad(to_hex((('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint)
    - ${days}::bigint * 86400000), 12, '0') || substr(replace(${id}::text, '-', ''), 13))::uuid`;
  const of = (table: string, owner: string, ids: readonly string[], moments: readonly string[]) =>
    `update ${table} set ${[
      ...ids.map((id) => `${id} = ${older(id)}`),
      ...moments.map((moment) => `${moment} = ${moment} - interval '${days} days'`),
    ].join(', ')} where ${owner};`;
  const ownEvents = `webhook_event_id in (select id from webhook_events where shipment_id = '${shipmentId}')`;
  const own = `shipment_id = '${shipmentId}'`;
  return inTransaction(database, async (transaction) => {
    await execute(
      transaction,
      `set local session_replication_role = replica;
       ${of('webhook_attempts', ownEvents, ['webhook_event_id'], [])}
       ${of('webhook_events', own, ['id', 'shipment_id'], ['created_at', 'settled_at'])}
       ${of('commands', own, ['id', 'shipment_id'], ['received_at', 'decided_at'])}
       ${of('timeline_entries', own, ['shipment_id'], ['recorded_at'])}
       ${of('tasks', own, ['shipment_id'], [])}
       ${of('shipments', `id = '${shipmentId}'`, ['id'], ['last_event_at'])}
       set local session_replication_role = origin;`,
    );
    const [row] = await select<{ id: string }>(transaction, `select ${older('$1::uuid')} as id`, [
      shipmentId,
    ]);
    return row?.id ?? shipmentId;
  });
}

test.serial('without settings nothing is removed, however old', async (t) => {
  const { counts, age, settle } = await scene();
  await settle('delivered');
  await age(3_000);
  await deleteRetained(database, NONE, new Map());
  t.deepEqual(await counts(), { commands: 2, events: 1, attempts: 1, entries: 2, audit: 1 });
});

test.serial('what was decided, delivered and ended goes after its days, all else stays', async (t) => {
  const { counts, age, settle } = await scene();
  const all = { commands: 2, events: 1, attempts: 1, entries: 2, audit: 1 };
  await settle('in_transit');
  await age(29);
  await deleteRetained(database, ALL, new Map());
  t.deepEqual(await counts(), all, 'too young');
  await age(2);
  await deleteRetained(database, ALL, new Map());
  t.deepEqual(await counts(), { ...all, commands: 1 }, 'the undecided one stays');
  await age(300);
  await deleteRetained(database, ALL, new Map());
  t.deepEqual(await counts(), { ...all, commands: 1 }, 'the shipment has not ended');
  await settle('delivered', 'dead');
  await deleteRetained(database, ALL, new Map());
  t.deepEqual(await counts(), { ...all, commands: 1, entries: 0 }, 'a dead letter can be replayed');
  await settle('delivered');
  await deleteRetained(database, ALL, new Map());
  t.deepEqual(await counts(), { commands: 1, events: 0, attempts: 0, entries: 0, audit: 1 });
});

test.serial('the timeline of an imported shipment goes too, whatever its id begins with', async (t) => {
  const { counts, age, rename, settle } = await scene();
  await settle('delivered');
  await age(199);
  await rename('ffffffff-ffff-8fff-bfff-ffffffffffff');
  await deleteRetained(database, { ...NONE, timelineDays: 200 }, new Map());
  t.like(await counts(), { entries: 2 }, 'too young');
  await deleteRetained(database, { ...NONE, timelineDays: 198 }, new Map());
  t.like(await counts(), { entries: 0 });
});

test.serial('a pending event is never removed', async (t) => {
  const { counts, age } = await scene();
  await age(3_000);
  await deleteRetained(database, ALL, new Map());
  t.like(await counts(), { events: 1, attempts: 1 });
});

test.serial(
  'each pass takes what it may, the next one goes on, past what is kept, and begins again',
  async (t) => {
    const { counts, age } = await scene();
    await age(100);
    const add = (first: number, last: number, status: string) =>
      execute(
        database,
        `insert into commands (id, organization_id, shipment_id, kind, request, status, decided_at)
       select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, c.organization_id, c.shipment_id, 'approve', '{}', $3::text,
         c.decided_at
       from (select * from commands where status = 'applied' and kind = 'transition' limit 1) c, generate_series($1::int, $2::int) n`,
        [first, last, status],
      );
    await add(1, 4_000, 'failed');
    await add(4_001, 22_500, 'applied');
    const walk: RetentionWalk = new Map();
    const pass = () => deleteRetained(database, ALL, walk);
    t.is(await pass(), 16_000, 'ten windows of 2,000, of which two are kept');
    await execute(database, `update commands set status = 'applied' where status = 'failed'`);
    t.true((await pass()) >= 2_500, 'from there to the end');
    t.is(await pass(), 4_000, 'and from the beginning');
    t.like(await counts(), { commands: 1 });
  },
);
