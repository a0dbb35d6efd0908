import test from 'ava';
import type { ExecutionContext } from 'ava';
import type { ShipmentId } from '../../domain/ids.ts';
import { findCommand } from '../../store/commands/commands.ts';
import { reconcileOnce } from '../../worker/reconciler.ts';
import { shipmentWorkflowId } from '../../workflows/messages.ts';
import { taskOf } from '../store/shipments.ts';
import { makeAllDue } from '../worker/stale-rows.ts';
import type { BuildName, WorkerBuilds } from './builds/worker-builds.ts';
import { workerBuilds } from './builds/worker-builds.ts';
import { until } from '../harness/until.ts';
import { decided, go, makeRunning, runOf, storedTransition, subjectOf } from './moves.ts';
import type { Ground, Tenancy, World } from './world.ts';
import { makeWorld, realGround } from './world.ts';

let ground: Ground & { readonly close: () => Promise<void> };
test.before(async () => {
  ground = await realGround();
});
test.after.always(() => ground.close());

interface Release {
  readonly world: World;
  readonly tenancy: Tenancy;
  readonly builds: WorkerBuilds;
}

async function makeRelease(t: ExecutionContext): Promise<Release> {
  const world = await makeWorld(ground);
  t.teardown(world.close);
  await world.stopWorkers();
  const builds = workerBuilds(world, ground.connection);
  t.teardown(builds.stopAll);
  return { world, tenancy: await world.makeTenant(), builds };
}

/** Signals the run until a build's worker completes a workflow task of it, which the build's being current leads to. */
async function movedTo(world: World, id: ShipmentId, build: BuildName): Promise<void> {
  await until(async () => {
    await world.workflows.signal(await subjectOf(world, id), { name: 'reconcile' });
    const { events } = await runOf(world, id).fetchHistory();
    const completed = (events ?? []).flatMap((event) => event.workflowTaskCompletedEventAttributes ?? []);
    return completed.at(-1)?.deploymentVersion?.buildId === build;
  }, `the run did not move to the build ${build}`);
}

test('an open shipment continues after a roll forward, without the workers it started on', async (t) => {
  const { world, tenancy, builds } = await makeRelease(t);
  await builds.start('previous');
  await builds.makeCurrent('previous');
  const id = await makeRunning(world, tenancy);
  await go(world, tenancy, id, 'delivery', 'assign');
  await movedTo(world, id, 'previous');

  await builds.start('today');
  t.regex((await builds.makeCurrent('today')).join('\n'), /today +current since .*, 100 % of the runs/);
  await movedTo(world, id, 'today');
  await go(world, tenancy, id, 'delivery', 'start_delivery');
  await builds.stop('previous');
  await go(world, tenancy, id, 'delivery', 'deliver');
  t.is(await runOf(world, id).result(), 'delivered');
});

test('shipments of the new and of the old build continue after a roll back', async (t) => {
  const { world, tenancy, builds } = await makeRelease(t);
  await builds.start('previous');
  await builds.makeCurrent('previous');
  const old = await makeRunning(world, tenancy);
  await go(world, tenancy, old, 'delivery', 'assign');
  await builds.start('today');
  await builds.makeCurrent('today');
  const young = await makeRunning(world, tenancy);
  await go(world, tenancy, young, 'delivery', 'assign');
  await go(world, tenancy, old, 'delivery', 'start_delivery');
  await movedTo(world, old, 'today');
  await movedTo(world, young, 'today');

  await builds.makeCurrent('previous');
  await movedTo(world, old, 'previous');
  await builds.stop('today');
  await go(world, tenancy, old, 'delivery', 'deliver');
  await go(world, tenancy, young, 'delivery', 'start_delivery', 'deliver');
  t.is(await runOf(world, old).result(), 'delivered');
  t.is(await runOf(world, young).result(), 'delivered');
});

test('a run that met a newer patch marker is replaced after a roll back, and nothing is lost', async (t) => {
  const { world, tenancy, builds } = await makeRelease(t);
  await builds.start('next');
  await builds.makeCurrent('next');
  const id = await makeRunning(world, tenancy);
  await go(world, tenancy, id, 'delivery', 'assign');
  const { runId } = await runOf(world, id).describe();

  await builds.start('today');
  await builds.makeCurrent('today');
  await builds.stop('next');
  t.is(await moveByReplacement(world, tenancy, id, 'start_delivery'), 'applied');
  t.is(await statusOf(world, id, runId), 'TERMINATED');
  await go(world, tenancy, id, 'delivery', 'deliver');
  t.is(await runOf(world, id).result(), 'delivered');
});

test('a run with a transition that the old build does not know goes on after a roll back', async (t) => {
  const { world, tenancy, builds } = await makeRelease(t);
  await builds.start('today');
  await builds.makeCurrent('today');
  const id = await makeRunning(world, tenancy);
  await go(world, tenancy, id, 'delivery', 'assign', 'unassign', 'assign');

  await builds.start('previous');
  await builds.makeCurrent('previous');
  await builds.stop('today');
  t.is(await moveByReplacement(world, tenancy, id, 'start_delivery'), 'applied');
  await go(world, tenancy, id, 'delivery', 'deliver');
  t.is(await runOf(world, id).result(), 'delivered');
});

/** Moves the delivery of a run that its worker cannot replay, as the reconciler does it; resolves to the outcome. */
async function moveByReplacement(
  world: World,
  tenancy: Tenancy,
  id: ShipmentId,
  transition: string,
): Promise<string> {
  const task = { id: await taskOf(world.database, id, 'delivery'), type: 'delivery' } as const;
  const { commandId } = await storedTransition(world, tenancy, id, task, transition);
  await until(async () => {
    await makeAllDue(world.database);
    await reconcileOnce(world);
    return (await findCommand(world.database, commandId))?.status !== 'received';
  }, 'the command of the run that cannot be replayed was not decided');
  return decided(world, commandId);
}

async function statusOf(world: World, id: ShipmentId, runId: string): Promise<string> {
  return (await world.client.workflow.getHandle(shipmentWorkflowId(id), runId).describe()).status.name;
}
