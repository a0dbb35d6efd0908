import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { WorkflowExecutionDescription } from '@temporalio/client';
import test from 'ava';
import { command } from '../../ops/check-consistency.ts';
import { runCommand } from '../../ops/command-line.ts';
import { execute } from '../../store/connection.ts';
import { makeTeamWithDriver } from '../harness/make.ts';
import { makeShipment, move } from '../harness/moves.ts';
import type { MadeShipment } from '../harness/moves.ts';
import { until } from '../harness/until.ts';
import { useService } from '../harness/use-service.ts';

const service = useService();

interface Run {
  readonly code: number;
  readonly printed: readonly string[];
  readonly printedErrors: string;
}

/** Runs the command as an operator does; by default everything counts from its first second on. */
async function check(
  argv: readonly string[] = [],
  settings: NodeJS.ProcessEnv = {
    DATABASE_URL: service.databaseUrl,
    TEMPORAL_ADDRESS: service.config.temporal.address,
    TASK_QUEUE: service.config.taskQueue,
  },
): Promise<Run> {
  const printed: string[] = [];
  const printedErrors: string[] = [];
  const code = await runCommand(command, {
    arguments: ['--older-than', '0', '--confirm-after', '1', ...argv],
    environment: settings,
    projectFolder: '/nowhere',
    print: (line) => printed.push(line),
    printError: (line) => printedErrors.push(line),
  });
  return { code, printed, printedErrors: printedErrors.join('\n') };
}

/** What the command says of one shipment. */
function linesOf({ printed }: Run, { id }: Pick<MadeShipment, 'id'>): string {
  return printed.filter((line) => line.startsWith(`shipment ${id}:`)).join('\n');
}

/** Repairs, and sees that nothing of the shipment is left. */
async function isRepaired(shipment: Pick<MadeShipment, 'id'>): Promise<boolean> {
  const repaired = await check(['--repair']);
  const left = repaired.printed.filter((line) => line.startsWith(`not repaired: shipment ${shipment.id}:`));
  return left.length === 0 && linesOf(await check(), shipment) === '';
}

/** Runs the command until it names the shipment: Temporal's list of workflows lags behind what runs. */
async function untilNamed(shipment: Pick<MadeShipment, 'id'>, argv: readonly string[] = []): Promise<Run> {
  let run = await check(argv);
  await until(async () => {
    if (linesOf(run, shipment) === '') run = await check(argv);
    return linesOf(run, shipment) !== '';
  }, 'the command names the shipment');
  return run;
}

/** A shipment with an assigned driver, whose workflow has nothing to do. */
async function open(): Promise<MadeShipment & { readonly organizationId: string }> {
  const { organization, token, driver } = await makeTeamWithDriver(service);
  const shipment = await makeShipment(service, token);
  await move(service, token, shipment.delivery, 'assign', { driver: `/api/v1/drivers/${driver}` });
  await until(async () => isIdle(await workflowOf(shipment).describe()), 'the workflow is idle');
  return { ...shipment, organizationId: organization.id };
}

function workflowOf({ id }: MadeShipment) {
  return service.client.workflow.getHandle(`shipment-${id}`);
}

async function isRunning(shipment: MadeShipment): Promise<boolean> {
  return (await workflowOf(shipment).describe()).status.name === 'RUNNING';
}

function isIdle({ raw }: WorkflowExecutionDescription): boolean {
  return raw.pendingWorkflowTask == null && (raw.pendingActivities ?? []).length === 0;
}

test.serial('a shipment that is in order is compared and not mentioned', async (t) => {
  const shipment = await open();
  const run = await check();
  t.is(linesOf(run, shipment), '');
  t.regex(run.printed.at(-1) ?? '', /[1-9]\d* open shipments and [1-9]\d* running workflows compared/);
});

test.serial('a shipment without a workflow is named, left alone, and started by --repair', async (t) => {
  const shipment = await open();
  await workflowOf(shipment).terminate('test');
  const found = await untilNamed(shipment);
  t.is(found.code, 1);
  t.regex(linesOf(found, shipment), /has no running workflow: --repair starts its workflow/);
  t.false(await isRunning(shipment));
  t.true(await isRepaired(shipment));
  t.true(await isRunning(shipment));
});

test.serial('a workflow whose shipment has ended is named, and ends by --repair', async (t) => {
  const shipment = await open();
  await execute(service.database, `update tasks set status = 'delivered' where shipment_id = $1`, [
    shipment.id,
  ]);
  await execute(service.database, `update shipments set status = 'delivered' where id = $1`, [shipment.id]);
  t.regex(linesOf(await untilNamed(shipment), shipment), /it is delivered and its workflow still runs/);
  t.true(await isRepaired(shipment));
  await t.notThrowsAsync(until(async () => !(await isRunning(shipment)), 'the workflow has ended'));
});

test.serial('an attribute that Temporal shows otherwise is named, and written by --repair', async (t) => {
  const shipment = await open();
  await execute(service.database, `update shipments set status = 'picked_up' where id = $1`, [shipment.id]);
  t.regex(
    linesOf(await untilNamed(shipment), shipment),
    /ShipmentStatus pending where PostgreSQL has picked_up/,
  );
  t.true(await isRepaired(shipment));
});

test.serial('a command that is undecided is named, and decided by --repair', async (t) => {
  const shipment = await open();
  const id = randomUUID();
  await execute(
    service.database,
    `insert into commands (id, organization_id, shipment_id, task_id, kind, request)
     select $1, organization_id, shipment_id, id, 'transition', '{"transition": "start_delivery"}' from tasks where shipment_id = $2`,
    [id, shipment.id],
  );
  const found = await check();
  t.is(found.code, 1);
  t.regex(linesOf(found, shipment), new RegExp(`command ${id} \\(start_delivery\\) is undecided after`));
  t.true(await isRepaired(shipment));
});

test.serial('a command that was set aside as failed is named with the operator’s command', async (t) => {
  const shipment = await open();
  const id = randomUUID();
  await execute(
    service.database,
    `insert into commands (id, organization_id, shipment_id, kind, request, status) values ($1, $2, $3, 'approve', '{}', 'failed')`,
    [id, shipment.organizationId, shipment.id],
  );
  t.regex(linesOf(await check(['--repair']), shipment), /set aside as failed: `npm run commands`/);
  await execute(service.database, `update commands set status = 'rejected' where id = $1`, [id]);
  t.is(linesOf(await check(), shipment), '');
});

test.serial('a workflow whose shipment the database does not know is named and left alone', async (t) => {
  const id = randomUUID();
  const workflow = await service.client.workflow.start('shipment', {
    workflowId: `shipment-${id}`,
    taskQueue: service.config.taskQueue,
    args: [{ shipmentId: id }],
    // It begins after the test, so that it is open meanwhile.
    startDelay: '1 hour',
  });
  t.teardown(async () => {
    await workflow.terminate('test');
  });
  const found = await untilNamed({ id }, ['--repair', '--repair-within', '0']);
  t.is(found.code, 1);
  t.regex(linesOf(found, { id }), /it is not in PostgreSQL: terminate the workflow/);
  t.is((await workflow.describe()).status.name, 'RUNNING');
});

test.serial('a replay that waits is named, and sent by --repair', async (t) => {
  const shipment = await open();
  await execute(
    service.database,
    `insert into webhook_events (id, organization_id, kind, shipment_id, sequence, body, event_updated_at, round)
     values ($1, $2, 'shipment.status_changed', $3, 901, '{}', '2026-01-01T00:00:00.000000+00:00', 1)`,
    [randomUUID(), shipment.organizationId, shipment.id],
  );
  t.regex(linesOf(await check(), shipment), /event .* is pending after/);
  t.true(await isRepaired(shipment));
});

test.serial('an event that waits is named, and sent by --repair', async (t) => {
  const shipment = await open();
  await execute(
    service.database,
    `insert into webhook_events (id, organization_id, kind, shipment_id, sequence, body, task_status, event_updated_at)
     values ($1, $2, 'shipment.status_changed', $3, 900, '{}', 'assigned', '2026-01-01T00:00:00.000000+00:00')`,
    [randomUUID(), shipment.organizationId, shipment.id],
  );
  t.regex(linesOf(await check(), shipment), /event .* \(assigned\) is pending after/);
  t.true(await isRepaired(shipment));
});

test.serial('an accepted request without a shipment is named, and created by --repair', async (t) => {
  const { organizationId } = await open();
  const id = randomUUID();
  await execute(service.database, `insert into tracking_numbers (tracking_number) values ($1)`, [id]);
  const request = {
    recipient: {
      type: 'individual',
      firstName: 'Amina',
      lastName: null,
      phoneNumber: '+33612345678',
      email: null,
      address: ADDRESS,
    },
    ...{
      merchantId: null,
      pickupPointId: null,
      pickupAddress: null,
      priority: 'normal',
      packageSize: 'medium',
    },
    ...{ weightGrams: null, codAmountCents: 0, handlingOptions: [], notes: null, externalReference: null },
    ...{ items: [], scheduledAfter: null, scheduledBefore: null },
  };
  await execute(
    service.database,
    `insert into external_intakes (id, organization_id, tracking_number, request) values ($1::uuid, $2, $1::uuid::text, $3::jsonb)`,
    [id, organizationId, JSON.stringify(request)],
  );
  const found = await check();
  t.regex(linesOf(found, { id }), /the request for it .* has no shipment/);
  t.true(await isRepaired({ id }));
});
const ADDRESS = {
  street: '1 rue de Rivoli',
  city: 'Paris',
  postalCode: '75001',
  latitude: null,
  longitude: null,
  landmark: null,
};

test.serial('a deadline that passed unrecorded is named, and recorded by --repair', async (t) => {
  const shipment = await open();
  await execute(
    service.database,
    `update shipments set delivery_deadline = clock_timestamp() - interval '1 hour' where id = $1`,
    [shipment.id],
  );
  t.regex(linesOf(await check(), shipment), /its deadline passed \d+ s ago without being recorded/);
  t.true(await isRepaired(shipment));
});

test.serial('without DATABASE_URL it finds the service that npm start wrote down', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'consistency-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const settings = { DATA_DIR: folder, TASK_QUEUE: service.config.taskQueue };
  const lost = await check([], settings);
  t.is(lost.code, 2);
  t.regex(lost.printedErrors, /Set DATABASE_URL and TEMPORAL_ADDRESS.*npm start/);
  const addresses = { databaseUrl: service.databaseUrl, temporalAddress: service.config.temporal.address };
  await writeFile(join(folder, 'addresses.json'), JSON.stringify(addresses));
  t.not((await check([], settings)).code, 2);
});

test.serial('what can’t be compared is exit code 2, with what to do', async (t) => {
  const { databaseUrl } = service;
  const half = await check([], { DATABASE_URL: databaseUrl });
  t.is(half.code, 2);
  t.regex(half.printedErrors, /TEMPORAL_ADDRESS is not/);
  const noTemporal = await check([], { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: '127.0.0.1:1' });
  t.is(noTemporal.code, 2);
  t.regex(noTemporal.printedErrors, /Check that Temporal is running/);
  const noDatabase = await check([], {
    DATABASE_URL: 'postgres://unknown@127.0.0.1:1/none',
    TEMPORAL_ADDRESS: service.config.temporal.address,
    TASK_QUEUE: service.config.taskQueue,
  });
  t.is(noDatabase.code, 2);
  t.regex(noDatabase.printedErrors, /The database is unreachable/);
  const misused = await check(['--planet', 'mars']);
  t.is(misused.code, 2);
  t.regex(misused.printedErrors, /planet[\s\S]*Usage: npm run check:consistency/);
});
