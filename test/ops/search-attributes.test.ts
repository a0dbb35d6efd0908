import { randomUUID } from 'node:crypto';
import test from 'ava';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { registerSearchAttributes } from '../../ops/search-attributes.ts';
import { testEngines } from '../harness/engines.ts';

const NAMES = ['DeadlineMissed', 'HasDeadLetter', 'OrganizationId', 'ShipmentStatus', 'TrackingNumber'];
/** `INDEXED_VALUE_TYPE_BOOL` of Temporal's API, for what ought to be a keyword. */
const AS_BOOL: Readonly<Record<string, number>> = { TrackingNumber: 5 };

interface NewNamespace {
  readonly connection: Connection;
  readonly namespace: string;
}

async function namespaceToBe(): Promise<NewNamespace> {
  const connection = await Connection.connect({ address: testEngines().temporalAddress });
  return { connection, namespace: `attributes-${randomUUID()}` };
}

async function makeNamespace({ connection, namespace }: NewNamespace): Promise<void> {
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
}

async function newNamespace(): Promise<NewNamespace> {
  const made = await namespaceToBe();
  await makeNamespace(made);
  return made;
}

test('a namespace that the cluster does not know yet is waited for', async (t) => {
  const cluster = await namespaceToBe();
  t.teardown(() => cluster.connection.close());
  const registering = registerSearchAttributes(cluster);
  await makeNamespace(cluster);
  t.deepEqual([...(await registering)].sort(), NAMES);
});

test('a new namespace gets every search attribute, and none a second time', async (t) => {
  const cluster = await newNamespace();
  t.teardown(() => cluster.connection.close());
  t.deepEqual([...(await registerSearchAttributes(cluster))].sort(), NAMES);
  const { customAttributes } = await cluster.connection.operatorService.listSearchAttributes({
    namespace: cluster.namespace,
  });
  for (const name of NAMES) t.true(name in customAttributes, name);
  t.deepEqual(await registerSearchAttributes(cluster), []);
});

test('two concurrent runs register every search attribute', async (t) => {
  const cluster = await newNamespace();
  t.teardown(() => cluster.connection.close());
  await Promise.all([registerSearchAttributes(cluster), registerSearchAttributes(cluster)]);
  t.deepEqual(await registerSearchAttributes(cluster), []);
});

test('a search attribute of another type is rejected with what to do', async (t) => {
  const cluster = await newNamespace();
  t.teardown(() => cluster.connection.close());
  const { connection, namespace } = cluster;
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: AS_BOOL,
  });
  await t.throwsAsync(registerSearchAttributes(cluster), {
    message: /TrackingNumber exists with another type: remove it/,
  });
});
