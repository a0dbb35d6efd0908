import test from 'ava';
import { MAX_COMMAND_TRIES } from '../../domain/command.ts';
import type { CommandId, UserId } from '../../domain/ids.ts';
import { applyNextCommand } from '../../store/commands/apply-command.ts';
import { findCommand, storeCommand } from '../../store/commands/commands.ts';
import { execute, selectOne } from '../../store/connection.ts';
import {
  dismissFailedCommand,
  findFailedCommands,
  retryFailedCommand,
} from '../../store/commands/failed-commands.ts';
import { newId } from '../../store/new-id.ts';
import type { Scene, Stage } from './command-stage.ts';
import { openStage } from './command-stage.ts';
import { makeCommand, storedState, storedTimeline, transitionRequest } from './shipments.ts';

let stage: Stage;
test.before(async () => {
  stage = await openStage();
});
test.after.always(() => stage.close());

function store(scene: Scene, transition: string, actorId?: UserId): Promise<CommandId> {
  return makeCommand(stage.database, scene.organizationId, scene.id, {
    kind: 'transition',
    taskId: scene.delivery,
    request: transitionRequest(transition, transition === 'assign' ? scene.driver : undefined),
    ...(actorId === undefined ? {} : { actorId }),
  });
}

/** Decides until no command waits. A decision that throws is tried again, as the activity's retry does. */
async function decideAll(scene: Scene): Promise<void> {
  for (let call = 0; call < 50; call += 1) {
    try {
      if ((await applyNextCommand(stage.database, scene.id)) === undefined) return;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
    }
  }
  throw new Error('commands still wait');
}

async function statusOf(id: CommandId): Promise<string | undefined> {
  return (await findCommand(stage.database, id))?.status;
}

test('waiting commands are decided in the order of their acceptance', async (t) => {
  const scene = await stage.setScene();
  const ids = [];
  for (const transition of [
    'assign',
    'start_delivery',
    'fail',
    'reactivate',
    'assign',
    'start_delivery',
    'deliver',
  ]) {
    ids.push(await store(scene, transition));
  }
  await decideAll(scene);
  for (const id of ids) t.is(await statusOf(id), 'applied');
  t.deepEqual(
    (await storedTimeline(stage.database, scene.id)).flatMap(({ commandId }) => commandId ?? []),
    ids,
  );
});

test('a command that throws on every try is set aside, and those behind it are decided', async (t) => {
  const scene = await stage.setScene();
  const first = await store(scene, 'assign');
  const poison = await store(scene, 'start_delivery');
  const last = await store(scene, 'start_transit');
  await execute(stage.database, `update commands set request = '{}' where id = $1`, [poison]);
  let thrown = 0;
  const outcomes: string[] = [];
  for (let call = 0; call < 20; call += 1) {
    try {
      const applied = await applyNextCommand(stage.database, scene.id);
      if (applied === undefined) break;
      outcomes.push(applied.outcome);
    } catch {
      thrown += 1;
    }
  }
  t.is(thrown, MAX_COMMAND_TRIES - 1);
  t.deepEqual(outcomes, ['applied', 'failed', 'applied']);
  t.deepEqual(
    [await statusOf(first), await statusOf(poison), await statusOf(last)],
    ['applied', 'failed', 'applied'],
  );
  const failed = await findFailedCommands(stage.database, 100);
  t.regex(failed.find(({ id }) => id === poison)?.failure ?? '', /lacks its task or its name/);
});

test('a retried command is accepted again after the others; a dismissed one is rejected', async (t) => {
  const scene = await stage.setScene();
  const retried = await store(scene, 'start_delivery');
  const dismissed = await store(scene, 'start_delivery');
  await execute(stage.database, `update commands set request = '{}' where id = any($1::uuid[])`, [
    [retried, dismissed],
  ]);
  await decideAll(scene);
  const later = await store(scene, 'assign');
  await execute(stage.database, 'update commands set request = $2 where id = $1', [
    retried,
    JSON.stringify(transitionRequest('start_delivery')),
  ]);
  t.true(await retryFailedCommand(stage.database, retried));
  t.true(await dismissFailedCommand(stage.database, dismissed));
  t.false(await retryFailedCommand(stage.database, dismissed), 'only a failed command is retried');
  await decideAll(scene);
  t.deepEqual(
    (await storedTimeline(stage.database, scene.id)).flatMap(({ commandId }) => commandId ?? []),
    [later, retried],
  );
  t.like(await findCommand(stage.database, dismissed), { status: 'rejected', problem: { kind: 'conflict' } });
});

test('an unavailable database costs a command no try', async (t) => {
  const scene = await stage.setScene();
  const id = await store(scene, 'assign');
  // What PostgreSQL raises when it is shut down, out of connections, or read-only is classified by its SQLSTATE.
  await execute(stage.database, 'create schema if not exists unavailable');
  await execute(
    stage.database,
    `create function unavailable.refuse() returns trigger language plpgsql as $$
     begin raise exception using errcode = '25006'; end $$`,
  );
  await execute(
    stage.database,
    `create trigger refuse before update on shipments for each row when (new.id = '${scene.id}')
     execute function unavailable.refuse()`,
  );
  for (let call = 0; call < MAX_COMMAND_TRIES + 1; call += 1) {
    await t.throwsAsync(applyNextCommand(stage.database, scene.id));
  }
  await execute(stage.database, 'drop trigger refuse on shipments');
  const row = await selectOne<{ tries: number }>(stage.database, 'select tries from commands where id = $1', [
    id,
  ]);
  t.is(row?.tries, 0);
  await decideAll(scene);
  t.is(await statusOf(id), 'applied');
});

for (const [change, sql] of [
  ['is disabled', 'update users set is_active = false where id = $1'],
  ['is deleted', 'update users set deleted_at = clock_timestamp() where id = $1'],
  ['becomes a driver', `update users set role = 'ROLE_DRIVER' where id = $1`],
] as const) {
  test(`a command is rejected when its user ${change} before it is decided`, async (t) => {
    const scene = await stage.setScene();
    const userId = await makeUserRow(scene, 'ROLE_DISPATCHER');
    const before = await store(scene, 'assign', userId);
    await decideAll(scene);
    const after = await store(scene, 'start_delivery', userId);
    await execute(stage.database, sql, [userId]);
    await decideAll(scene);
    t.is(await statusOf(before), 'applied');
    t.like(await findCommand(stage.database, after), { status: 'rejected', problem: { kind: 'forbidden' } });
  });
}

test('a driver’s command is rejected when the task went to another driver before', async (t) => {
  const scene = await stage.setScene();
  const userId = await makeUserRow(scene, 'ROLE_DRIVER');
  await execute(stage.database, 'update drivers set user_id = $2 where id = $1', [scene.driver, userId]);
  await store(scene, 'assign');
  const own = await store(scene, 'start_delivery', userId);
  await decideAll(scene);
  t.is(await statusOf(own), 'applied');
  await execute(stage.database, 'update tasks set driver_id = $2 where id = $1', [
    scene.delivery,
    scene.other,
  ]);
  const late = await store(scene, 'deliver', userId);
  await decideAll(scene);
  t.like(await findCommand(stage.database, late), { status: 'rejected', problem: { kind: 'forbidden' } });
  t.is((await storedState(stage.database, scene.id)).status, 'in_transit');
});

test('concurrent acceptances never exceed the limit of undecided commands', async (t) => {
  const scene = await stage.setScene();
  const command = () => ({
    id: newId<'command'>(),
    organizationId: scene.organizationId,
    shipmentId: scene.id,
    taskId: scene.delivery,
    kind: 'transition' as const,
    actorId: null,
    request: transitionRequest('assign', scene.driver),
    trace: null,
  });
  const results = await Promise.all(
    Array.from({ length: 25 }, () => storeCommand(stage.database, command(), 10)),
  );
  t.is(results.filter((status) => status === 'received').length, 10);
  t.is(results.filter((status) => status === 'backlog_full').length, 15);
  const row = await selectOne<{ count: number }>(
    stage.database,
    'select count(*)::int as count from commands where shipment_id = $1',
    [scene.id],
  );
  t.is(row?.count, 10);
});

test('a stored command keeps its place when it is stored again, even over the limit', async (t) => {
  const scene = await stage.setScene();
  const command = {
    id: newId<'command'>(),
    organizationId: scene.organizationId,
    shipmentId: scene.id,
    taskId: scene.delivery,
    kind: 'transition' as const,
    actorId: null,
    request: transitionRequest('assign', scene.driver),
    trace: null,
  };
  t.is(await storeCommand(stage.database, command, 1), 'received');
  t.is(await storeCommand(stage.database, command, 1), 'received');
  await decideAll(scene);
  t.is(await storeCommand(stage.database, command, 1), 'applied');
});

async function makeUserRow(scene: Scene, role: string): Promise<UserId> {
  const id = newId<'user'>();
  await execute(
    stage.database,
    `insert into users (id, organization_id, email, first_name, last_name, role, password_hash)
     values ($1, $2, $3, 'Test', 'User', $4, 'unused')`,
    [id, scene.organizationId, `${id}@example.com`, role],
  );
  return id;
}
