import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { StaffedOrganization } from './organization.ts';
import { field, Unexpected, type Visitor } from './visitor.ts';

const PATIENCE_MS = 30_000;
const ASK_AGAIN_MS = 100;

const PARCEL = {
  recipient: {
    firstName: 'Zoé',
    lastName: 'Ben Salem',
    phoneNumber: '+33612345678',
    address: { street: '3 rue de la Paix', city: 'Paris', postalCode: '75002' },
  },
  codAmount: '19.90',
};

/** What the checks work with. */
export interface Scene {
  readonly visitor: Visitor;
  readonly organization: StaffedOrganization;
  readonly temporal: Client;
}

/** Signs in the organization's user of a role. */
export async function signInAs({ visitor, organization }: Scene, role: string): Promise<Visitor> {
  const user = organization.users.find((candidate) => candidate.role === role);
  if (user === undefined) throw new Unexpected(`the organization has no user with ${role}`);
  return visitor.signIn(user.email, user.password);
}

/** Production refuses a webhook address that leads inside the network. */
export async function checkPrivateWebhookIsRefused(scene: Scene): Promise<void> {
  const admin = await signInAs(scene, 'ROLE_ORG_ADMIN');
  for (const webhookUrl of [
    'https://127.0.0.1:8443/hook',
    'https://10.0.0.7/hook',
    'http://example.org/hook',
  ]) {
    await admin.send('PATCH', `/organizations/${scene.organization.id}`, 422, { webhookUrl });
  }
}

/** A shipment of the external API is made and then cancelled: API, worker, both databases and the way back. */
export async function checkOneShipment(scene: Scene): Promise<{ readonly trackingNumber: string }> {
  const shop = scene.visitor.withKey(scene.organization.apiKey);
  const { body: accepted } = await shop.send('POST', '/external/shipments', 202, PARCEL);
  const id = field(accepted, 'id');
  const made = await untilStatus(shop, id, 'pending');
  const dispatcher = await signInAs(scene, 'ROLE_DISPATCHER');
  const { body: tasks } = await dispatcher.send('GET', `/tasks?shipment=/api/v1/shipments/${id}`, 200);
  const task = field(tasks, 'member', '0', '@id').replace('/api/v1', '');
  const { body: cancelled } = await dispatcher.send('POST', `${task}/transition`, 200, {
    transition: 'cancel',
  });
  if (field(cancelled, 'status') !== 'cancelled') throw new Unexpected('the cancelled task is not cancelled');
  await untilStatus(shop, id, 'cancelled');
  return { trackingNumber: field(made, 'trackingNumber') };
}

/** Ops find the shipment's workflow by each of the search attributes that every shipment has. */
export async function checkSearchAttributes(scene: Scene, trackingNumber: string): Promise<void> {
  const query = `TrackingNumber = '${trackingNumber}' and OrganizationId = '${scene.organization.id}' and ShipmentStatus = 'cancelled'`;
  await until(`one workflow for ${query}`, async () => {
    const { count } = await scene.temporal.workflow.count(query);
    return count === 1 ? count : undefined;
  });
}

async function untilStatus(shop: Visitor, id: string, status: string): Promise<unknown> {
  return until(`shipment ${id} to be ${status}`, async () => {
    const { body } = await shop.send('GET', `/external/shipments/${id}`, 200);
    return field(body, 'status') === status ? body : undefined;
  });
}

/** Asks again until there is an answer. Throws Unexpected after half a minute. */
async function until<Answer>(what: string, ask: () => Promise<Answer | undefined>): Promise<Answer> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Unexpected(`waited in vain for ${what}`);
    await delay(ASK_AGAIN_MS);
  }
}
