import { setTimeout as delay } from 'node:timers/promises';
import { AuthenticationApi, Configuration, DriversApi, ExternalApi, TasksApi } from './client';

const { BASE_URL: basePath = '', API_KEY = '', EMAIL = '', PASSWORD = '' } = process.env;
const shop = new ExternalApi(new Configuration({ basePath, apiKey: API_KEY }));

const { id } = await shop.externalCreateShipment({
  externalShipmentRequest: {
    recipient: {
      firstName: 'Amina',
      phoneNumber: '+33612345678',
      address: { street: '1 rue de Rivoli', city: 'Paris' },
    },
    codAmount: '49.90',
  },
});
const read = () => shop.externalReadShipment({ id });
while ((await read()).status === 'processing') await delay(100);

const { token } = await new AuthenticationApi(new Configuration({ basePath })).authLogin({
  credentials: { email: EMAIL, password: PASSWORD },
});
const signedIn = new Configuration({ basePath, accessToken: token });
const tasks = new TasksApi(signedIn);
const [driver] = (await new DriversApi(signedIn).driversList({ isAvailable: true })).member;
const [task] = (await tasks.tasksList({ shipment: id })).member;
if (driver === undefined || task === undefined) throw new Error('no driver or no task');

for (const transitionRequest of [
  { transition: 'assign', driver: driver.id },
  { transition: 'start_delivery' },
  { transition: 'deliver', proof: { receivedBy: 'Amina' } },
] as const) {
  await tasks.tasksTransition({ id: task.id, transitionRequest });
}
const { status, trackingNumber, driver: deliveredBy } = await read();
console.log(status, trackingNumber, deliveredBy?.name);
