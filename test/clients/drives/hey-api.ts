import { setTimeout as delay } from 'node:timers/promises';
import {
  authLogin,
  driversList,
  externalCreateShipment,
  externalReadShipment,
  tasksList,
  tasksTransition,
} from './client';
import { client } from './client/client.gen';

const { BASE_URL = '', API_KEY = '', EMAIL = '', PASSWORD = '' } = process.env;
let token = '';
client.setConfig({
  baseUrl: BASE_URL,
  throwOnError: true,
  auth: ({ type }) => (type === 'apiKey' ? API_KEY : token),
});
const throwOnError = true;

const { data: created } = await externalCreateShipment({
  throwOnError,
  body: {
    recipient: {
      firstName: 'Amina',
      phoneNumber: '+33612345678',
      address: { street: '1 rue de Rivoli', city: 'Paris' },
    },
    codAmount: '49.90',
  },
});
const read = async () => (await externalReadShipment({ throwOnError, path: { id: created.id } })).data;
while ((await read()).status === 'processing') await delay(100);

token = (await authLogin({ throwOnError, body: { email: EMAIL, password: PASSWORD } })).data.token;
const drivers = await driversList({ throwOnError, query: { isAvailable: true } });
const tasks = await tasksList({ throwOnError, query: { shipment: created.id } });
const [driver] = drivers.data.member;
const [task] = tasks.data.member;
if (driver === undefined || task === undefined) throw new Error('no driver or no task');

for (const body of [
  { transition: 'assign', driver: driver.id },
  { transition: 'start_delivery' },
  { transition: 'deliver', proof: { receivedBy: 'Amina' } },
] as const) {
  await tasksTransition({ throwOnError, path: { id: task.id }, body });
}
const { status, trackingNumber, driver: deliveredBy } = await read();
console.log(status, trackingNumber, deliveredBy?.name);
