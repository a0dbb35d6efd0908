import { setTimeout as delay } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { paths } from './client';

const { BASE_URL: baseUrl = '', API_KEY = '', EMAIL = '', PASSWORD = '' } = process.env;
const shop = createClient<paths>({ baseUrl, headers: { 'X-API-KEY': API_KEY } });

function dataOf<Data>(answer: { data?: Data; error?: unknown; response: Response }): Data {
  if (answer.data !== undefined) return answer.data;
  throw new Error(`${answer.response.status} ${JSON.stringify(answer.error)}`);
}

const { id } = dataOf(
  await shop.POST('/external/shipments', {
    body: {
      recipient: {
        firstName: 'Amina',
        phoneNumber: '+33612345678',
        address: { street: '1 rue de Rivoli', city: 'Paris' },
      },
      codAmount: '49.90',
    },
  }),
);
const read = async () => dataOf(await shop.GET('/external/shipments/{id}', { params: { path: { id } } }));
while ((await read()).status === 'processing') await delay(100);

const { token } = dataOf(
  await createClient<paths>({ baseUrl }).POST('/login_check', {
    body: { email: EMAIL, password: PASSWORD },
  }),
);
const dashboard = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
const drivers = dataOf(await dashboard.GET('/drivers', { params: { query: { isAvailable: true } } }));
const tasks = dataOf(await dashboard.GET('/tasks', { params: { query: { shipment: id } } }));
const [driver] = drivers.member;
const [task] = tasks.member;
if (driver === undefined || task === undefined) throw new Error('no driver or no task');

const path = { id: task.id };
for (const body of [
  { transition: 'assign', driver: driver.id },
  { transition: 'start_delivery' },
  { transition: 'deliver', proof: { receivedBy: 'Amina' } },
] as const) {
  dataOf(await dashboard.POST('/tasks/{id}/transition', { params: { path }, body }));
}
const { status, trackingNumber, driver: deliveredBy } = await read();
console.log(status, trackingNumber, deliveredBy?.name);
