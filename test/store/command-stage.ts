import type { ExecutionContext } from 'ava';
import type { DriverId, OrganizationId, ShipmentId, TaskId } from '../../domain/ids.ts';
import type { AppliedCommand } from '../../store/commands/apply-command.ts';
import { applyNextCommand } from '../../store/commands/apply-command.ts';
import { readSnapshot } from '../../store/commands/shipment-snapshot.ts';
import type { CommandRecord } from '../../store/commands/commands.ts';
import { findCommand } from '../../store/commands/commands.ts';
import { connectDatabase } from '../../store/connection.ts';
import type { Database } from '../../store/connection.ts';
import type { CommandRequest } from '../../domain/command.ts';
import { makeTestDatabase } from '../harness/database.ts';
import { makeDriver, makeOrganization, makePickupPoint } from '../harness/make.ts';
import { makeCommand, makeStoredShipment, taskOf, transitionRequest } from './shipments.ts';

/** A shipment of an organization with webhooks and two drivers. */
export interface Scene {
  readonly organizationId: OrganizationId;
  readonly driver: DriverId;
  readonly other: DriverId;
  readonly id: ShipmentId;
  readonly delivery: TaskId;
}

/** A database of a test file's own, and commands that are applied in it as the worker does. */
export type Stage = Awaited<ReturnType<typeof openStage>>;

export async function openStage() {
  const testDatabase = await makeTestDatabase();
  const database = connectDatabase(testDatabase.url, { poolSize: 10, applicationName: 'test' });
  /** Decides the oldest waiting command of a shipment. */
  const decide = async (shipment: ShipmentId): Promise<AppliedCommand> => {
    const applied = await applyNextCommand(database, shipment);
    if (applied === undefined) throw new Error('no command waits');
    return applied;
  };
  /** Stores a transition and decides waiting commands until this one is decided. */
  const apply = async (
    scene: Scene,
    taskId: TaskId,
    transition: string,
    driverId?: DriverId,
    more: CommandRequest = {},
  ) => {
    const command = await makeCommand(database, scene.organizationId, scene.id, {
      kind: 'transition',
      taskId,
      request: { ...transitionRequest(transition, driverId), ...more },
    });
    let record: CommandRecord | undefined;
    do {
      // In a race this call may decide another's command; this one is then decided by the next call, or by the other.
      await applyNextCommand(database, scene.id);
      record = await findCommand(database, command);
    } while (record?.status === 'received');
    const snapshot = await readSnapshot(database, scene.id);
    if (record === undefined || snapshot === undefined) throw new Error('the command was not decided');
    return { outcome: record.status, command: record, snapshot };
  };
  return {
    database,
    setScene: (options: { readonly hasPickup?: boolean } = {}) => setScene(database, options),
    apply,
    decide,
    /** Makes transitions of the delivery, each of which has to be applied. */
    mustApply: async (t: ExecutionContext, scene: Scene, transitions: readonly string[]): Promise<void> => {
      for (const transition of transitions) {
        const { outcome, command } = await apply(scene, scene.delivery, transition, scene.driver);
        t.is(outcome, 'applied', `${transition}: ${JSON.stringify(command.problem)}`);
      }
    },
    close: async () => {
      await database.close();
      await testDatabase.drop();
    },
  };
}

async function setScene(database: Database, options: { readonly hasPickup?: boolean }): Promise<Scene> {
  const organization = await makeOrganization({ database }, { webhookUrl: 'https://shop.example/hook' });
  const driver = await makeDriver({ database }, organization, { firstName: 'Yanis' });
  const other = await makeDriver({ database }, organization, { firstName: 'Zoë' });
  const point = options.hasPickup === true ? await makePickupPoint({ database }, organization) : undefined;
  const id = await makeStoredShipment(
    database,
    organization.id,
    point === undefined ? {} : { pickupPointId: point },
  );
  return {
    organizationId: organization.id,
    driver,
    other,
    id,
    delivery: await taskOf(database, id, 'delivery'),
  };
}
