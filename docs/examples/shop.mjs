// A shop's server in Node without any package: `BASE=https://…/api/v1 API_KEY=sds_… node shop.mjs order-1001`.
// It creates a shipment and follows it to its end. A webhook receiver (receiver.mjs) hears of it without asking.
import { setTimeout as delay } from 'node:timers/promises';

const { BASE, API_KEY, POLL_SECONDS = '30' } = process.env;
const ATTEMPTS = 5;
const order = process.argv[2] ?? 'order-1001';

/** Repeats the request while there is no answer, and after 429 and 5xx; Retry-After says how long to wait. */
async function call(method, path, body, headers) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(`${BASE}${path}`, {
      method,
      headers: { 'X-API-KEY': API_KEY, 'Content-Type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    }).catch(() => undefined);
    const isTemporary = answer === undefined || answer.status === 429 || answer.status >= 500;
    if (!isTemporary || attempt === ATTEMPTS) {
      if (answer?.ok) return answer.json();
      // A problem document: `detail` says what is wrong, `violations` lists it field by field.
      console.error(answer?.status ?? 'no answer', (await answer?.text()) ?? '');
      process.exit(1);
    }
    await delay(1_000 * Number(answer?.headers.get('retry-after') ?? 2 ** attempt));
  }
}

const shipment = {
  recipient: {
    firstName: 'Amina',
    phoneNumber: '+33612345678',
    address: { street: '1 rue de Rivoli', city: 'Paris', postalCode: '75001' },
  },
  codAmount: '49.90',
  externalReference: order,
};
// The key makes the repetition safe: the order's own number, so that a shop that crashed repeats the same request.
const { id } = await call('POST', '/external/shipments', shipment, { 'Idempotency-Key': order });
console.log('created', id);

let status;
while (!['delivered', 'returned', 'cancelled'].includes(status)) {
  const now = await call('GET', `/external/shipments/${id}`);
  if (now.status !== status) console.log(now.trackingNumber, now.status, now.driver?.name ?? '');
  status = now.status;
  await delay(1_000 * Number(POLL_SECONDS));
}
