import test from 'ava';
import { shipmentWorkflowId } from '../../../workflows/messages.ts';
import { toId } from '../../../domain/ids.ts';
import { select } from '../../../store/connection.ts';
import { reconcileOnce } from '../../../worker/reconciler.ts';
import { makeDriver, makeTeam } from '../../harness/make.ts';
import { makeShipment, move } from '../../harness/moves.ts';
import { at } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';
import { keptTotal } from '../../store/shipments.ts';

const service = useService();

async function cast() {
  const { organization, token } = await makeTeam(service);
  const driver = `/api/v1/drivers/${await makeDriver(service, organization)}`;
  return { organization, token, driver };
}

test('a run that was terminated is started again by the next command, which is applied', async (t) => {
  const { token, driver } = await cast();
  const { delivery, id } = await makeShipment(service, token);
  await move(service, token, delivery, 'assign', { driver });
  const workflowId = shipmentWorkflowId(toId<'shipment'>(id));
  const first = await service.client.workflow.getHandle(workflowId).describe();
  await service.client.workflow.getHandle(workflowId).terminate('lost');
  const task = await move(service, token, delivery, 'start_delivery');
  t.is(at(task, 'status'), 'delivery_in_progress');
  const second = await service.client.workflow.getHandle(workflowId).describe();
  t.not(second.runId, first.runId);
  t.is(second.status.name, 'RUNNING');
});

test('a run that is there takes the command itself', async (t) => {
  const { token, driver } = await cast();
  const { delivery, id } = await makeShipment(service, token);
  await move(service, token, delivery, 'assign', { driver });
  const workflowId = shipmentWorkflowId(toId<'shipment'>(id));
  const before = await service.client.workflow.getHandle(workflowId).describe();
  await move(service, token, delivery, 'start_delivery');
  await move(service, token, delivery, 'deliver');
  const after = await service.client.workflow.getHandle(workflowId).describe();
  t.is(after.runId, before.runId);
});

test('a pass of the reconciler folds the counts of lists and leaves them what they were', async (t) => {
  const { organization, token } = await cast();
  for (let made = 0; made < 3; made += 1) await makeShipment(service, token);
  const { dependencies, database } = service;
  await reconcileOnce({ database, runs: dependencies.runs });
  const waiting = await select(database, 'select id from shipment_total_changes where organization_id = $1', [
    organization.id,
  ]);
  t.deepEqual(waiting, []);
  t.is(await keptTotal(database, organization.id, 'pending'), 3);
});
